package strategies

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Sample draws isolations as Algorithm 1 of "Testing Consensus Implementations
// Using Communication Closure" does (Drăgoi et al., OOPSLA 2020): it distributes
// them over the phases, with no more in a phase than there are processes, chooses
// that many processes in each phase, and for each the round in which its isolation
// starts. Without a limit it isolates any process in any phase from any round.
//
// The algorithm isolates d times, and its Proposition 6.1 speaks of up to d times:
// each such execution of n processes and r rounds is drawn with probability at
// least 1/(nr)^d. So how often it isolates is drawn first, in proportion to how
// many ways there are. (With d = 1 there are nr+1 executions, and the proposition
// cannot hold.)
//
// How many partitions there are is drawn before that in the same way, and they
// uniformly; what they leave of the budget is for isolations. Faults of other kinds
// that the bounds allow are drawn uniformly, but in every other execution all
// restarts are soon: see [schedules.Soon].
var Sample = strategy("sample", drawSample)

func drawSample(b rounds.Bounds) drawn {
	rest := others(b)
	other, parted := schedules.New(rest).Uniform(), schedules.New(b).Parted()
	algorithms := map[int]*algorithm{} // by how many isolations there can be
	for _, most := range append(parted.Beside(), drawIsolations(b)) {
		algorithms[most] = newAlgorithm(b, most)
	}
	restarts := b.Restarts != 0 && b.Crashes != 0
	u := schedules.New(b)
	b = free(b)
	once := func(c schedules.Chance) rounds.Schedule {
		s := other.Draw(c)
		if restarts && c.IntN(2) == 0 {
			s = schedules.Soon(c, s, func() bool { return true })
		}
		most := drawIsolations(b)
		if parted != nil {
			var partitions []rounds.Fault
			partitions, most = parted.Draw(c)
			s.Faults = append(s.Faults, partitions...)
		}
		s.Faults = append(s.Faults, algorithms[most].isolations(c)...)
		return s.Normal()
	}
	return drawn{
		draw: func(c schedules.Chance) rounds.Schedule {
			return u.Meet(c, func() rounds.Schedule { return once(c) })
		},
		least: leastOfSample(b, algorithms[drawIsolations(b)], restarts),
	}
}

// leastOfSample returns a lower bound of the probability of each schedule. The probability
// of its partitions, and of its number of isolations, is in proportion to the ways to have
// them; so it is least for schedules with no partitions, and most isolations. The faults of
// other kinds are drawn uniformly in every execution, or if there are restarts in every
// other.
func leastOfSample(b rounds.Bounds, a *algorithm, restarts bool) *big.Rat {
	rest := schedules.Count(others(b))
	parted := new(big.Int).Div(schedules.Count(b), rest)
	least := a.least(rest)
	least.Mul(least, new(big.Rat).SetFrac(a.executions, parted))
	if restarts {
		least.Mul(least, big.NewRat(1, 2))
	}
	return least
}

// algorithm is Algorithm 1 within bounds.
type algorithm struct {
	bounds     rounds.Bounds // of the processes that can be isolated, and no other faults
	phases     []Phase
	numbers    *schedules.Weights // in how many ways there are 0, 1, ... isolations; nil: without a limit
	executions *big.Int           // the number of all ways
}

// newAlgorithm returns an algorithm that draws no more than most isolations.
func newAlgorithm(b rounds.Bounds, most int) *algorithm {
	a := &algorithm{phases: Phases(b)}
	a.bounds = rounds.Bounds{Processes: schedules.New(b).Isolable(), EOT: b.EOT, EFF: b.EFF, From: b.From, FaultFree: b.FaultFree, Period: b.Period}
	upTo := func(d int) *big.Int {
		only := a.bounds
		only.Isolations = d
		return schedules.Count(only)
	}
	a.executions = upTo(most)
	if most == rounds.Unlimited {
		return a
	}
	var ways []*big.Int
	fewer := new(big.Int)
	for d := range min(most, len(a.phases)*len(a.bounds.Processes)) + 1 {
		all := upTo(d)
		ways = append(ways, new(big.Int).Sub(all, fewer))
		fewer = all
	}
	a.numbers = schedules.NewWeights(slices.Values(ways))
	return a
}

// isolations draws the isolations of one execution.
func (a *algorithm) isolations(c schedules.Chance) (faults []rounds.Fault) {
	if a.numbers == nil {
		return a.any(c)
	}
	for i, d := range a.distribute(c, c.Pick(a.numbers)) {
		for _, p := range schedules.Sample(c, len(a.bounds.Processes), d) {
			faults = append(faults, a.phases[i].Isolation(c, a.bounds.Processes[p]))
		}
	}
	return faults
}

// rounds returns the number of rounds in which an isolation can start.
func (a *algorithm) rounds() (all int) {
	for _, ph := range a.phases {
		all += ph.rounds()
	}
	return all
}

// distribute assigns each isolation to a phase that is not full: to the phase of a random
// round, so that a phase cut short by the end gets fewer.
func (a *algorithm) distribute(c schedules.Chance, isolations int) []int {
	given := make([]int, len(a.phases))
	free := a.rounds() // of phases that are not full
	for range isolations {
		round, i := c.IntN(free), 0
		for given[i] == len(a.bounds.Processes) || round >= a.phases[i].rounds() {
			if given[i] < len(a.bounds.Processes) {
				round -= a.phases[i].rounds()
			}
			i++
		}
		if given[i]++; given[i] == len(a.bounds.Processes) {
			free -= a.phases[i].rounds()
		}
	}
	return given
}

// any isolates in each phase any of the processes from any round.
func (a *algorithm) any(c schedules.Chance) (faults []rounds.Fault) {
	for _, ph := range a.phases {
		for _, name := range a.bounds.Processes {
			if start := ph.First + c.IntN(ph.rounds()+1); start <= ph.Last {
				faults = append(faults, rounds.Fault{Kind: rounds.Isolate, Process: name, Round: start, Until: ph.Last})
			}
		}
	}
	return faults
}

// least returns a lower bound of the probability of each schedule, if there are others ways
// to have faults of other kinds. A schedule with d isolations has the probability d!/(nr)^d
// among those with d: each isolation goes to its phase with probability at least k/r where
// the phase has k rounds, in d! orders if no two share a phase; where m share one, m!
// orders are the same, and they are chosen among at most n^m/m! sets of processes. The
// round is one of k.
func (a *algorithm) least(others *big.Int) *big.Rat {
	if a.numbers == nil {
		return oneIn(new(big.Int).Mul(a.executions, others))
	}
	places := int64(len(a.bounds.Processes) * a.rounds())
	var least *big.Rat
	chance := big.NewRat(1, 1) // d!/(nr)^d
	d := int64(0)
	for ways := range a.numbers.All() {
		if d > 0 {
			chance.Mul(chance, big.NewRat(d, places))
		}
		p := new(big.Rat).SetFrac(ways, a.executions)
		if p.Mul(p, chance); least == nil || p.Cmp(least) < 0 {
			least = p
		}
		d++
	}
	return least.Mul(least, oneIn(others))
}
