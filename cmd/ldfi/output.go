package main

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/spf13/pflag"
)

// output is the --output flag.
type output string

// add adds the flag with these forms, the first of which is used without it.
func (o *output) add(flags *pflag.FlagSet, forms ...string) {
	*o = output(forms[0])
	flags.Var(outputValue{o, forms}, "output", "how to write the result: "+plural.List(forms, "or"))
}

// outputValue is the flag as it is read.
type outputValue struct {
	*output
	forms []string
}

func (v outputValue) String() string { return string(*v.output) }
func (v outputValue) Type() string   { return "string" }

func (v outputValue) Set(form string) error {
	if !slices.Contains(v.forms, form) {
		return fmt.Errorf("there is %s", plural.List(v.forms, "or"))
	}
	*v.output = output(form)
	return nil
}
