package specs

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/text"
)

// bytesJSON is a string that is not valid UTF-8.
type bytesJSON struct {
	Bytes []byte `json:"bytes"`
}

// MarshalJSON writes an integer as a number and a string as a string, or as
// {"bytes": base64} if it is not valid UTF-8.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case v.isInt:
		return json.Marshal(v.number)
	case utf8.ValidString(v.text):
		return text.MarshalJSON(v.text)
	default:
		return json.Marshal(bytesJSON{[]byte(v.text)})
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(data []byte) error {
	*v = Value{}
	switch data[0] {
	case '"':
		return json.Unmarshal(data, &v.text)
	case '{':
		var in bytesJSON
		err := text.UnmarshalJSON(data, &in)
		v.text = string(in.Bytes)
		return err
	}
	v.isInt = true
	if json.Unmarshal(data, &v.number) != nil || data[0] == 'n' {
		return fmt.Errorf("a value is an integer or a string, and not %s", data)
	}
	return nil
}
