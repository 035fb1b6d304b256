package fle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/fle"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
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
			require.Equal(t, story.positions, positions(systems.Run(t, fle.Joining(), story.schedule)))
		})
	}
}

// A server that comes back leads though the others have a leader. It follows that
// when nobody has followed it for three rounds; if it has begun an epoch by then, never.
func TestReports(t *testing.T) {
	for _, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			require.NotEmpty(t, systems.Violations(t, r.buggy(), r.faults))
			require.Empty(t, systems.Violations(t, r.fixed(), r.faults))
		})
	}
	const back = "crash a@7; restart a@7"
	require.Equal(t, "a follows b, c follows b, b leads 1", positions(systems.Run(t, fle.Established(), back)))
	var refused []int
	for _, f := range systems.Run(t, fle.Premature(), back).Facts {
		if f.Relation == "refuses" {
			refused = append(refused, f.Round)
		}
	}
	require.Equal(t, []int{15, 16}, refused)
}

// Of all scenarios with a crash and a restart, the system breaks under those under which
// the protocol does.
func TestProtocols(t *testing.T) {
	for _, r := range reports {
		for suffix, s := range map[string]*system.System{"": r.buggy(), "_fixed": r.fixed()} {
			t.Run(r.name+suffix, func(t *testing.T) {
				systems.Catalogue(t, r.name+suffix).RequireLike(t, s, scenarios(s))
			})
		}
	}
}

// Three servers look, of which one was down when the others began an epoch: in its vote the
// epoch is earlier and the number greater. Where the number decides whatever the epochs are,
// they change their votes for ever.
func TestCircle(t *testing.T) {
	const faults = "crash c@1; crash a@9; restart a@9; restart c@9"
	require.NotEmpty(t, systems.Violations(t, fle.Circling(), faults))
	require.Empty(t, systems.Violations(t, fle.Settling(), faults))
	require.Empty(t, positions(systems.Run(t, fle.Circling(), faults)))
	require.Equal(t, "b follows a, c follows a, a leads 2", positions(systems.Run(t, fle.Settling(), faults)))
	systems.RequireLeast(t, fle.Circling(), 4)
	answer := systems.Search(t, fle.Settling(), "exhaustive")
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
			systems.RequireLeast(t, r.buggy(), 1+strings.Count(r.faults, ";"))
			systems.RequireLeast(t, r.fixed(), 0)
		})
	}
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, fle.Premature(), fle.Established(), fle.Usurping(), fle.Joining(), fle.Circling(), fle.Settling())
}
