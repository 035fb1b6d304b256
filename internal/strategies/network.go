package strategies

import (
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// assume leaves the schedules under which each round is as the bounds take for
// granted.
func (c *faultCircuit) assume() {
	if c.bounds.Deliver == "" && c.bounds.Kernel == "" {
		return
	}
	least, kernel := c.bounds.Network()
	for round := 1; round <= c.bounds.EOT; round++ {
		r := provenance.NetworkRound{
			Circuit: c.Circuit, Processes: len(c.bounds.Processes),
			Up:      func(p int) solver.Lit { return c.up[p][round] },
			Arrives: func(from, to int) solver.Lit { return c.delivers(from, to, round) },
		}
		c.valid = append(c.valid, r.Conditions(least, kernel)...)
	}
}
