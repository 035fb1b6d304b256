package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (n *servers) addSteps(flags *pflag.FlagSet) {
	flags.StringVar(&n.steps, "steps", "", "the `command` of a node that speaks the step protocol, as in 'python3 node.py'")
}

// checkSteps reports flags that do not go with a command that speaks the step protocol.
func (n *servers) checkSteps(cmd *cobra.Command) error {
	if n.steps == "" {
		return nil
	}
	if n.file != "" {
		return errUsage(cmd, fmt.Sprintf("--steps and %s: there can be one of these", n.file))
	}
	if err := exclusive(cmd, "server", "steps"); err != nil {
		return err
	}
	return refuse(cmd, "goes with --server, not with --steps", slices.DeleteFunc(slices.Clone(ofServers), func(name string) bool {
		return slices.Contains([]string{"nodes", "env", "tick", "apart"}, name)
	})...)
}

// stepper returns a node that speaks the step protocol.
func (n *servers) stepper() (process.Node, error) {
	words, err := text.ShellSplit(n.steps)
	if err == nil && len(words) == 0 {
		err = errors.New("there is no command")
	}
	if err != nil {
		return process.Node{}, fmt.Errorf("--steps %q: %w", n.steps, err)
	}
	return process.Node{File: words[0], Args: words[1:], Env: n.env, Steps: true}, nil
}
