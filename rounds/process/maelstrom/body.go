package maelstrom

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
)

// Body is the body of a message, such as {"type": "broadcast", "message": 7}. As
// the payload of a request it is what a client sends a node; the msg_id is added.
type Body map[string]any

// Type returns what the body says that it is.
func (b Body) Type() string {
	t, _ := b["type"].(string)
	return t
}

// String returns the body as recordings of requests and replies have it: its type,
// and everything that is not reserved for the protocol, as JSON.
func (b Body) String() string {
	rest := maps.Clone(b)
	for _, reserved := range []string{"type", "msg_id", "in_reply_to"} {
		delete(rest, reserved)
	}
	if len(rest) == 0 {
		return b.Type()
	}
	return b.Type() + " " + compact(rest)
}

// parseBody reads what String writes.
func parseBody(text string) (Body, bool) {
	kind, rest, more := strings.Cut(text, " ")
	b := Body{}
	if more {
		if decode([]byte(rest), &b) != nil {
			return nil, false
		}
	}
	b["type"] = kind
	return b, true
}

// integer returns a number of the body, 0 if there is none.
func (b Body) integer(key string) int {
	n, _ := b[key].(json.Number)
	i, _ := n.Int64()
	return int(i)
}

// list returns an array of the body, each element as JSON.
func (b Body) list(key string) (elements []string, ok bool) {
	all, ok := b[key].([]any)
	for _, element := range all {
		elements = append(elements, compact(element))
	}
	return elements, ok
}

// decode reads JSON, with numbers as they are written.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(into)
}

// compact returns a value as JSON, equal for equal values: keys are sorted.
func compact(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "null" // of values that came from JSON there is none
	}
	return strings.TrimSuffix(b.String(), "\n")
}
