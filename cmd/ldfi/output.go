package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/pflag"
)

// output is the --output flag.
type output string

// add adds the flag with some forms, the first of which is the default.
func (o *output) add(flags *pflag.FlagSet, forms ...string) {
	*o = output(forms[0])
	flags.Var(outputValue{o, forms}, "output", "the `form` in which the result is written: "+text.List(forms, "or"))
}

// outputValue is the flag as it is read.
type outputValue struct {
	*output
	forms []string
}

// writeResult writes a result as JSON, if that is the output, else as text. If both are
// wanted, the text is kept beside the JSON.
func (s *session) writeResult(o output, result any, text func(io.Writer) error) error {
	if o != "json" {
		return text(s.out)
	}
	if err := writeJSON(s.out, result); err != nil || s.text == nil {
		return err
	}
	return text(s.text)
}

// writeJSON writes a result in its own way, or as package text does.
func writeJSON(w io.Writer, result any) error {
	if own, ok := result.(interface{ WriteJSON(io.Writer) error }); ok {
		return own.WriteJSON(w)
	}
	return text.WriteJSON(w, result)
}

func (v outputValue) String() string { return string(*v.output) }
func (v outputValue) Type() string   { return "string" }

func (v outputValue) Set(form string) error {
	if !slices.Contains(v.forms, form) {
		return fmt.Errorf("there is %s", text.List(v.forms, "or"))
	}
	*v.output = output(form)
	return nil
}
