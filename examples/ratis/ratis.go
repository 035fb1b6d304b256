package ratis

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// requests is the number of requests, one in each phase.
const requests = 4

const clientName = "c"

var servers = []string{"s0", "s1", "s2"}

// A Harness is how long an execution is, and its phases.
type Harness struct {
	name   string // what is behind those of its systems
	Phase  int    // the rounds of a phase
	Rounds int    // of an execution
	Most   int    // at most so many isolations are looked at

	// Begins says that a leader begins with an entry of its own, as in Ratis.
	Begins bool
}

// Short is the harness of the protocols: there is a leader in the beginning, and where it
// is cut off in the first phases another one is elected in round 8. In Long each phase has
// the time to elect a leader, and that begins with an entry of its own. It has many more
// states.
var (
	Short = Harness{Phase: 4, Rounds: 48, Most: 7}
	Long  = Harness{name: "-long", Phase: 12, Rounds: 96, Most: 3, Begins: true}
)

// GRPC returns the system with RATIS-946, Netty that with RATIS-844, and Fixed the one
// without either.
func (h Harness) GRPC() *system.System { return ratis("ratis-grpc", h, variant{refusesByEnd: true}) }
func (h Harness) Netty() *system.System {
	return ratis("ratis-netty", h, variant{forgetsClients: true})
}
func (h Harness) Fixed() *system.System { return ratis("ratis-fixed", h, variant{}) }

// Faulty is the number of rounds of the phases, which may have faults.
func (h Harness) Faulty() int { return requests * h.Phase }

// variant says which of the bugs there are.
type variant struct {
	refusesByEnd   bool // who refuses asks for what comes after its own last entry
	forgetsClients bool // who is deposed does not tell who waits
}

// ratis returns the system. In the short harness the isolations are in the phases of the
// protocols.
func ratis(name string, h Harness, v variant) *system.System {
	s := &system.System{
		Name: name + h.name, Processes: append([]string{clientName}, servers...), Rounds: h.Rounds, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == clientName {
				return &client{}
			}
			return newServer(slices.Index(servers, name), h, v)
		},
		Properties: []property.Property{Leader, Entries, Answers},
		Faults: rounds.Bounds{
			Isolations: h.Most, Period: h.Phase, EFF: h.Faulty() + 1,
			Reliable: []string{clientName + ">*", "*>" + clientName}, NeverCrash: []string{clientName},
		},
	}
	if h == Short {
		s.Faults.Period, s.Faults.EFF = 2, 13
	}
	for i := range requests {
		s.Requests = append(s.Requests, system.Request{Round: i*h.Phase + 3, Process: clientName, Payload: "write"})
	}
	return s
}
