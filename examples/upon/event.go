package upon

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// Event is what a rule is about: a process that does something. It is valid while
// the rule is carried out.
type Event[State any] struct {
	State *State // of the process, which the rule changes
	Round int    // of the protocol: that of the messages; 1 in Start

	process *process[State]
	step    *system.Step
	rule    *Rule[State]
}

// Process returns the name of the process, and Processes those of all, itself
// included; the caller must not change them.
func (e *Event[State]) Process() string     { return e.step.Process() }
func (e *Event[State]) Processes() []string { return e.step.Processes() }

// Rand returns the random numbers of the process, which follow from the schedule.
func (e *Event[State]) Rand() *rand.Rand { return e.step.Rand() }

// Fact reports what is true of the process, for properties to judge.
func (e *Event[State]) Fact(relation string, args ...any) { e.step.Fact(relation, args...) }

// Send sends a process a message of a kind, which the rule has among its Sends. Later
// is how many rounds of the protocol its tag is behind that of the event.
func (e *Event[State]) Send(to, kind string, later int, value any) {
	if !slices.Contains(e.rule.Sends, Tag{kind, later}) {
		panic(fmt.Sprintf("the rule %q sends %s of round %+d, which is not among its Sends", e.rule.Name, kind, later))
	}
	e.process.open = append(e.process.open, letter{to, e.process.rounds.roundOf(e.Round+later, kind), payload{kind, e.Round + later, value}})
}

// Broadcast sends a message to all processes, itself included.
func (e *Event[State]) Broadcast(kind string, later int, value any) {
	for _, to := range e.Processes() {
		e.Send(to, kind, later, value)
	}
}
