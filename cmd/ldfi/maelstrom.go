package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/process/maelstrom"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exercise has the flags of nodes that were written for Maelstrom.
type exercise struct {
	maelstrom   string
	workload    string
	consistency string
	services    []string
	rounds      int
}

// ofMaelstrom are the flags that go with --maelstrom, besides some of those of servers.
var ofMaelstrom = []string{"workload", "consistency", "services"}

func (x *exercise) add(flags *pflag.FlagSet) {
	flags.StringVar(&x.maelstrom, "maelstrom", "", "the Go `package` of a node written for Maelstrom; its arguments stand behind --")
	flags.StringVar(&x.workload, "workload", "", "what clients ask the nodes, and what has to hold, by Maelstrom's `name` for it")
	flags.StringVar(&x.consistency, "consistency", "", "what txn-rw-register has to keep, by `name`: "+maelstrom.Consistencies[0]+", ...")
	flags.StringSliceVar(&x.services, "services", nil, "the services of Maelstrom that nodes have, by `name`: seq-kv,lin-kv")
}

func workloads() []string { return slices.Sorted(maps.Keys(maelstrom.Workloads())) }

// check reports flags that are missing, or do not go with a workload.
func (x *exercise) check(cmd *cobra.Command) error {
	if err := exclusive(cmd, "maelstrom", "steps"); err != nil {
		return err
	}
	if err := refuse(cmd, "goes with --server, not with --maelstrom", "server", "client", "checker", "last", "poll", "files", "requests", "apart", "epoch", "calls"); err != nil {
		return err
	}
	if maelstrom.Workloads()[x.workload] == nil {
		return errUsage(cmd, fmt.Sprintf("--workload %s is none of %s", text.ShellJoin(x.workload), strings.Join(workloads(), ", ")))
	}
	if x.workload != "txn-rw-register" {
		return refuse(cmd, "goes with --workload txn-rw-register", "consistency")
	}
	return nil
}

// asExercise sets --system, and returns the arguments of the command.
func (n *servers) asExercise(cmd *cobra.Command, words []string) ([]string, error) {
	flags := cmd.Flags()
	if err := n.check(cmd); err != nil {
		return nil, err
	}
	if flags.Changed("system") {
		return nil, errUsage(cmd, "--maelstrom and --system: there can be one of these")
	}
	if err := onLinux(); err != nil {
		return nil, errUsage(cmd, err.Error())
	}
	words, behind := n.split(cmd, words)
	c, err := n.cluster(behind)
	if err == nil {
		_, err = n.system(c)
	}
	if err != nil {
		return nil, errUsage(cmd, err.Error())
	}
	command := []string{"ldfi", subject.NodesCommand}
	for _, name := range append([]string{"maelstrom", "nodes", "env", "tick"}, ofMaelstrom...) {
		command = append(command, flagWords(flags.Lookup(name))...)
	}
	if len(behind) > 0 {
		command = append(append(command, "--"), behind...)
	}
	return words, flags.Set("system", text.ShellJoin(command...))
}

// system returns the system of a cluster, or the nodes of one with what clients ask them.
func (n *servers) system(c *process.Cluster) (*system.System, error) {
	if n.maelstrom == "" {
		return c.System()
	}
	workload := maelstrom.Workloads()[n.workload]
	if n.consistency != "" {
		workload = maelstrom.TxnRWRegister{Consistency: n.consistency}
	}
	with := []maelstrom.Option{maelstrom.Nodes(n.nodes)}
	if n.flags.Changed("tick") {
		with = append(with, maelstrom.Tick(n.tick))
	}
	if n.services != nil {
		with = append(with, maelstrom.Services(n.services...))
	}
	if n.rounds > 0 {
		with = append(with, maelstrom.Rounds(n.rounds))
	}
	return maelstrom.System(c.Nodes[0], workload, with...)
}
