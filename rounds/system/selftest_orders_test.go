package system_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// taker takes what arrives: what of it, take says. A namedTaker has a fingerprint.
type taker struct {
	state string
	take  func(state string, inbox []system.Message) string
}

func (p *taker) Send(s *system.Step) {
	if s.Round() == 1 {
		s.Broadcast(s.Process())
	} else if s.Process() == "c" && p.state != "" {
		s.Send("a", p.state)
	}
}

func (p *taker) Receive(_ *system.Step, inbox []system.Message) { p.state = p.take(p.state, inbox) }

type namedTaker struct{ taker }

func (p *namedTaker) Fingerprint() string { return "took=" + p.state }

func takers(named bool, take func(string, []system.Message) string) *system.System {
	return &system.System{Name: "takers", Processes: []string{"a", "b", "c"}, Rounds: 4, New: func(string, *rand.Rand) system.Process {
		if named {
			return &namedTaker{taker{take: take}}
		}
		return &taker{take: take}
	}}
}

func ordersOf(t *testing.T, s *system.System) execution.Test {
	tests, err := s.SelfTests(t.Context(), 30, 1)
	require.NoError(t, err)
	require.Len(t, tests, 4)
	require.Equal(t, execution.Orders, tests[3].Name)
	return tests[3]
}

// latest keeps what arrives last.
func latest(state string, inbox []system.Message) string {
	for _, m := range inbox {
		state = m.Payload.(string)
	}
	return state
}

// Where order matters it is said with the order, once for each process and what it gets.
func TestOrdersMatter(t *testing.T) {
	test := ordersOf(t, takers(true, latest))
	require.Len(t, test.Matters, 3)
	require.Contains(t, test.Matters, "c gets message of a and b: its state is then took=a, and not took=b (order c@1 b,a)")
	require.GreaterOrEqual(t, test.Orders, 3)
	require.Empty(t, test.Found)
}

// Of a process without a fingerprint what is done later shows it.
func TestOrdersMatterLater(t *testing.T) {
	test := ordersOf(t, takers(false, latest))
	require.Equal(t, []string{"c gets message of a and b: in round 2 c sends message to a: a, and not message to a: b (order c@1 b,a)"}, []string(test.Matters))
}

// What comes to the same in every order is not told.
func TestOrdersThatDoNotMatter(t *testing.T) {
	count := func(state string, inbox []system.Message) string { return state + strings.Repeat("x", len(inbox)) }
	for _, named := range []bool{true, false} {
		test := ordersOf(t, takers(named, count))
		require.Empty(t, test.Matters)
		require.Greater(t, test.Orders, 10)
	}
	two := takers(true, latest)
	two.Processes = two.Processes[:2]
	require.Zero(t, ordersOf(t, two).Orders)
}

// A process that fails in another order is told as well.
func TestOrdersThatBreak(t *testing.T) {
	test := ordersOf(t, takers(true, func(state string, inbox []system.Message) string {
		if len(inbox) == 2 && inbox[0].From > inbox[1].From {
			panic("not in this order")
		}
		return state
	}))
	require.Len(t, test.Matters, 3)
	require.Equal(t, "a gets message of b and c: the execution fails (order a@1 c,b)", test.Matters[0])
}
