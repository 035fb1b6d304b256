package etcd

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// System returns a system of nodes, which have this ElectionTick, with the
// properties that every Raft cluster has to have, and no requests, for 60 rounds
// of 1 to 3 ticks.
func System(name string, processes []string, electionTick int, node NewNode) *system.System {
	var members []uint64
	for i := range processes {
		members = append(members, uint64(i+1))
	}
	return &system.System{
		Name: name, Processes: processes, Rounds: 60, MinTicks: 1, MaxTicks: 3,
		New: func(name string, random *rand.Rand) system.Process {
			logger := &Logger{random: random, least: electionTick}
			n, err := node(members[slices.Index(processes, name)], members, logger)
			must(err)
			p := &process{node: n, logger: logger}
			p.start()
			return p
		},
		Properties: Safety(),
		Durable:    []string{"vote/2", "committed/2"},
	}
}

// must panics with an error, which the system reports with process and round.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
