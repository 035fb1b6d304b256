package rounds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/specs"
)

// boundsJSON is the JSON form of Bounds.
type boundsJSON struct {
	Processes  []string   `json:"processes"`
	EOT        int        `json:"eot"`
	EFF        int        `json:"eff,omitempty"`
	Crashes    budgetJSON `json:"crashes"`
	Omissions  budgetJSON `json:"omissions"`
	Isolations budgetJSON `json:"isolations"`
	Restarts   budgetJSON `json:"restarts,omitempty"`
	Pauses     budgetJSON `json:"pauses,omitempty"`
	Period     int        `json:"period"`
	Crash      string     `json:"crash"` // "mute" or "stop"
}

// budgetJSON is a budget: a number, or "unlimited".
type budgetJSON int

func (b budgetJSON) MarshalJSON() ([]byte, error) {
	if b == Unlimited {
		return marshal(unlimitedText)
	}
	return marshal(int(b))
}

func (b *budgetJSON) UnmarshalJSON(data []byte) error {
	if string(data) == `"`+unlimitedText+`"` {
		*b = Unlimited
		return nil
	}
	var n int
	if err := json.Unmarshal(data, &n); err != nil || n < 0 {
		return fmt.Errorf("a budget is a whole number, 0 or more, or %q, and not %s", unlimitedText, data)
	}
	*b = budgetJSON(n)
	return nil
}

// MarshalJSON writes the bounds in normal form, with the names of the settings.
func (b Bounds) MarshalJSON() ([]byte, error) {
	b = b.Normal()
	crash := "mute"
	if b.CrashStop {
		crash = "stop"
	}
	processes := b.Processes
	if processes == nil {
		processes = []string{}
	}
	return marshal(boundsJSON{
		Processes: processes, EOT: b.EOT, EFF: b.EFF,
		Crashes: budgetJSON(b.Crashes), Omissions: budgetJSON(b.Omissions), Isolations: budgetJSON(b.Isolations),
		Restarts: budgetJSON(b.Restarts), Pauses: budgetJSON(b.Pauses), Period: b.Period, Crash: crash,
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var in boundsJSON
	if err := unmarshal(data, &in); err != nil {
		return fmt.Errorf("bounds: %w", err)
	}
	if in.Crash != "mute" && in.Crash != "stop" && in.Crash != "" {
		return fmt.Errorf("bounds: crash is mute or stop, and not %q", in.Crash)
	}
	*b = Bounds{
		Processes: in.Processes, EOT: in.EOT, EFF: in.EFF,
		Crashes: int(in.Crashes), Omissions: int(in.Omissions), Isolations: int(in.Isolations),
		Restarts: int(in.Restarts), Pauses: int(in.Pauses), Period: in.Period, CrashStop: in.Crash == "stop",
	}
	return nil
}

// MarshalText writes the text form.
func (s Schedule) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text form.
func (s *Schedule) UnmarshalText(text []byte) error {
	parsed, err := ParseSchedule(string(text))
	*s = parsed
	return err
}

// factJSON is the JSON form of Fact.
type factJSON struct {
	Relation string      `json:"relation"`
	Args     []valueJSON `json:"args"`
	Round    int         `json:"round"`
}

// MarshalJSON writes the fact; integers are numbers and strings are strings.
func (f Fact) MarshalJSON() ([]byte, error) {
	return marshal(factJSON{f.Relation, valuesOut(f.Args), f.Round})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Fact) UnmarshalJSON(data []byte) error {
	var in factJSON
	if err := unmarshal(data, &in); err != nil {
		return fmt.Errorf("fact: %w", err)
	}
	*f = Fact{in.Relation, valuesIn(in.Args), in.Round}
	return nil
}

// messageJSON is the JSON form of Message. A message that is lost has a cause.
type messageJSON struct {
	From     string      `json:"from,omitempty"`
	To       string      `json:"to"`
	Round    int         `json:"round"`
	Arrival  int         `json:"arrival,omitempty"`
	Relation string      `json:"relation"`
	Args     []valueJSON `json:"args"`
	Lost     Schedule    `json:"lost,omitempty"`
}

// MarshalJSON writes the message; the fault that loses it stands under "lost".
func (m Message) MarshalJSON() ([]byte, error) {
	out := messageJSON{From: m.From, To: m.To, Round: m.Round, Arrival: m.Arrival, Relation: m.Relation, Args: valuesOut(m.Args)}
	if m.Lost {
		out.Lost = Schedule{m.Cause}
	}
	return marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Message) UnmarshalJSON(data []byte) error {
	var in messageJSON
	if err := unmarshal(data, &in); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	*m = Message{From: in.From, To: in.To, Round: in.Round, Arrival: in.Arrival, Relation: in.Relation, Args: valuesIn(in.Args)}
	switch len(in.Lost) {
	case 0:
	case 1:
		m.Lost, m.Cause = true, in.Lost[0]
	default:
		return fmt.Errorf("message: one fault loses it, and not %d: %s", len(in.Lost), in.Lost)
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
		return marshal(v.Int())
	case utf8.ValidString(text):
		return marshal(text)
	default:
		return marshal(bytesJSON{[]byte(text)})
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
		if err := unmarshal(data, &in); err != nil {
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

// marshal writes JSON on one line, and ">" as it is.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// unmarshal reads JSON and refuses fields that nothing reads.
func unmarshal(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
