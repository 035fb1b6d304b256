package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// kindFlags are the flags that mean something for one kind of subject only: for
// systems, or for programs.
var kindFlags = []struct {
	name    string
	system  bool
	instead string // what to do about the other kind
}{
	{"name", true, "a program is named by its files"},
	{"property", true, "a program says itself what it promises"},
	{"strategy", true, "a program needs none: all its schedules are decided at once"},
	{"executions", true, "a program is not searched by executions: --timeout, --max-facts and --max-gates limit it"},
	{"seed", true, "nothing about a program is drawn at random"},
	{"restarts", true, "use --crashes with a program"},
	{"pauses", true, "use --isolations or --omissions with a program"},
	{"max", false, "the search of a system ends with the first counterexample"},
	{"max-facts", false, "use --executions or --timeout with a system"},
	{"max-gates", false, "use --executions or --timeout with a system"},
	{"goals", false, "the properties of a system say what they are judged on: use --property"},
	{"strict", false, "a system is always tested in full: --executions says how often"},
}

// checkKind refuses flags that mean nothing for a system, or for a program.
func checkKind(cmd *cobra.Command, system bool) error {
	for _, f := range kindFlags {
		if f.system == system || !cmd.Flags().Changed(f.name) {
			continue
		}
		if f.system {
			return errUsage(cmd, fmt.Sprintf("--%s goes with --system; %s", f.name, f.instead))
		}
		return errUsage(cmd, fmt.Sprintf("--%s does not go with --system; %s", f.name, f.instead))
	}
	return nil
}

// checkNumbers refuses numbers that mean nothing. It is true of all commands that
// they count from 1, and that no time is below 0.
func checkNumbers(cmd *cobra.Command, _ []string) error {
	var all []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int":
			if n, _ := cmd.Flags().GetInt(f.Name); n < 1 {
				all = append(all, fmt.Errorf("--%s %d: a number above 0 is needed", f.Name, n))
			}
		case "duration":
			if d, _ := cmd.Flags().GetDuration(f.Name); d < 0 {
				all = append(all, fmt.Errorf("--%s %v: a time above 0 is needed", f.Name, d))
			}
		}
	})
	return errors.Join(all...)
}

// flagError says which flag is wrong, and where there is more about it.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		err = fmt.Errorf("--%s %s: %w", value.GetFlag().Name, value.GetValue(), value.Unwrap())
	}
	return fmt.Errorf("%w\nsee %s --help", err, cmd.CommandPath())
}
