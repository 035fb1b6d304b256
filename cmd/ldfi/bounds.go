package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// boundsText is the flag --bounds: bounds as they stand in programs. Each sets the flag of its
// name.
type boundsText struct {
	flags *pflag.FlagSet
	words []string
	given map[string]string
}

// addBoundsText adds the flag --bounds.
func addBoundsText(flags *pflag.FlagSet) {
	flags.Var(&boundsText{flags: flags, given: map[string]string{}}, "bounds", "bounds, as `settings` in a program: 'crashes=1 isolations=2 period=20'")
}

// allBounds are the names of the flags of bounds, of programs and of systems.
func allBounds() []string {
	names := append(boundsKeys(), "max-jump")
	for _, f := range faultFlags(func(k rounds.Kind) bool { return !k.OfPrograms() }) {
		names = append(names, f.key)
	}
	return names
}

// keys are the bounds of the command.
func (b *boundsText) keys() []string {
	return slices.DeleteFunc(allBounds(), func(name string) bool { return b.flags.Lookup(name) == nil })
}

func (b *boundsText) String() string { return strings.Join(b.words, " ") }

func (b *boundsText) Type() string { return "string" }

// Set takes settings, and sets the flags of their names.
func (b *boundsText) Set(settings string) error {
	for _, word := range text.SettingWords(settings) {
		key, value, _ := strings.Cut(word, "=")
		if key == "" || value == "" {
			return fmt.Errorf("%s is no key=value, as in 'eot=6 crashes=1'", word)
		}
		if all := b.keys(); !slices.Contains(all, key) {
			return fmt.Errorf("there is no bound %q%s, see ldfi help bounds", key, text.DidYouMean(key, all))
		}
		flag := b.flags.Lookup(key)
		if before := b.given[key]; before != "" && before != value {
			return fmt.Errorf("%s stands twice, as %s and as %s: give one of them", key, before, value)
		}
		if flag.Changed && flag.Value.String() != value {
			return twice(flag, value)
		}
		if err := b.flags.Set(key, value); err != nil {
			return err
		}
		b.words, b.given[key] = append(b.words, word), value
	}
	return nil
}

// twice says that a flag and --bounds differ.
func twice(flag *pflag.Flag, value string) error {
	return fmt.Errorf("--bounds '%s=%s' and --%s %s differ: give one of them", flag.Name, value, flag.Name, flag.Value)
}

// boundsOf returns the flag --bounds of a command; nil if it has none.
func boundsOf(cmd *cobra.Command) *boundsText {
	if f := cmd.Flags().Lookup("bounds"); f != nil {
		if b, is := f.Value.(*boundsText); is {
			return b
		}
	}
	return nil
}

// checkBounds reports bounds that a later flag gives another value.
func checkBounds(cmd *cobra.Command) error {
	b := boundsOf(cmd)
	if b == nil {
		return nil
	}
	all := []error{onlyVerdicts(cmd)}
	for _, word := range b.words {
		key, value, _ := strings.Cut(word, "=")
		if flag := b.flags.Lookup(key); flag.Value.String() != value {
			all = append(all, twice(flag, value))
		}
	}
	return errors.Join(all...)
}

// onlyVerdicts refuses within where no verdict is asked for.
func onlyVerdicts(cmd *cobra.Command) error {
	f := cmd.Flags().Lookup("within")
	verdicts := []string{"run", "inject", "bisect", "weakest", "vet"}
	if f == nil || !f.Changed || f.Value.String() == "none" || slices.Contains(verdicts, cmd.Name()) || cmd.Flags().Changed("system") {
		return nil
	}
	return errors.New(spelled(cmd, "within") + " asks about any number of rounds, which " + cmd.Name() + " does not: give --within none, or ask ldfi run")
}

// spelled is a flag as it was given: perhaps in --bounds.
func spelled(cmd *cobra.Command, name string) string {
	if b := boundsOf(cmd); b != nil && b.given[name] != "" {
		return "--" + name + " (in --bounds)"
	}
	return "--" + name
}
