package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
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

// start starts the host. The caller has to close the system.
func (h *host) start(ctx context.Context, s *session) (*hosted, error) {
	var properties []property.Property
	for _, file := range h.properties {
		rules, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--property: %w", err)
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		properties = append(properties, property.Property{Name: name, Rules: string(rules)})
	}
	// Once it has started, the host lives on when the time is up: what is known
	// by then still has to be confirmed.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	startEnded := context.AfterFunc(ctx, end)
	remote, err := wire.Start(life, h.command, wire.Options{Stderr: s.err, Properties: properties})
	startEnded()
	if err != nil {
		end()
		return nil, err
	}
	hosted := &hosted{remote: remote, end: end}
	if hosted.System, err = remote.System(h.name); err != nil {
		hosted.close()
		return nil, fmt.Errorf("--name: %w", err)
	}
	return hosted, nil
}

// hosted is a system of a host that runs.
type hosted struct {
	*wire.System
	remote *wire.Remote
	end    context.CancelFunc
}

func (h *hosted) close() {
	_ = h.remote.Close()
	h.end()
}

// target returns what is searched, within the bounds of the flags.
func (h *hosted) target(cmd *cobra.Command) (search.Target, error) {
	overrides := map[string]string{"processes": strings.Join(h.Processes, ","), "eot": strconv.Itoa(h.Rounds), "crash": "stop"}
	for _, f := range boundsFlags {
		flag := cmd.Flags().Lookup(f.key)
		if flag == nil || !flag.Changed {
			continue
		}
		if f.key == "processes" || f.key == "crash" || f.key == "goals" {
			return search.Target{}, errUsage(cmd, "--"+f.key+" does not go with --system, which has its own")
		}
		overrides[f.key] = flag.Value.String()
	}
	for _, key := range []string{"restarts", "pauses"} {
		if flag := cmd.Flags().Lookup(key); flag != nil && flag.Changed {
			overrides[key] = flag.Value.String()
		}
	}
	bounds, _, err := rounds.BoundsFrom(nil, overrides)
	if err != nil {
		return search.Target{}, err
	}
	return h.Target(bounds), nil
}

// faults reads a schedule for the system.
func (h *hosted) faults(text string, eot int) (rounds.Schedule, error) {
	schedule, err := rounds.ParseSchedule(text)
	if err == nil {
		err = schedule.Check(h.Processes, cmp.Or(eot, h.Rounds))
	}
	if err != nil {
		return nil, fmt.Errorf("--faults: %w", err)
	}
	return schedule, nil
}
