package strategies_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// Without a limit on isolations: what breaks has its smallest number of them,
// and what is fixed is certified for every periodic schedule.
func TestExhaustive(t *testing.T) {
	for _, c := range []struct {
		title     string
		system    *system.System
		period    int
		smallest  int // isolations that break it, 0 if none do
		schedules string
	}{
		{"the buggy log breaks with two isolations", replog.Buggy(), 4, 2, ""},
		{"the fixed log never", replog.Fixed(), 4, 0, "244140625"},
		{"one ballot for two purposes breaks with three", cassandra.Buggy(), 6, 3, ""},
		{"two ballots never", cassandra.Fixed(), 6, 0, "13841287201"},
	} {
		t.Run(c.title, func(t *testing.T) {
			r, err := find(context.Background(), "exhaustive", isolations(c.system, rounds.Unlimited, c.period), search.Options{})
			require.NoError(t, err)
			if c.smallest == 0 {
				require.Equal(t, result.Holds, r.Verdict, r.Summary())
				require.Equal(t, c.schedules, r.Search.Certificate.Schedules.String())
				return
			}
			require.Equal(t, result.Violated, r.Verdict)
			require.True(t, r.First().Minimal)
			require.Equal(t, c.smallest, r.First().Schedule.Size(), r.First().Schedule.String())
		})
	}
}

// listener hears a and b in every round, or hears less and less.
type listener struct {
	toy
	heard string
}

func (p *listener) Send(s *system.Step) { s.Broadcast("here") }

func (p *listener) Receive(s *system.Step, inbox []system.Message) {
	switch {
	case p.name == "c" && len(inbox) == 1 && p.heard == "both":
		p.heard = inbox[0].From
	case p.name == "c" && len(inbox) == 0 && (p.heard == "a" || p.heard == "b"):
		p.heard = "nobody, after " + p.heard
		s.Fact("left", p.heard)
	}
}

func (p *listener) Fingerprint() string  { return p.heard }
func (p *listener) Snapshot() any        { return p.heard }
func (p *listener) Restore(snapshot any) { p.heard = snapshot.(string) }

// A second process may crash in a later round than the first, whichever it is, and
// nobody crashes twice.
func TestCrashesInSeveralRounds(t *testing.T) {
	for _, strategy := range []string{"exhaustive", "learn"} {
		for after, want := range map[string]result.Verdict{"a": result.Violated, "b": result.Violated, "c": result.Holds} {
			a, err := find(t.Context(), strategy, target{
				System: &system.System{
					Name: "listener", Processes: []string{"a", "b", "c"}, Rounds: 3, Fixed: true,
					New: func(name string, _ *rand.Rand) system.Process { return &listener{toy{name: name}, "both"} },
				},
				Properties: []property.Property{rules.New("not left", `violation(P) :- left(P, "nobody, after `+after+`", _).`)},
				Bounds:     rounds.Bounds{Crashes: 2},
			}, search.Options{})
			require.NoError(t, err)
			require.Equal(t, want, a.Verdict, "%s, after %s", strategy, after)
			if want == result.Violated {
				require.Equal(t, 2, a.First().Size)
			}
		}
	}
}
