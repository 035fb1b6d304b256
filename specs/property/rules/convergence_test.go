package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

func TestConvergence(t *testing.T) {
	p := property.Convergence("key", 3)
	require.True(t, p.ByEnd)
	require.Empty(t, texts(t, p, oracle.Recorded(t)))
	require.Empty(t, texts(t, p, oracle.Recorded(t, "key a x 1 @3", "key a x 2 @9", "key b x 2 @9", "key c x 2 @9")), "what was before makes no difference")
	require.Equal(t, []string{`violation(a, b, "x", 1)`, `violation(b, a, "x", 2)`, `violation(b, c, "x", 2)`, `violation(c, b, "x", 1)`},
		texts(t, p, oracle.Recorded(t, "key a x 1 @9", "key b x 2 @9", "key c x 1 @9")))
	require.Equal(t, []string{`violation(a, b, "x", 1)`, `violation(a, c, "x", 1)`}, texts(t, p, oracle.Recorded(t, "key a x 1 @9")), "who reports nothing differs")
}

// Replicas have converged if those that are up report the same in the end, by rules and by
// going through what happened, under random crashes, restarts and pauses.
func TestConvergenceAgainstAFunction(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	converged := map[bool]int{}
	for range 400 {
		var facts []string
		for _, p := range []string{"a", "b", "c"} {
			for range random.IntN(3) {
				facts = append(facts, fmt.Sprintf("key %s %d @%d", p, random.IntN(2), 8+random.IntN(2)))
			}
		}
		slices.Sort(facts)
		e := oracle.Recorded(t, slices.Compact(facts)...)
		e.Schedule = randomDowns(random)
		last := map[string][]string{}
		for _, f := range e.Facts {
			if f.Round == 9 {
				last[f.Args[0].Text()] = append(last[f.Args[0].Text()], f.Args[1].Text())
			}
		}
		want := true
		for _, p := range e.Bounds.Processes {
			for _, q := range e.Bounds.Processes {
				want = want && (!upAtTheEnd(e.Schedule, p) || !upAtTheEnd(e.Schedule, q) || slices.Equal(last[p], last[q]))
			}
		}
		violations := texts(t, property.Convergence("key", 2), e)
		require.Equal(t, want, len(violations) == 0, "%v under %s: %v", facts, e.Schedule, violations)
		converged[want]++
	}
	require.Greater(t, min(converged[true], converged[false]), 50, "both happen: %v", converged)
}

// randomDowns returns a schedule in which processes crash and restart in turn, or pause.
func randomDowns(random *rand.Rand) rounds.Schedule {
	var s rounds.Schedule
	for _, p := range []string{"a", "b", "c"} {
		switch random.IntN(3) {
		case 0:
			from := 7 + random.IntN(3)
			s.Faults = append(s.Faults, rounds.Fault{Kind: rounds.Pause, Process: p, Round: from, Until: min(9, from+random.IntN(2))})
		case 1:
			down := false
			for round := 6; round <= 9; round++ {
				if !down && random.IntN(2) == 0 {
					s.Faults, down = append(s.Faults, rounds.Fault{Kind: rounds.Crash, Process: p, Round: round}), true
				}
				if down && random.IntN(2) == 0 {
					s.Faults, down = append(s.Faults, rounds.Fault{Kind: rounds.Restart, Process: p, Round: round}), false
				}
				if !down && random.IntN(4) == 0 {
					s.Faults, down = append(s.Faults, rounds.Fault{Kind: rounds.Crash, Process: p, Round: round, Detail: "stored"}), true
				}
			}
		}
	}
	return s
}

// upAtTheEnd tells whether a process is up in round 9. The faults of a process stand in
// the order in which they happen.
func upAtTheEnd(s rounds.Schedule, p string) bool {
	up := true
	for _, f := range s.Faults {
		if f.Process != p {
			continue
		}
		switch f.Kind {
		case rounds.Crash:
			up = false
		case rounds.Restart:
			up = true
		case rounds.Pause:
			up = f.Until < 9
		}
	}
	return up
}
