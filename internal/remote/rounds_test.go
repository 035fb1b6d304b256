package remote_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// teller says in some rounds a word to some, and reports what it hears. One that is
// careful says the round as well, and asks for it.
type teller struct {
	name          string
	careful, once bool
}

func (p *teller) Send(s *system.Step) {
	switch {
	case p.once && (p.name != "a" || s.Round() > 1):
	case p.careful:
		s.Send("b", fmt.Sprintf("hello %d", s.Round()))
	default:
		s.Send("b", "hello")
	}
}

func (p *teller) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		if !p.careful || m.Payload == fmt.Sprintf("hello %d", s.Round()) {
			s.Fact("heard", m.From)
		}
	}
}

func serveTellers() {
	of := func(name string, careful, once bool) *system.System {
		return &system.System{Name: name, Processes: []string{"a", "b", "c"}, Rounds: 6, New: func(name string, _ *rand.Rand) system.Process {
			return &teller{name, careful, once}
		}}
	}
	_ = wire.Serve(of("careful", true, false), of("careless", false, true), of("repeating", false, false))
}

func observe(t *testing.T, name string) *vet.Observed {
	r, err := start(t, "tellers", remote.Options{})
	require.NoError(t, err)
	s, err := r.System(name)
	require.NoError(t, err)
	seen, err := s.Observe(t.Context(), 30, 1)
	require.NoError(t, err)
	return seen
}

func TestObserve(t *testing.T) {
	careful := observe(t, "careful")
	require.Nil(t, careful.Used)
	require.Nil(t, careful.Repeated)
	require.Nil(t, careful.Several)
	require.Empty(t, careful.Untried)
	require.Greater(t, careful.Late, 10)

	careless := observe(t, "careless")
	require.Nil(t, careless.Repeated)
	require.Contains(t, careless.Used.Message, `"hello"`)
	require.Equal(t, "b", careless.Used.Process)
	require.Greater(t, careless.Used.Round, 1)
	require.Contains(t, careless.Used.Why, "which a sends b in round 1, makes a difference when it comes in round ")

	repeating := observe(t, "repeating")
	require.Contains(t, repeating.Repeated.Message, `"hello"`)
	require.Equal(t, "b", repeating.Repeated.Process)
	require.Equal(t, 2, repeating.Repeated.Round)
}

// What is seen is told with the message, its receiver and the round; what is not seen is
// not known.
func TestConditionsOfSystems(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Omissions: 1, Period: 1}
	conditions := vet.OfSystem(&vet.Observed{Executions: 7}, []string{"serializability"}, b)
	reach := vet.ReachOf(conditions)
	require.False(t, reach.Shown)
	require.Equal(t, result.MetUnknown, reach.Condition.Met)
	require.Contains(t, conditions[2].Why, "in 7 executions")

	used := &vet.Sighting{Message: "m", Process: "b", Round: 3, Why: "m makes a difference"}
	reach = vet.ReachOf(vet.OfSystem(&vet.Observed{Executions: 7, Used: used}, nil, b))
	require.Equal(t, result.MetNo, reach.Condition.Met)
	require.Equal(t, "not shown for asynchronous executions: m makes a difference", reach.Text)
	require.Equal(t, "b", reach.Condition.Process)
	require.Equal(t, 3, reach.Condition.Round)

	reach = vet.ReachOf(vet.OfSystem(&vet.Observed{}, []string{"serializability", "linearizability"}, b))
	require.Contains(t, reach.Text, "linearizability is about who was answered before")
}
