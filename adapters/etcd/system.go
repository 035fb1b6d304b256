package etcd

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// System returns a system of nodes with the properties that every Raft cluster
// has to have, and no requests, for 60 rounds of 1 to 3 ticks.
func System(name string, processes []string, node func(name string, random *rand.Rand) Node) *system.System {
	return &system.System{
		Name: name, Processes: processes, Rounds: 60, MinTicks: 1, MaxTicks: 3,
		New: func(name string, random *rand.Rand) system.Process {
			return NewProcess(node(name, random))
		},
		Properties: Safety(),
		Durable:    []string{"vote/2", "committed/2"},
	}
}
