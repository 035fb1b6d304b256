// Package failover is a system of a user of ldfi: a backup takes over when it
// hears nothing of the primary.
package failover

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// System returns a primary and a backup, which must not both be the leader in
// one round.
func System() *system.System {
	return &system.System{
		Name: "failover", Processes: []string{"primary", "backup"}, Rounds: 5,
		New: func(name string, _ *rand.Rand) system.Process {
			return &process{other: map[string]string{"primary": "backup", "backup": "primary"}[name], leads: name == "primary"}
		},
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
}

type process struct {
	other string
	leads bool
}

type heartbeat struct{}

// Send lets the other process know that there is a leader.
func (p *process) Send(s *system.Step) {
	if p.leads {
		s.Fact("leader", s.Round())
		s.Send(p.other, heartbeat{})
	}
}

// Receive takes over when no heartbeat came.
func (p *process) Receive(_ *system.Step, inbox []system.Message) {
	if len(inbox) == 0 {
		p.leads = true
	}
}
