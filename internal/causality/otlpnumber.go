package causality

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// nanoseconds is a time since 1970, a string in JSON.
type nanoseconds uint64

func (n nanoseconds) MarshalText() ([]byte, error) {
	return strconv.AppendUint(nil, uint64(n), 10), nil
}

// UnmarshalJSON reads a string, or a number.
func (n *nanoseconds) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "" || text == "null" {
		return nil
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("a time of %s: it has to be a number of nanoseconds since 1970", data)
	}
	*n = nanoseconds(v)
	return nil
}

// otlpNumber is an integer, a string in JSON.
type otlpNumber int64

func (n otlpNumber) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(n), 10), nil }

// UnmarshalJSON reads a string, or a number.
func (n *otlpNumber) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(data), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("the value %s is no integer", data)
	}
	*n = otlpNumber(v)
	return nil
}

// otlpKind is SpanKind: a number, or by some writers its name.
type otlpKind int

// The kinds of spans, with their numbers in the protocol.
const (
	kindInternal otlpKind = iota + 1
	kindServer
	kindClient
	kindProducer
	kindConsumer
)

var otlpKindNames = []string{"SPAN_KIND_UNSPECIFIED", "SPAN_KIND_INTERNAL", "SPAN_KIND_SERVER", "SPAN_KIND_CLIENT", "SPAN_KIND_PRODUCER", "SPAN_KIND_CONSUMER"}

// UnmarshalJSON reads a number or a name.
func (k *otlpKind) UnmarshalJSON(data []byte) error {
	return otlpEnum(data, otlpKindNames, (*int)(k), "kind of span")
}

// otlpCode is StatusCode: a number, or by some writers its name.
type otlpCode int

// The code of what went wrong.
const codeError otlpCode = 2

var otlpCodeNames = []string{"STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"}

// UnmarshalJSON reads a number or a name.
func (c *otlpCode) UnmarshalJSON(data []byte) error {
	return otlpEnum(data, otlpCodeNames, (*int)(c), "status code")
}

func otlpEnum(data []byte, names []string, into *int, what string) error {
	var name string
	if json.Unmarshal(data, &name) == nil {
		for i, n := range names {
			if n == name {
				*into = i
				return nil
			}
		}
		return fmt.Errorf("there is no %s %q", what, name)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("the %s %s is neither a number nor a name", what, data)
	}
	return nil
}
