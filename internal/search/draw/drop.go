package draw

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

const lossProbability = 0.25

// Drop loses what a process sends another in a round with the same probability,
// whatever the budgets of the bounds are. It is what the other
// strategies are compared with.
var Drop = strategy("drop", drawDrop, dropGuarantee)

func drawDrop(o search.Options) func(*rand.Rand) rounds.Schedule {
	b := o.Bounds
	last := b.EOT
	if b.EFF > 0 {
		last = min(last, b.EFF-1)
	}
	return func(r *rand.Rand) rounds.Schedule {
		var s rounds.Schedule
		for round := 1; round <= last; round++ {
			for _, from := range b.Processes {
				for _, to := range b.Processes {
					if from != to && r.Float64() < lossProbability {
						s.Faults = append(s.Faults, rounds.Fault{Kind: rounds.Omit, Process: from, To: to, Round: round})
					}
				}
			}
		}
		return s.Normal()
	}
}

func dropGuarantee(search.Options) string {
	return fmt.Sprintf("what a process sends another in a round is lost with probability %g", lossProbability)
}
