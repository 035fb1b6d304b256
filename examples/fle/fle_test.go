package fle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/fle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// reports are the bugs, each with its fix, and with the smallest fault set of its protocol.
var reports = []struct {
	name, faults string
	buggy, fixed func() *system.System
}{
	{"zookeeper_790", "crash a@7; restart a@7", fle.Premature, fle.Established},
	{"zookeeper_975", "crash a@1; restart a@4", fle.Usurping, fle.Joining},
}

func run(t *testing.T, s *system.System, text string) *recording.Execution {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	return e
}

// positions returns who leads which epoch, and who follows whom, in the last round.
func positions(e *recording.Execution) string {
	var texts []string
	for _, f := range e.Facts {
		if f.Round == e.Bounds.EOT && (f.Relation == "leads" || f.Relation == "follows") {
			texts = append(texts, fmt.Sprintf("%s %s %s", f.Args[0].Text(), f.Relation, f.Args[1].Text()))
		}
	}
	return strings.Join(texts, ", ")
}

func TestElections(t *testing.T) {
	for _, story := range []struct{ title, schedule, positions string }{
		{"the greatest zxid leads", "", "a follows b, c follows b, b leads 1"},
		{"of those with the same zxid the greatest number leads", "crash b@1", "a follows c, c leads 1"},
		{"who has joined an epoch leads the next one", "crash b@7", "a follows c, c leads 2"},
		{"a leader that was down follows the next one", "crash b@7; restart b@8", "a follows c, b follows c, c leads 2"},
		{"a follower that was down joins its leader", "crash c@7; restart c@8", "a follows b, c follows b, b leads 1"},
		{"two that are left alone look for a leader, and find none", "crash b@7; crash c@7", ""},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.positions, positions(run(t, fle.Joining(), story.schedule)))
		})
	}
}

// A server that comes back leads though the others have a leader. It follows that
// when nobody has followed it for three rounds; if it has begun an epoch by then, never.
func TestReports(t *testing.T) {
	for _, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			require.True(t, violates(t, r.buggy(), r.faults))
			require.False(t, violates(t, r.fixed(), r.faults))
		})
	}
	const back = "crash a@7; restart a@7"
	require.Equal(t, "a follows b, c follows b, b leads 1", positions(run(t, fle.Established(), back)))
	var refused []int
	for _, f := range run(t, fle.Premature(), back).Facts {
		if f.Relation == "refuses" {
			refused = append(refused, f.Round)
		}
	}
	require.Equal(t, []int{15, 16}, refused)
}

// violates tells whether an execution breaks the property of the system.
func violates(t *testing.T, s *system.System, schedule string) bool {
	t.Helper()
	found, err := s.Properties[0].Check(run(t, s, schedule))
	require.NoError(t, err)
	return len(found) > 0
}

// Of all scenarios with a crash and a restart, the system breaks under those under which
// the protocol does.
func TestProtocols(t *testing.T) {
	for _, r := range reports {
		for suffix, s := range map[string]*system.System{"": r.buggy(), "_fixed": r.fixed()} {
			t.Run(r.name+suffix, func(t *testing.T) {
				program, err := dedalus.Parse("../../testdata/protocols/catalogue/" + r.name + suffix + ".ded")
				require.NoError(t, err)
				bounds, _, err := rounds.BoundsOf(program, nil)
				require.NoError(t, err)
				protocol, err := provenance.Evaluate(t.Context(), program, bounds, provenance.Options{})
				require.NoError(t, err)
				for _, text := range scenarios(s) {
					schedule, err := rounds.ParseSchedule(text)
					require.NoError(t, err)
					world, err := protocol.Under(schedule)
					require.NoError(t, err)
					require.Equal(t, breaks(world), violates(t, s, text), text)
				}
			})
		}
	}
}

// breaks tells whether the protocol breaks its promise in a world.
func breaks(w *provenance.World) bool {
	for round := 1; round <= w.Graph.Bounds.EOT; round++ {
		if slices.ContainsFunc(w.Graph.Facts("violation", round), w.Holds) {
			return true
		}
	}
	return false
}

// Three servers look, of which one was down when the others began an epoch: in its vote the
// epoch is earlier and the number greater. Where the number decides whatever the epochs are,
// they change their votes for ever.
func TestCircle(t *testing.T) {
	const faults = "crash c@1; crash a@9; restart a@9; restart c@9"
	require.True(t, violates(t, fle.Circling(), faults))
	require.False(t, violates(t, fle.Settling(), faults))
	require.Empty(t, positions(run(t, fle.Circling(), faults)))
	require.Equal(t, "b follows a, c follows a, a leads 2", positions(run(t, fle.Settling(), faults)))
	answer := find(t, fle.Circling(), "")
	require.Equal(t, result.Violated, answer.Verdict, answer.Summary())
	require.Equal(t, 4, answer.First().Size)
	answer = find(t, fle.Settling(), "exhaustive")
	require.Equal(t, result.Holds, answer.Verdict, answer.Summary())
}

// scenarios returns the schedules with at most one crash and one restart.
func scenarios(s *system.System) []string {
	all := []string{""}
	for _, name := range s.Processes {
		for crash := 1; crash <= s.Rounds; crash++ {
			all = append(all, fmt.Sprintf("crash %s@%d", name, crash))
			for restart := crash; restart <= s.Rounds; restart++ {
				all = append(all, fmt.Sprintf("crash %s@%d; restart %s@%d", name, crash, name, restart))
			}
		}
	}
	return all
}

// The search by default finds the smallest faults, and certifies the fix.
func TestSearch(t *testing.T) {
	for _, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			answer := find(t, r.buggy(), "")
			require.Equal(t, result.Violated, answer.Verdict, answer.Summary())
			require.Equal(t, 1+strings.Count(r.faults, ";"), answer.First().Size)
			answer = find(t, r.fixed(), "")
			require.Equal(t, result.Holds, answer.Verdict, answer.Summary())
		})
	}
}

func find(t *testing.T, s *system.System, strategy string) *result.Answer {
	t.Helper()
	answer, err := search.Run(t.Context(), s, search.Options{Bounds: s.Faults, Strategy: strategy, Seed: 1, Executions: 10_000})
	require.NoError(t, err)
	return answer
}

func TestSelf(t *testing.T) {
	systems := []*system.System{fle.Circling(), fle.Settling()}
	for _, r := range reports {
		systems = append(systems, r.buggy(), r.fixed())
	}
	for _, s := range systems {
		require.NoError(t, s.CheckDeterminism(t.Context(), 50, 1))
		require.NoError(t, s.CheckState(t.Context(), 50, 1))
	}
}
