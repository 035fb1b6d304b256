package etcd

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// System returns a system of nodes, which have this ElectionTick, with the
// properties that every Raft cluster has to have, and no requests, for 60 rounds
// of 1 to 3 ticks.
//
// By default there are at most two isolations, and a pause: a leader that stands still
// while another is elected is what reads have to survive. Phases are longer than an
// election takes, whatever the ticks, so that who is isolated misses one.
func System(name string, processes []string, electionTick int, node NewNode, with ...Option) *system.System {
	o := options{members: processes}
	for _, option := range with {
		option(&o)
	}
	members := o.numbers(processes)
	return &system.System{
		Name: name, Processes: processes, Rounds: 60, MinTicks: 1, MaxTicks: 3,
		New: func(name string, random *rand.Rand) system.Process {
			logger := &Logger{random: random, least: electionTick}
			n, err := node(uint64(slices.Index(processes, name)+1), members, logger)
			must(err)
			for _, wrap := range o.wrap {
				n = wrap(n)
			}
			p := &process{node: n, logger: logger}
			p.last = p.start()
			return p
		},
		Ask:        func(text string) (any, error) { return asked(text, processes) },
		Properties: Safety(),
		Durable:    []string{"vote/2", "committed/2"},
		Faults:     rounds.Bounds{Isolations: 2, Pauses: 1, Period: max(15, 2*electionTick)},
	}
}

// numbers returns the numbers of the members.
func (o options) numbers(processes []string) []uint64 {
	var members []uint64
	for _, m := range o.members {
		if !slices.Contains(processes, m) {
			panic(fmt.Sprintf("the member %q is no process: the processes are %q", m, processes))
		}
	}
	for i, p := range processes {
		if slices.Contains(o.members, p) {
			members = append(members, uint64(i+1))
		}
	}
	return members
}

// must panics with an error, which the system reports with process and round.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
