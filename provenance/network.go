package provenance

import (
	"github.com/lineage-driven/ldfi/internal/hearing"
	"github.com/lineage-driven/ldfi/solver"
)

// assume leaves the schedules under which each round is as the bounds take for
// granted.
func (d *delivery) assume() {
	b := d.graph.Bounds
	if b.Deliver == "" && b.Kernel == "" || d.graph.restriction.among != nil {
		return
	}
	least, kernel := b.Network()
	for round := 1; round <= b.EOT; round++ {
		r := hearing.Round{
			Circuit: d.graph.Circuit, Processes: len(b.Processes), Own: b.OwnLost,
			Up:      func(p int) solver.Lit { return d.crashed(p, round).Not() },
			Arrives: func(from, to int) solver.Lit { return d.delivered(from, to, round) },
		}
		for _, cond := range r.Conditions(least, kernel) {
			d.graph.require(cond)
		}
	}
}
