package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkKind refuses flags that do not apply to a system, or to a program, except those in
// but.
func checkKind(cmd *cobra.Command, system bool, but ...string) error {
	for _, o := range subject.OnlyOther(system) {
		switch {
		case !cmd.Flags().Changed(o.Name), slices.Contains(but, o.Name):
		case o.System:
			return errUsage(cmd, spelled(cmd, o.Name)+" goes with --system; "+o.Instead)
		default:
			return errUsage(cmd, fmt.Sprintf("%s does not go with %s; %s", spelled(cmd, o.Name), hosted(cmd), o.Instead))
		}
	}
	return nil
}

// fitting refuses values that mean nothing.
func fitting(cmd *cobra.Command, _ []string) error {
	if err := cmp.Or(checkValues(cmd), checkBounds(cmd)); err != nil {
		return errUsage(cmd, err.Error())
	}
	return nil
}

// refuse refuses flags that were given where they mean nothing.
func refuse(cmd *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return errUsage(cmd, spelled(cmd, name)+" "+why)
		}
	}
	return nil
}

// exclusive refuses two of some flags.
func exclusive(cmd *cobra.Command, names ...string) error {
	given := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !cmd.Flags().Changed(name) })
	if len(given) < 2 {
		return nil
	}
	return errUsage(cmd, fmt.Sprintf("--%s and --%s: there can be one of these", given[0], given[1]))
}

// checkValues refuses values that mean nothing. It is true of all commands that
// they count from 1, that no time is below 0, and that no text is empty, as where a
// variable of a shell is not set.
func checkValues(cmd *cobra.Command) error {
	var all []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int":
			if n, _ := cmd.Flags().GetInt(f.Name); n < 1 {
				all = append(all, fmt.Errorf("--%s %d: a number above 0 is needed", f.Name, n))
			}
		case "duration":
			switch d, _ := cmd.Flags().GetDuration(f.Name); {
			case f.Name == "call-timeout" && d <= 0:
				all = append(all, fmt.Errorf("--%s %v: a time above 0 is needed", f.Name, d))
			case d < 0:
				all = append(all, fmt.Errorf("--%s %v: a time above 0 is needed, or 0, which sets no limit", f.Name, d))
			}
		case "string":
			if f.Value.String() == "" && f.Name != "faults" { // no faults are a schedule, too
				all = append(all, fmt.Errorf("--%s is empty, which changes nothing: give it a value, or leave it out", f.Name))
			}
		}
	})
	return errors.Join(all...)
}

// meant names the flag that was probably meant, also for a word with only one dash.
func meant(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	word, _, _ := strings.Cut(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), "=")
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	found := text.Suggest(word, names)
	switch {
	case slices.Contains(names, word):
		found = word
	case word == "budget" && slices.Contains(names, "timeout"): // which only suites and tests share
		found = "timeout"
	}
	if found == "" || len(word) < 2 {
		return ""
	}
	return fmt.Sprintf(" (did you mean --%s?)", found)
}

// oneDash reports the name of a flag behind one dash, as Go's own commands take it, where its
// first letter is a flag, too: -crashes would be -c with the value rashes.
func oneDash(root *cobra.Command, args []string) error {
	cmd, words, err := root.Find(args)
	if err != nil || cmd.DisableFlagParsing {
		return nil // the command says so
	}
	value := false // a word that belongs to the flag before it
	for _, word := range words {
		if word == "--" {
			return nil
		}
		name, _, whole := strings.Cut(strings.TrimLeft(word, "-"), "=")
		flag := cmd.Flags().Lookup(name)
		if !value && flag != nil && len(name) > 1 && strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") {
			return errUsage(cmd, fmt.Sprintf("-%s: a flag with a name has two dashes, --%s", name, name))
		}
		value = strings.HasPrefix(word, "-") && !whole && (flag != nil && flag.NoOptDefVal == "" || flag == nil && len(word) == 2)
	}
	return nil
}

// ofSystems tells whether a flag applies to systems alone.
func ofSystems(name string) bool {
	var q question
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	q.addSystem(flags)
	new(servers).add(flags)
	q.addSearch(flags)
	return flags.Lookup(name) != nil
}

// misread says which values a flag takes, in place of the error of Go's library about a
// wrong one.
func misread(f *pflag.Flag, err error) error {
	switch f.Value.Type() {
	case "duration":
		return errors.New("a time with its unit is needed, such as 10s, 5m or 1h30m")
	case "uint64":
		return errors.New("a whole number from 0 to 18446744073709551615 is needed")
	case "int":
		return errors.New("a whole number above 0 is needed")
	case "bool":
		return errors.New("true or false is needed")
	}
	return err
}

// flagError says which flag is wrong, and where there is more about it.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		err = fmt.Errorf("--%s %s: %w", value.GetFlag().Name, value.GetValue(), misread(value.GetFlag(), value.Unwrap()))
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if system := cmd.Flags().Lookup("system"); system != nil && system.Hidden && ofSystems(unknown.GetSpecifiedName()) {
			return errUsage(cmd, fmt.Sprintf("--%s is for a system, and --system %s", unknown.GetSpecifiedName(), noSystem))
		}
		word := "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			word = "-" + short
		}
		hint, near := ofTheServer(cmd, word), meant(cmd, unknown)
		if short, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "="); hint != "" && short != "" && cmd.Flags().Lookup(short) == nil {
			near = "" // one dash: it is the server's
		} else if near != "" {
			hint = "" // a slip, and nothing for the server
		}
		err = fmt.Errorf("%w%s%s", err, near, hint)
	}
	return fmt.Errorf("%w\nsee %s --help", err, cmd.CommandPath())
}
