package guide

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

const scenarios = "../../docs/guide/scenarios.md"

var (
	block   = regexp.MustCompile("(?s)```prolog\n(.*?)((?:#> [^\n]*\n)*)```")
	told    = regexp.MustCompile("(?s)```text\n(.*?)```")
	ofALink = regexp.MustCompile(`^(\w+)>(\w+) (\w+) (.*)$`)
)

// TestScenarios evaluates every guide of the page over the execution of the page, and
// compares what it decides with the comment behind it; with -update it writes the comments.
func TestScenarios(t *testing.T) {
	page, err := os.ReadFile(scenarios)
	require.NoError(t, err)
	sends, facts := theExecution(t, told.FindStringSubmatch(string(page))[1])
	written := block.ReplaceAllStringFunc(string(page), func(all string) string {
		rules := block.FindStringSubmatch(all)[1]
		return "```prolog\n" + rules + consequences(t, rules, sends, facts) + "```"
	})
	require.Greater(t, strings.Count(written, "#> "), 20)
	if *golden.Update {
		require.NoError(t, os.WriteFile(scenarios, []byte(written), 0o600))
		return
	}
	require.Equal(t, written, string(page))
}

// theExecution reads lines such as "1 a>b MsgVote term 1;  term a 1".
func theExecution(t *testing.T, text string) (sends [][]recording.Message, facts [][]recording.Fact) {
	t.Helper()
	for line := range strings.Lines(text) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		round, err := strconv.Atoi(first)
		require.NoError(t, err)
		for len(sends) < round {
			sends, facts = append(sends, nil), append(facts, nil)
		}
		for _, item := range strings.Split(rest, ";") {
			item = strings.TrimSpace(item)
			if m := ofALink.FindStringSubmatch(item); m != nil {
				sends[round-1] = append(sends[round-1], sent(round, m[1], m[2], m[3], m[4]))
				continue
			}
			words := strings.Fields(item)
			args := []any{}
			for _, w := range words[1:] {
				if n, err := strconv.Atoi(w); err == nil {
					args = append(args, n)
				} else {
					args = append(args, w)
				}
			}
			facts[round-1] = append(facts[round-1], fact(words[0], append(args, round)...))
		}
	}
	return sends, facts
}

// consequences returns what a guide decides, in comments; all messages arrive but those that
// are lost.
func consequences(t *testing.T, rules string, sends [][]recording.Message, facts [][]recording.Fact) string {
	t.Helper()
	g, err := Parse("scenario.mg", rules)
	require.NoError(t, err, rules)
	r, err := g.NewRun(rounds.Bounds{Processes: names, EOT: len(sends)}, nil)
	require.NoError(t, err)
	var lines []string
	var past Past
	number := 0
	for i := range sends {
		d, err := r.Decide(t.Context(), past, sends[i])
		require.NoError(t, err, rules)
		if all := grouped(decided(d)); len(all) > 0 {
			lines = append(lines, fmt.Sprintf("#> round %d: %s", i+1, strings.Join(all, "; ")))
		}
		past = Past{Facts: facts[i]}
		for j, m := range sends[i] {
			if slices.ContainsFunc(d.Fates, func(f Fate) bool { return f.Message == number+j+1 && (f.Do == "drop" || f.Do == "hold") }) {
				past.Lost = append(past.Lost, m)
			} else {
				past.Delivered = append(past.Delivered, m)
			}
		}
		number += len(sends[i])
	}
	o, err := r.End(t.Context(), past)
	require.NoError(t, err)
	for _, m := range o.Moves {
		lines = append(lines, fmt.Sprintf("#> moves to %s in round %d", m.To, m.Round))
	}
	for i, round := range o.Reached {
		lines = append(lines, fmt.Sprintf("#> waypoint %d in round %d", i+1, round))
	}
	return strings.Join(append(lines, ""), "\n")
}

// grouped returns "drop 1, 2" for "1 drop" and "2 drop".
func grouped(all []string) (groups []string) {
	last := ""
	for _, text := range all {
		number, what, _ := strings.Cut(text, " ")
		if _, err := strconv.Atoi(number); err != nil {
			what, number, _ = strings.Cut(text, " ")
		}
		if strings.HasPrefix(what, " ") {
			what = "lie" + what
		}
		what = strings.TrimSpace(what)
		if what == last {
			groups[len(groups)-1] += ", " + number
		} else {
			groups = append(groups, what+" "+number)
		}
		last = what
	}
	return groups
}

// Filters consume what they match.
func TestTheFirstFilterConsumes(t *testing.T) {
	text := Filters(
		Filter{If: `message(M, "a", _, "Vote", _, _)`, Then: "drop(M)", Once: true},
		Filter{If: `message(M, "a", _, _, _, _)`},
		Filter{If: `message(M, _, _, "Vote", _, _)`, Then: "hold(M)"},
	)
	r := newRun(t, text)
	votes := []recording.Message{sent(1, "a", "b", "Vote", ""), sent(1, "a", "c", "Vote", ""), sent(1, "b", "c", "Vote", ""), sent(1, "b", "c", "App", "")}
	for _, d := range decideAll(t, r, nil, votes) {
		require.Equal(t, d.Fates == nil, len(d.fired) == 0)
		if d.Fates != nil {
			require.Equal(t, []string{"1 drop ", "3 hold "}, decided(d))
		}
	}
}

func TestPartitionsAreDrawn(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(20) {
		text, err := Partition(seed, []string{"a", "b", "c\"\x1b"}, 1, 2)
		require.NoError(t, err)
		again, err := Partition(seed, []string{"a", "b", "c\"\x1b"}, 1, 2)
		require.NoError(t, err)
		require.Equal(t, text, again)
		_, err = Parse("drawn.mg", text+"drop(M) :- net.across(M).")
		require.NoError(t, err, text)
		seen[text] = true
	}
	require.Len(t, seen, 3)
	_, err := Partition(1, names, 1, 1)
	require.EqualError(t, err, "a partition into sides of [1 1]: the sizes are at least 1 each, and 3 together, one for each process")
}
