package hashicorpraft

import (
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// System returns a cluster of these servers, for 480 rounds of 50 ms, without requests
// of clients. The timeouts are those of the library: an election begins after 1 to
// 2 s without a leader, and a leader that reaches no majority steps down after 500 ms.
//
// By default there are at most an isolation, two partitions, a crash, a restart and a
// pause: a leader that stands still while another is elected is what reads have to survive. Phases
// have 80 rounds, which is longer than an election takes: who is cut off misses one.
func System(processes []string, with ...Option) *system.System {
	o := options{tick: 50 * time.Millisecond}
	for _, option := range with {
		option(&o)
	}
	if o.voters == nil {
		o.voters = processes
	}
	return &system.System{
		Name: "hashicorp/raft", Processes: processes, Rounds: 480,
		New: virtual.New(virtual.Options{
			Start: func(m *virtual.Machine) (virtual.Server, error) { return start(m, o) },
			Tick:  o.tick,
			Disk:  true,
			Text:  o.text(),
		}),
		Properties: Safety(),
		Durable:    []string{"vote/2"},
		Faults:     rounds.Bounds{Isolations: 1, Partitions: 2, Period: 80, Crashes: 1, Restarts: 1, Pauses: 1},
	}
}

// text returns what datagrams say. What is on a connection is a stream of the
// library's own.
func (o options) text() func([]byte) string {
	if o.tcp {
		return nil
	}
	return text
}
