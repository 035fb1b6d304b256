package strategies_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// register is a process that takes what the writer a sends it for the value of the
// register: whatever comes last, or if it is careful the latest that was written.
type register struct {
	careful bool
	value   int
}

func (p *register) Send(s *system.Step) {
	if s.Process() == "a" {
		s.Broadcast(s.Round())
	}
}

func (p *register) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if written := m.Payload.(int); !p.careful || written > p.value {
			p.value = written
		}
	}
	s.Fact("value", p.value)
}

func (p *register) Fingerprint() string  { return fmt.Sprint(p.value) }
func (p *register) Snapshot() any        { return *p }
func (p *register) Restore(snapshot any) { *p = snapshot.(register) }
func (p *register) Restart(*system.Step) {}

// taker takes what two others propose in the first round: the first of both, or if it is
// careful the least.
type taker struct {
	careful bool
	taken   string
}

func (p *taker) Send(s *system.Step) {
	if s.Round() == 1 && (s.Process() == "a" || s.Process() == "b") {
		s.Broadcast(s.Process())
	}
}

func (p *taker) Receive(s *system.Step, inbox []system.Message) {
	if len(inbox) != 2 {
		return
	}
	p.taken = inbox[0].Payload.(string)
	if p.careful {
		p.taken = min(p.taken, inbox[1].Payload.(string))
	}
	s.Fact("taken", p.taken)
}

func (p *taker) Fingerprint() string  { return p.taken }
func (p *taker) Snapshot() any        { return *p }
func (p *taker) Restore(snapshot any) { *p = snapshot.(taker) }
func (p *taker) Restart(*system.Step) {}

func registers(careful bool) *system.System {
	return &system.System{
		Name: "registers", Processes: []string{"a", "b", "c"}, Rounds: 4, Fixed: true,
		New:        func(string, *rand.Rand) system.Process { return &register{careful: careful} },
		Properties: []property.Property{rules.New("no way back", `violation(P, V, W) :- value(P, V, R), value(P, W, S), R < S, W < V.`)},
	}
}

func pickers(careful bool) *system.System {
	return &system.System{
		Name: "pickers", Processes: []string{"a", "b", "c", "d"}, Rounds: 3, Fixed: true,
		New:        func(string, *rand.Rand) system.Process { return &taker{careful: careful} },
		Properties: []property.Property{rules.New("agreement", `violation(P, Q) :- taken(P, V, _), taken(Q, W, _), V != W.`)},
	}
}

// Two systems that no loss, crash and restart breaks. A message that comes late, or again,
// breaks the register, and another order breaks those who take the first of two. What
// is careful survives.
func TestOnlyLateMessagesBreak(t *testing.T) {
	all := rounds.Bounds{Isolations: 1, Omissions: 1, Crashes: 1, Restarts: 1, Period: 2}
	delays, duplicates, orders := all, all, all
	delays.Delays, delays.MaxDelay, duplicates.Duplicates, duplicates.MaxDelay, orders.Orders = 1, 2, 1, 2, 1
	for _, c := range []struct {
		system func(careful bool) *system.System
		bounds rounds.Bounds
		breaks rounds.Kind // Crash: nothing
	}{
		{registers, all, rounds.Crash}, {registers, orders, rounds.Crash}, {registers, delays, rounds.Delay}, {registers, duplicates, rounds.Duplicate},
		{pickers, all, rounds.Crash}, {pickers, delays, rounds.Crash}, {pickers, orders, rounds.Order},
	} {
		for _, careful := range []bool{false, true} {
			for _, strategy := range []string{"exhaustive", "learn", "spread", "lineage"} {
				r, err := find(t.Context(), strategy, target{System: c.system(careful), Bounds: c.bounds}, search.Options{Executions: 500})
				require.NoError(t, err)
				breaks := c.breaks != rounds.Crash && !careful
				switch {
				case breaks:
					require.Equal(t, result.Violated, r.Verdict, "%s: %s", strategy, c.bounds)
					require.Equal(t, 1, r.First().Schedule.Size(), "%s: %s", strategy, r.First().Schedule)
					require.Equal(t, c.breaks, r.First().Schedule.Faults[0].Kind, strategy)
				case strategy == "exhaustive" || strategy == "learn":
					require.Equal(t, result.Holds, r.Verdict, "%s: %s: %s", strategy, c.bounds, r.Summary())
				default:
					require.NotEqual(t, result.Violated, r.Verdict, "%s: %s", strategy, c.bounds)
				}
			}
		}
	}
}
