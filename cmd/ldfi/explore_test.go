package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// brokenProtocols are some that break, by different faults and in different ways.
var brokenProtocols = []string{"delivery/simple", "delivery/classic", "commit/2pc", "replog/buggy", "network/append", "restart/2pc_forgets", "partitions/half", "choices/primary_own"}

// someProtocols are all of these with -long, and else every other one.
func someProtocols() (some []string) {
	for i, file := range brokenProtocols {
		if i%2 == 0 || *everything {
			some = append(some, file)
		}
	}
	return some
}

// screenful presses keys on a screen on which everything can be seen.
func screenful(t *testing.T, file, keys string) string {
	shown, code := printed(t, "explore", "../../testdata/protocols/"+file+".ded", "--screen", "1000x900", "--keys", keys)
	require.Zero(t, code, shown)
	return shown
}

// contains tells of each line of a text that it is on a screen.
func contains(t *testing.T, screen, text, what string) {
	seen := map[string]bool{}
	for line := range strings.Lines(screen) {
		seen[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(text) {
		require.True(t, seen[strings.TrimSpace(line)], "%s: %q is not in\n%s", what, line, screen)
	}
}

// The terminal program has the fault sets of the plain command, in its order, with its ranks,
// words and groups, whichever way they are folded.
func TestExploreListsWhatIsPrinted(t *testing.T) {
	for _, file := range someProtocols() {
		for keys, args := range map[string][]string{"n 2 z": {"--group", "symmetry"}, "n f z": {"--group", "cause"}, "n f f z": nil, "n f f f z": {"--group", "rounds"}} {
			plain, _ := printed(t, append([]string{"hypotheses", "../../testdata/protocols/" + file + ".ded", "--max", "1000"}, args...)...)
			screen := screenful(t, file, keys)
			heading, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(plain, "violated")), "\n")
			require.Contains(t, screen, "broken "+heading+"; fewest faults first", file)
			require.Equal(t, listedIn(plain, `(?m)^  (\d+) +(\S.*?)(  .*)?$`), listedIn(screen, `(?m)^[> ][+ ][* ] (\d+)  (.*?)(   and .*)?$`), "%s: %s", file, keys)
			for _, field := range []string{"cuts", "group"} {
				if m := regexp.MustCompile("(?m)^  " + field + " +(.*)$").FindStringSubmatch(plain); m != nil {
					require.Regexp(t, "(?m)^  "+field+" +"+regexp.QuoteMeta(m[1])+"$", screen) // of the first set
				}
			}
		}
	}
}

// listedIn returns the ranks and schedules of a list, in its order.
func listedIn(text, row string) (all []string) {
	for _, m := range regexp.MustCompile(row).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1]+" "+m[2])
	}
	return all
}

// What it answers is what the plain commands print: repairs, differences and reasons.
func TestExploreAnswersWhatIsPrinted(t *testing.T) {
	for _, file := range someProtocols() {
		name := "../../testdata/protocols/" + file + ".ded"
		plain, _ := printed(t, "run", name, "--repairs")
		_, repairs, ok := strings.Cut(plain, "\n  repairs  ")
		require.True(t, ok, plain)
		contains(t, screenful(t, file, "R z"), repairs, file)

		screen := screenful(t, file, "n w z")
		m := regexp.MustCompile(`(?m)^why (.*), (?:under (.*)|without faults)$`).FindStringSubmatch(screen)
		require.NotNil(t, m, screen)
		why, _ := printed(t, "why", name, m[1], "--faults", m[2])
		contains(t, screen, why, file)

		if file == "choices/primary_own" { // it has no faults to compare with none
			continue
		}
		difference, _ := printed(t, "diff", name, "--faults", m[2])
		contains(t, screenful(t, file, "n v z"), difference, file)
	}
}
