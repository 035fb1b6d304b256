package strategies_test

import (
	"context"
	"fmt"
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

// deaf is a process b that hears nothing in the first round, and in the second is
// heard without hearing anything.
type deaf struct {
	toy
	before, now bool
}

func (p *deaf) Send(s *system.Step) { s.Broadcast(p.before) }

func (p *deaf) Receive(s *system.Step, inbox []system.Message) {
	if p.now = len(inbox) == 0; s.Round() == 1 && p.name == "b" {
		p.before = p.now
	}
	if s.Round() == 2 && p.name == "b" && p.before && p.now {
		s.Fact("deaf")
	}
	if s.Round() == 2 && p.name == "a" && !p.now {
		s.Fact("hears")
	}
}

func (p *deaf) Fingerprint() string  { return fmt.Sprint(p.before) }
func (p *deaf) Snapshot() any        { return p.before }
func (p *deaf) Restore(snapshot any) { p.before = snapshot.(bool) }

// A global state that one omission leads to and one isolation as well is gone on
// from with both: here the omission has to be left for the second round.
func TestTheSameStateByDifferentFaults(t *testing.T) {
	for _, strategy := range []string{"exhaustive", "learn"} {
		a, err := find(t.Context(), strategy, target{
			System: &system.System{
				Name: "deaf", Processes: []string{"a", "b"}, Rounds: 2, Fixed: true,
				New: func(name string, _ *rand.Rand) system.Process { return &deaf{toy: toy{name: name}} },
			},
			Properties: []property.Property{rules.New("hears", `violation(P) :- deaf(P, _), hears(_, _).`)},
			Bounds:     rounds.Bounds{Isolations: 1, Omissions: 1},
		}, search.Options{})
		require.NoError(t, err)
		require.Equal(t, result.Violated, a.Verdict, strategy)
		require.Equal(t, "isolate a@1; omit a>b@2", a.Search.Found.Normal().String(), strategy)
	}
}

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
