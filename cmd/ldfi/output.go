package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"
)

// output is the --output flag.
type output string

func (o *output) add(flags *pflag.FlagSet, forms string) {
	flags.StringVar((*string)(o), "output", "text", "how to write the result: "+forms)
}

func (o output) check(forms ...string) error {
	if slices.Contains(forms, string(o)) {
		return nil
	}
	return fmt.Errorf("--output %s: there is %s", o, orList(forms))
}

func orList(words []string) string {
	text := words[0]
	for i, word := range words[1:] {
		if i == len(words)-2 {
			text += " or " + word
		} else {
			text += ", " + word
		}
	}
	return text
}
