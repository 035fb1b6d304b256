package recording

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// plainFact and plainMessage have the fields and no methods.
type (
	plainFact    Fact
	plainMessage Message
)

// arguments returns arguments that are [] in JSON where there are none.
func arguments(args []specs.Value) []specs.Value {
	if args == nil {
		return []specs.Value{}
	}
	return args
}

// MarshalJSON writes the fact with integers as numbers and strings as strings.
func (f Fact) MarshalJSON() ([]byte, error) {
	f.Args = arguments(f.Args)
	return text.MarshalJSON(plainFact(f))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Fact) UnmarshalJSON(data []byte) error {
	*f = Fact{}
	if err := text.UnmarshalJSON(data, (*plainFact)(f)); err != nil {
		return fmt.Errorf("fact: %w", err)
	}
	return nil
}

// messageJSON is the JSON form of Message. A message that is lost has a cause.
type messageJSON struct {
	plainMessage
	Lost rounds.Schedule `json:"lost,omitzero"` // the fault that loses it; none if it arrives
}

// MarshalJSON writes the message, with the fault that lost it under "lost".
func (m Message) MarshalJSON() ([]byte, error) {
	m.Args = arguments(m.Args)
	out := messageJSON{plainMessage: plainMessage(m)}
	if m.Lost {
		out.Lost.Faults = []rounds.Fault{m.Cause}
	}
	return text.MarshalJSON(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in messageJSON
	if err := text.UnmarshalJSON(data, &in); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	*m = Message(in.plainMessage)
	switch in.Lost.Size() {
	case 0:
	case 1:
		m.Lost, m.Cause = true, in.Lost.Faults[0]
	default:
		return fmt.Errorf("message: one fault loses it, and not %d: %s", in.Lost.Size(), in.Lost)
	}
	return nil
}
