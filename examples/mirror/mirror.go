// Package mirror is a register with a mirror, of which clients may ask anything: the
// requests are not written down, but chosen together with the faults. Hasty has a
// bug that takes two requests and a fault to show.
package mirror

import (
	"fmt"
	"math/rand/v2"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/linear"
)

// Hasty acknowledges a write when it has sent it to the mirror, and Patient when the
// mirror has it.
func Hasty() *system.System   { return mirrored("mirror-hasty", true) }
func Patient() *system.System { return mirrored("mirror", false) }

// mirrored is a process a that takes writes, and a process m that takes reads.
func mirrored(name string, hasty bool) *system.System {
	return &system.System{
		Name: name, Processes: []string{"a", "m"}, Rounds: 5,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == "m" {
				return &mirror{last: update{Value: "none"}}
			}
			return &writer{hasty: hasty}
		},
		Choices: []system.Choice{
			{Kind: "write", Processes: []string{"a"}, Values: [][]any{{"x", "y"}}, Payload: func(values []any) any { return values[0] }},
			{Kind: "read", Processes: []string{"m"}},
		},
		Faults:     rounds.Bounds{Omissions: 2, Choices: 3},
		Properties: []property.Property{linear.Property(register())},
	}
}

// update is a write with its number.
type update struct {
	Number int
	Value  string
}

// writer sends each write again until the mirror says that it has it.
type writer struct {
	hasty   bool
	written int      // how many writes there were
	missing []update // that the mirror does not have yet, as far as is known
	open    []system.Request
}

func (w *writer) Send(s *system.Step) {
	for _, q := range s.Requests() {
		w.written++
		w.missing = append(w.missing, update{w.written, q.Payload.(string)})
		if w.open = append(w.open, q); w.hasty {
			s.Reply(q, "ok")
		}
	}
	for _, u := range w.missing {
		s.Send("m", u)
	}
}

func (w *writer) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		for has := m.Payload.(int); len(w.missing) > 0 && w.missing[0].Number <= has; w.missing, w.open = w.missing[1:], w.open[1:] {
			if !w.hasty {
				s.Reply(w.open[0], "ok")
			}
		}
	}
}

func (w *writer) Fingerprint() string { return fmt.Sprint(w.written, w.missing, w.open) }
func (w *writer) Snapshot() any       { return *w }
func (w *writer) Restore(kept any)    { *w = kept.(writer) }

// mirror has the writes up to a number, and answers reads.
type mirror struct{ last update }

func (m *mirror) Send(s *system.Step) {
	for _, q := range s.Requests() {
		s.Reply(q, m.last.Value)
	}
	s.Send("a", m.last.Number)
}

func (m *mirror) Receive(s *system.Step, inbox []system.Message) {
	for _, i := range inbox {
		if u := i.Payload.(update); u.Number == m.last.Number+1 {
			m.last = u
		}
	}
}

func (m *mirror) Fingerprint() string { return fmt.Sprint(m.last) }
func (m *mirror) Snapshot() any       { return *m }
func (m *mirror) Restore(kept any)    { *m = kept.(mirror) }

// register is what clients expect: a read gives what was written last.
func register() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "none" },
		Step: func(state, input, output any) (bool, any) {
			if input == "read" {
				return output == nil || output == state, state
			}
			return true, input
		},
	}
}
