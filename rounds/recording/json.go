package recording

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/plainjson"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// factJSON is the JSON form of Fact.
type factJSON struct {
	Relation string      `json:"relation"`
	Args     []valueJSON `json:"args"`
	Round    int         `json:"round"`
}

// MarshalJSON writes the fact; integers are numbers and strings are strings.
func (f Fact) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(factJSON{f.Relation, valuesOut(f.Args), f.Round})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Fact) UnmarshalJSON(data []byte) error {
	var in factJSON
	if err := plainjson.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("fact: %w", err)
	}
	*f = Fact{in.Relation, valuesIn(in.Args), in.Round}
	return nil
}

// messageJSON is the JSON form of Message. A message that is lost has a cause.
type messageJSON struct {
	From     string          `json:"from,omitempty"`
	To       string          `json:"to"`
	Round    int             `json:"round"`
	Arrival  int             `json:"arrival,omitempty"`
	Relation string          `json:"relation"`
	Args     []valueJSON     `json:"args"`
	Lost     rounds.Schedule `json:"lost,omitzero"`
}

// MarshalJSON writes the message; the fault that loses it stands under "lost".
func (m Message) MarshalJSON() ([]byte, error) {
	out := messageJSON{From: m.From, To: m.To, Round: m.Round, Arrival: m.Arrival, Relation: m.Relation, Args: valuesOut(m.Args)}
	if m.Lost {
		out.Lost.Faults = []rounds.Fault{m.Cause}
	}
	return plainjson.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in messageJSON
	if err := plainjson.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	*m = Message{From: in.From, To: in.To, Round: in.Round, Arrival: in.Arrival, Relation: in.Relation, Args: valuesIn(in.Args)}
	switch in.Lost.Size() {
	case 0:
	case 1:
		m.Lost, m.Cause = true, in.Lost.Faults[0]
	default:
		return fmt.Errorf("message: one fault loses it, and not %d: %s", in.Lost.Size(), in.Lost)
	}
	return nil
}

// valueJSON is a value: a number, a string, or for a string that is not valid
// UTF-8 an object with its bytes in base 64.
type valueJSON struct{ specs.Value }

type bytesJSON struct {
	Bytes []byte `json:"bytes"`
}

func (v valueJSON) MarshalJSON() ([]byte, error) {
	switch text := v.Text(); {
	case v.IsInt():
		return plainjson.Marshal(v.Int())
	case utf8.ValidString(text):
		return plainjson.Marshal(text)
	default:
		return plainjson.Marshal(bytesJSON{[]byte(text)})
	}
}

func (v *valueJSON) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		v.Value = specs.String(text)
	case '{':
		var in bytesJSON
		if err := plainjson.Unmarshal(data, &in); err != nil {
			return err
		}
		v.Value = specs.String(string(in.Bytes))
	default:
		var n *int64
		if err := json.Unmarshal(data, &n); err != nil || n == nil {
			return fmt.Errorf("a value is an integer or a string, and not %s", data)
		}
		v.Value = specs.Int(*n)
	}
	return nil
}

func valuesOut(values []specs.Value) []valueJSON {
	out := make([]valueJSON, len(values))
	for i, v := range values {
		out[i] = valueJSON{v}
	}
	return out
}

func valuesIn(in []valueJSON) []specs.Value {
	if len(in) == 0 {
		return nil
	}
	values := make([]specs.Value, len(in))
	for i, v := range in {
		values[i] = v.Value
	}
	return values
}
