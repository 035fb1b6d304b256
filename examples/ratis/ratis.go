package ratis

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Rounds is the number of rounds of an execution.
const Rounds = 48

// The phases of the source: each has one request, and two rounds of its own.
const (
	requests    = 4
	phaseRounds = 4
)

const clientName = "c"

var servers = []string{"s0", "s1", "s2"}

// GRPC returns the system with RATIS-946, Netty that with RATIS-844, and Fixed the one
// without either.
func GRPC() *system.System  { return ratis("ratis-grpc", variant{refusesByEnd: true}) }
func Netty() *system.System { return ratis("ratis-netty", variant{forgetsClients: true}) }
func Fixed() *system.System { return ratis("ratis-fixed", variant{}) }

// variant says which of the bugs there are.
type variant struct {
	refusesByEnd   bool // who refuses asks for what comes after its own last entry
	forgetsClients bool // who is deposed does not tell who waits
}

// ratis returns the system, with as many isolations as the source has.
func ratis(name string, v variant) *system.System {
	s := &system.System{
		Name: name, Processes: append([]string{clientName}, servers...), Rounds: Rounds, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == clientName {
				return &client{}
			}
			return newServer(slices.Index(servers, name), v)
		},
		Properties: []property.Property{Leader, Entries, Answers},
		Faults: rounds.Bounds{
			Isolations: 7, Period: 2, EFF: 13,
			Reliable: []string{clientName + ">*", "*>" + clientName}, NeverCrash: []string{clientName},
		},
	}
	for i := range requests {
		s.Requests = append(s.Requests, system.Request{Round: i*phaseRounds + 3, Process: clientName, Payload: "write"})
	}
	return s
}
