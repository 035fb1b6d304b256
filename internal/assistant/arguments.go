package assistant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Arguments are the values that a call gives, as texts, by the names of parameters; those
// of a [Group] among the others. Only what was given is there.
type Arguments map[string][]string

// Text returns the value of a parameter, "" if it was not given.
func (a Arguments) Text(name string) string { return strings.Join(a[name], "") }

// mostGiven is how many bytes of arguments are read.
const mostGiven = 1 << 20

// arguments reads the arguments of a call.
func (t *Tool) arguments(raw json.RawMessage) (Arguments, error) {
	if len(raw) > mostGiven {
		return nil, fmt.Errorf("the arguments have %d bytes, and at most %d are read", len(raw), mostGiven)
	}
	given := Arguments{}
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	return given, given.read(t.Parameters, raw)
}

// read adds the values of an object.
func (a Arguments) read(parameters []Parameter, raw json.RawMessage) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return fmt.Errorf("expected an object with arguments, found %s", kindOf(raw))
	}
	var names []string
	var all []error
	for _, p := range parameters {
		names = append(names, p.Name)
		value := bytes.TrimSpace(values[p.Name])
		missing := len(value) == 0 || bytes.Equal(value, []byte("null"))
		if missing && p.Required {
			all = append(all, fmt.Errorf("%s is needed: %s", p.Name, p.Description))
		}
		if !missing {
			all = append(all, a.add(&p, value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			all = append(all, fmt.Errorf("there is no argument %s%s; there are %s", syntax.Shorten(strconv.Quote(name)), text.DidYouMean(name, names), strings.Join(names, ", ")))
		}
	}
	return errors.Join(all...)
}

// add adds the value of a parameter.
func (a Arguments) add(p *Parameter, raw json.RawMessage) error {
	switch p.Kind {
	case Group:
		if err := a.read(p.Members, raw); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		return nil
	case Texts:
		var texts []*string
		if json.Unmarshal(raw, &texts) != nil || slices.Contains(texts, nil) {
			return fmt.Errorf("%s: expected a list of texts, found %s", p.Name, kindOf(raw))
		}
		for _, text := range texts {
			a[p.Name] = append(a[p.Name], *text)
		}
		return nil
	}
	text, ok := single(p.Kind, raw)
	if !ok {
		return fmt.Errorf("%s: expected %s, found %s", p.Name, p.Kind, kindOf(raw))
	}
	a[p.Name] = []string{text}
	return nil
}

// single returns a single value of a kind as text.
func single(kind Kind, raw json.RawMessage) (text string, ok bool) {
	if kind == Text || kind == Either {
		if json.Unmarshal(raw, &text) == nil {
			return text, true
		}
	}
	if kind == Number || kind == Either {
		n, err := strconv.ParseInt(string(raw), 10, 64)
		return strconv.FormatInt(n, 10), err == nil
	}
	var truth bool
	err := json.Unmarshal(raw, &truth)
	return strconv.FormatBool(truth), kind == Truth && err == nil
}

// kindOf says what a JSON text is.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list " + syntax.Shorten(string(raw))
	case '"':
		return "the text " + syntax.Shorten(string(raw))
	default:
		return syntax.Shorten(string(raw))
	}
}
