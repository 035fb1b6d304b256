package remote

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// chatter sends some messages of two kinds to everybody.
type chatter struct{ talker }

type ping int
type pong int

func (p *chatter) Send(s *system.Step) {
	for _, to := range s.Processes() {
		for i := range s.Rand().IntN(4) {
			if s.Rand().IntN(2) == 0 {
				s.Send(to, ping(i))
			} else {
				s.Send(to, pong(i))
			}
		}
	}
}

func chatters() *system.System {
	s := talkers()
	s.New = func(string, *rand.Rand) system.Process { return &chatter{} }
	return s
}

// ofKinds makes some faults of links those of a kind, or of one message of a kind.
func ofKinds(s rounds.Schedule, b rounds.Bounds, r *rand.Rand) rounds.Schedule {
	for i := range s.Faults {
		if f := &s.Faults[i]; f.To != "" && r.IntN(4) > 0 {
			f.Of, f.Nth = []string{"ping", "pong", "ring"}[r.IntN(3)], max(0, r.IntN(4)-1)
			other := *f
			other.Of, other.Nth = []string{"ping", "pong"}[r.IntN(2)], r.IntN(3)
			more := rounds.Schedule{Settings: s.Settings, Faults: append(slices.Clone(s.Faults), other)}
			if more.Check(b) == nil {
				s = more
			}
		}
	}
	return s.Normal()
}

// Of faults of one kind of message, or of one message of a kind, whatever really happens is
// believed, and hardly anything else.
func TestFaultsOfKindsAreBelieved(t *testing.T) {
	s := chatters()
	target := &System{Target: search.Target{Description: search.Describe(s)}}
	runner := s.NewRunner()
	runner.Options.Record = true
	random := rand.New(rand.NewPCG(1, 2))
	lost, late, again, refused := 0, 0, 0, 0
	for i := range 1000 {
		b := s.Bounds(0)
		b.Isolations, b.Omissions, b.Cuts, b.Pauses, b.Crashes, b.Restarts, b.Period = random.IntN(2), random.IntN(5), random.IntN(4), random.IntN(2), random.IntN(3), random.IntN(3), 1+random.IntN(5)
		b.Delays, b.Duplicates, b.MaxDelay = random.IntN(4), random.IntN(4), 1+random.IntN(4)
		schedule := ofKinds(schedules.New(b).Random(random), b, random).With(rounds.Settings{Seed: rounds.Set(uint64(i))})
		if i%3 == 0 {
			schedule.Settings.SetLatency("a", "b", 1+random.IntN(2))
		}
		require.NoError(t, runner.Run(t.Context(), schedule))
		e := runner.Execution()
		require.NoError(t, target.believe(e, schedule, 9, nil), "%s", schedule)
		for j := range e.Messages {
			m := e.Messages[j]
			hit := m.Lost && m.Cause.Of != ""
			if hit {
				lost++
			}
			if m.Arrival > 0 && !m.Again {
				late++
			}
			if m.Again {
				again++
			}
			if !hit || m.Cause.Nth > 0 {
				continue
			}
			// Had it arrived, or been of another kind, this would not be so.
			for _, change := range []func(){
				func() { e.Messages[j].Lost, e.Messages[j].Cause = false, rounds.Fault{} },
				func() { e.Messages[j].Relation = "ring" },
				func() { e.Messages[j].Cause.Round++ },
			} {
				change()
				require.Error(t, target.believe(e, schedule, 9, nil), "%s: %s", schedule, fmt.Sprint(e.Messages[j]))
				refused++
				e.Messages[j] = m
			}
		}
	}
	require.Greater(t, lost, 500)
	require.Greater(t, late, 500)
	require.Greater(t, again, 100)
	require.Greater(t, refused, lost)
}

// A host that was built before there were such faults gets none of them.
func TestAnOlderHostIsNotAskedForFaultsOfKinds(t *testing.T) {
	old := liar(t, chatters(), Options{}, to(messages.DoHello, func(_, a object) { delete(a, "knows") }))
	require.NoError(t, old.greet(t.Context()))
	for text, wrong := range map[string]string{
		"omit a>b@3":                      "",
		"crash c@2; delay a>b@3/ping#2+1": `the execution under "crash c@2; delay a>b@3/ping#2+1": delay a>b@3/ping#2+1: the host does not know faults of one kind of message: it says so by "knows":["kinds"]`,
	} {
		_, _, err := old.Systems()[0].Execute(t.Context(), parse(t, text), 0, messages.Always)
		if wrong == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, wrong)
		}
	}
}
