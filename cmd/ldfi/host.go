package main

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// host is the flags that name a system which another program links.
type host struct {
	command    string
	name       string
	properties []string // files with rules
}

func (h *host) add(flags *pflag.FlagSet) {
	flags.StringVar(&h.command, "system", "", "the `command` that starts the program with a system, instead of files")
	flags.StringVar(&h.name, "name", "", "which of the systems of that program, if it has several")
	flags.StringArrayVar(&h.properties, "property", nil, "a `file` with Mangle rules that the system has to satisfy as well (repeatable)")
}

// needFiles is the check of the arguments of commands that read a program,
// unless they have a host.
func (h *host) needFiles(what string, least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case h.command == "" && (h.name != "" || len(h.properties) > 0):
			return errUsage(cmd, "--name and --property go with --system")
		case h.command == "":
			return needFiles(what, least)(cmd, args)
		case len(args) > 0:
			return errUsage(cmd, fmt.Sprintf("--system and the file %s: there can be one of these", args[0]))
		}
		return nil
	}
}

// subject is the system as a question, within the bounds of the flags.
func (h *host) subject(cmd *cobra.Command, s *session) *subject.Subject {
	return &subject.Subject{
		System: h.command, Name: h.name, Properties: h.properties, Stderr: s.err,
		Bounds: overrides(cmd, slices.Concat(rounds.SettingKeys(), rounds.SystemKeys())),
	}
}

// faultsFor reads a schedule for a system.
func faultsFor(h *subject.Host, text string, eot int) (rounds.Schedule, error) {
	schedule, err := rounds.ParseSchedule(text)
	if err == nil {
		err = h.Fits(schedule, eot)
	}
	if err != nil {
		return rounds.Schedule{}, fmt.Errorf("--faults: %w", err)
	}
	return schedule, nil
}
