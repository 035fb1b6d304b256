package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// The terminal program says of systems what the plain commands print, whether they can be
// learned or not: the fault sets, why a fact holds, what changes one, by what executions
// differ, and the verdict of each schedule.
func TestExploreAnswersAboutSystemsWhatIsPrinted(t *testing.T) {
	for _, about := range [][]string{{"--system", "election-host", "--name", "election-buggy"}, {"--system", "tickets-host", "--name", "tickets-hasty"}} {
		system := strings.Join(about, " ")
		seen := func(keys ...string) string {
			shown, code := printed(t, append([]string{"explore", "--screen", "400x200", "--keys", strings.Join(keys, " ")}, about...)...)
			require.Zero(t, code, shown)
			return shown
		}
		asked := func(command string, args ...string) string {
			plain, _ := printed(t, append(append([]string{command}, about...), args...)...)
			return plain
		}

		listed := asked("hypotheses", "--max", "30")
		screen := seen("n", "2", "z")
		sets := listedIn(listed, `(?m)^  (\d+) +(\S.*?)(  .*)?$`)
		require.NotEmpty(t, sets)
		require.Equal(t, sets, listedIn(screen, `(?m)^[> ][+ ][* ] (\d+)  (.*?)(   and .*)?$`), system)

		var answer result.Answer
		require.NoError(t, json.Unmarshal([]byte(asked("hypotheses", "--max", "30", "--output", "json")), &answer))
		require.Len(t, answer.Counterexamples, len(sets))
		first := answer.Counterexamples[0]
		require.Contains(t, screen, "VIOLATED   "+first.Violations[0].String()+"\n")
		contains(t, seen("n", "w", "z"), asked("diff", "--faults", first.Schedule.String()), system)

		for _, c := range answer.Counterexamples[:3] {
			var in result.Injection
			require.NoError(t, json.Unmarshal([]byte(asked("inject", "--faults", c.Schedule.String(), "--output", "json")), &in))
			shown, _ := printed(t, append([]string{"explore", "--screen", "400x60", "--keys", "l", "--faults", c.Schedule.String()}, about...)...)
			require.Contains(t, shown, "VIOLATED   "+in.Violations[0].String()+"\n")
		}

		fact := first.Execution.Facts[0].String()
		contains(t, seen("n", "3", "/", strings.ReplaceAll(fact, " ", " space "), "enter", "w", "z"), asked("why", fact, "--faults", first.Schedule.String()), fact)

		var found result.WhatIf
		require.NoError(t, json.Unmarshal([]byte(asked("whatif", fact, "--absent", "--max", "30", "--output", "json")), &found))
		what := seen("3", "/", strings.ReplaceAll(fact, " ", " space "), "enter", "t", "z")
		if found.Answer == result.Impossible {
			require.Contains(t, what, "no faults within the bounds do it")
		}
		for _, c := range found.Sets {
			require.Contains(t, what, "\n"+c.Schedule.String()+"\n  executed: "+c.Violations[0].String()+"\n")
		}
	}
}
