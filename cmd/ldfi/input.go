package main

import (
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// boundsFlags are the flags that override the settings in a program.
var boundsFlags = []struct{ key, short, usage string }{
	{"processes", "N", "the names of the processes, `a,b,c`"},
	{"eot", "t", "end of time: the number of `rounds`"},
	{"eff", "f", "end of finite failures: messages are lost only before this `round`"},
	{"crashes", "c", "at most `n` processes crash"},
	{"omissions", "", "at most `n` messages between two processes in one round are lost, or unlimited"},
	{"isolations", "", "at most `n` isolations"},
	{"period", "", "an isolated process rejoins only after phases of `n` rounds"},
	{"crash", "", "what a crashed process does: `mute` (sends nothing) or stop (also receives nothing)"},
	{"goals", "", "which tuples pre and post are judged on: `every`, or witnessed (only those that post has without faults)"},
}

// limits are the flags that end a search early.
type limits struct {
	timeout  time.Duration
	maxFacts int
	maxGates int
}

func addBoundsFlags(flags *pflag.FlagSet) {
	for _, f := range boundsFlags {
		flags.StringP(f.key, f.short, "", f.usage)
	}
}

func (l *limits) add(flags *pflag.FlagSet) {
	flags.DurationVar(&l.timeout, "timeout", 0, "stop after this `time` (for example 30s); the verdict may then be inconclusive")
	flags.IntVar(&l.maxFacts, "max-facts", ldfi.DefaultMaxFacts, "stop at more than `n` possible facts")
	flags.IntVar(&l.maxGates, "max-gates", ldfi.DefaultMaxGates, "stop at more than `n` gates")
}

func (l *limits) check() error {
	switch {
	case l.timeout < 0:
		return fmt.Errorf("--timeout %v: a time above 0 is needed", l.timeout)
	case l.maxFacts < 1:
		return fmt.Errorf("--max-facts %d: a number above 0 is needed", l.maxFacts)
	case l.maxGates < 1:
		return fmt.Errorf("--max-gates %d: a number above 0 is needed", l.maxGates)
	}
	return nil
}

// input is a program with its bounds.
type input struct {
	program *dedalus.Program
	bounds  rounds.Bounds
	goals   string
}

// read parses the files and joins their settings with the flags.
func read(cmd *cobra.Command, files []string) (*input, error) {
	program, err := dedalus.Parse(files...)
	if err != nil {
		return nil, err
	}
	bounds, goals, err := rounds.BoundsOf(program, overrides(cmd, rounds.SettingKeys()))
	if err != nil {
		return nil, err
	}
	return &input{program: program, bounds: bounds, goals: goals}, nil
}

// overrides returns the values of the flags that were given, of those with
// these names that the command has.
func overrides(cmd *cobra.Command, names []string) map[string]string {
	given := map[string]string{}
	for _, name := range names {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
			given[name] = flag.Value.String()
		}
	}
	return given
}

// faults reads the --faults flag.
func (in *input) faults(text string) (rounds.Schedule, error) {
	schedule, err := rounds.ParseSchedule(text)
	if err != nil {
		return rounds.Schedule{}, fmt.Errorf("--faults: %w", err)
	}
	if err := schedule.Check(in.bounds.Processes, in.bounds.EOT); err != nil {
		return rounds.Schedule{}, fmt.Errorf("--faults: %w", err)
	}
	return schedule, nil
}

// output is the --output flag.
type output string

func (o *output) add(flags *pflag.FlagSet, forms string) {
	flags.StringVar((*string)(o), "output", "text", "how to write the result: "+forms)
}

func (o output) check(forms ...string) error {
	for _, form := range forms {
		if string(o) == form {
			return nil
		}
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
