package process

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Real returns a system that executes one schedule by the programs of the cluster as they
// are, without the overlay: each node has a network, files and a name of its own in
// namespaces of Linux, and a round lasts so long on the clock of this machine. What nodes
// send each other reaches its end as in the system of [Cluster.System], at the end of a
// round. File of a node is a package, which Real builds, or a program.
//
// The schedule of the next execution is what the function returns, with all faults so many
// rounds later. Real also returns in what the executions differ from the schedule. An error
// says what cannot be executed so; it is os.ErrPermission if there is no right to make
// namespaces.
func (c Cluster) Real(ctx context.Context, schedule rounds.Schedule, round time.Duration) (s *system.System, later func(n int) rounds.Schedule, notes []string, err error) {
	return c.real(ctx, schedule, round)
}

// confirmable says in what the execution of a schedule by real programs differs from that of
// virtual ones; the error what cannot be executed so.
func (c Cluster) confirmable(s rounds.Schedule) (notes []string, err error) {
	for _, n := range c.All() {
		if n.Steps || n.Stdio != nil || n.test != "" {
			return nil, fmt.Errorf("node %s is no server as it is: only servers and clients that ldfi builds can be executed on real sockets", n.Name)
		}
	}
	for _, f := range s.Faults {
		why := ""
		switch f.Kind {
		case rounds.Crash:
			switch {
			case f.Point() != "":
				why = "a real program is killed at the beginning of a round, and not before one of its operations on files"
			case f.Disk() == "torn":
				why = "no machine loses its power here: SIGKILL keeps what was written, and only the loss of power tears it"
			case f.Disk() != "kept" && slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool { return g.Kind == rounds.Restart && g.Process == f.Process }):
				notes = append(notes, fmt.Sprintf("%s is a SIGKILL here, and writes that were not synced survive it. A finding that needs their loss may be real and not seen (%s/kept does the same in both)", f, f))
			}
		case rounds.FailSync:
			why = "real disks do not fail when they are told to"
		case rounds.Fast, rounds.Slow, rounds.Jump:
			why = "all nodes share the real clock of this machine"
		case rounds.Choose:
			why = "clients ask what their program asks"
		}
		if why != "" {
			return nil, fmt.Errorf("%s cannot be confirmed: %s", f, why)
		}
	}
	if slices.ContainsFunc(c.Nodes, func(n Node) bool { return len(n.Polls) > 0 }) {
		notes = append(notes, "servers are not polled")
	}
	if !c.Epoch.IsZero() {
		notes = append(notes, "clocks show the time of this machine, and not that from "+c.Epoch.Format(time.RFC3339)+" on")
	}
	return notes, nil
}

// apart returns the schedule with the starts and latencies of the nodes, which the seed says
// where it does not say them itself.
func apart(ctx context.Context, s *system.System, schedule rounds.Schedule) (rounds.Schedule, error) {
	idle := &system.System{Name: s.Name, Processes: s.Processes, Rounds: s.Rounds, Apart: s.Apart, Script: s.Script,
		New: func(string, *rand.Rand) system.Process { return still{} }}
	e, err := idle.Run(ctx, schedule, system.RunOptions{})
	if err != nil {
		return schedule, err
	}
	return e.Schedule, nil
}

// still is a process that does nothing.
type still struct{}

func (still) Send(*system.Step)                      {}
func (still) Receive(*system.Step, []system.Message) {}
func (still) Restart(*system.Step)                   {}
func (still) CrashDisk(string)                       {}
func (still) Machine() system.Machine {
	return system.Machine{Disk: true, Terminates: true, Goroutines: true, Watches: true}
}
