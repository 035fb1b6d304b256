package draw

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// Sample draws isolations as Algorithm 1 of "Testing Consensus Implementations
// Using Communication Closure" does (Drăgoi et al., OOPSLA 2020): it
// distributes the budget d over the phases, with no more in a phase than there
// are processes, chooses that many processes in each phase, and for each the
// round in which its isolation starts. So it meets every execution with d
// isolations with probability at least 1/(nr)^d.
//
// Faults of other kinds that the bounds allow are drawn as by
// universe.Universe.Random.
var Sample = strategy("sample", drawSample, sampleGuarantee)

func drawSample(o search.Options) func(*rand.Rand) rounds.Schedule {
	b, all, other := o.Bounds, Phases(o.Bounds), others(o.Bounds)
	return func(r *rand.Rand) rounds.Schedule {
		s := other(r)
		if b.Isolations == rounds.Unlimited {
			s.Faults = append(s.Faults, anyIsolations(r, b, all)...)
			return s.Normal()
		}
		for i, d := range distribute(r, b, all) {
			for _, p := range r.Perm(len(b.Processes))[:d] {
				s.Faults = append(s.Faults, all[i].Isolation(r, b.Processes[p]))
			}
		}
		return s.Normal()
	}
}

// distribute gives each isolation of the budget to a phase that is not full: to
// that of a random round, so that a phase cut short by the end gets less.
func distribute(r *rand.Rand, b rounds.Bounds, all []Phase) []int {
	given := make([]int, len(all))
	period := max(b.Period, 1)
	for range min(b.Isolations, len(all)*len(b.Processes)) {
		i := r.IntN(b.LastLoss()) / period
		for given[i] == len(b.Processes) {
			i = r.IntN(b.LastLoss()) / period
		}
		given[i]++
	}
	return given
}

// anyIsolations isolates in each phase any of the processes from any round.
func anyIsolations(r *rand.Rand, b rounds.Bounds, all []Phase) []rounds.Fault {
	var faults []rounds.Fault
	for _, ph := range all {
		for _, name := range b.Processes {
			if start := ph.First + r.IntN(ph.rounds()+1); start <= ph.Last {
				faults = append(faults, rounds.Fault{Kind: rounds.Isolate, Process: name, Round: start, Until: ph.Last})
			}
		}
	}
	return faults
}

func sampleGuarantee(o search.Options) string {
	b := o.Bounds
	n, r := len(b.Processes), b.LastLoss()
	d := min(b.Isolations, len(Phases(b))*n)
	if d <= 0 || b.Crashes != 0 || b.Omissions != 0 || b.Pauses != 0 {
		return ""
	}
	size := new(big.Int).Exp(big.NewInt(int64(n*r)), big.NewInt(int64(d)), nil)
	f, _ := new(big.Float).SetInt(size).Float64()
	if math.IsInf(f, 0) {
		return fmt.Sprintf("each execution with %d isolations is drawn with probability at least 1/%d^%d", d, n*r, d)
	}
	return fmt.Sprintf("each execution with %d isolations is drawn with probability at least 1/%d^%d = %.1e", d, n*r, d, 1/f)
}
