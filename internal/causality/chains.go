package causality

import (
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Chain is the effect of faults on the broken promise: changes that follow from each
// other, from the earliest one caused by such a fault to the broken promise, or to a
// change that another chain has as well.
type Chain struct {
	Changes []result.Change
	Joined  bool            // the last one is of another chain, too
	Without rounds.Schedule // changes between the bad execution without these faults and the bad one; none: between the two compared executions
}

// Chains returns one chain for each fault of only the bad execution that has an effect,
// the earliest first. A fault that another chain names already has no chain of its own.
func Chains(d *result.Difference) []Chain {
	if d.Outcome == 0 {
		return nil
	}
	t := &telling{Difference: d}
	for _, c := range d.Instead {
		t.named = append(t.named, c.Fault.Faults...)
	}
	t.tell(numbered(d.Changes, d.Chain), rounds.Schedule{})
	t.others()
	for _, u := range d.Without {
		if t.silent(u) {
			t.tell(u.Changes, u.Fault)
		}
	}
	slices.SortStableFunc(t.chains, func(a, b Chain) int { return a.Changes[0].Fact.Round - b.Changes[0].Fact.Round })
	return t.chains
}

// telling is one call of Chains.
type telling struct {
	*result.Difference
	chains []Chain
	named  []rounds.Fault
}

// tell adds a chain of changes, up to the first change that was told already.
func (t *telling) tell(changes []result.Change, without rounds.Schedule) {
	chain := Chain{Without: without}
	for _, c := range changes {
		chain.Changes = append(chain.Changes, c)
		if chain.Joined = t.told(c); chain.Joined {
			break
		}
	}
	for _, c := range chain.Changes {
		for _, cause := range c.Causes {
			t.named = append(t.named, cause.Fault.Faults...)
		}
	}
	t.chains = append(t.chains, chain)
}

// told tells whether a chain has a change already, in any of its rounds.
func (t *telling) told(c result.Change) bool {
	return slices.ContainsFunc(t.chains, func(chain Chain) bool {
		return slices.ContainsFunc(chain.Changes, func(other result.Change) bool {
			return other.Missing == c.Missing && other.Fact.Round <= c.Until && c.Fact.Round <= other.Until && same(other.Fact, c.Fact)
		})
	})
}

// others adds the chains of the faults behind the outcome that are not in the first chain.
func (t *telling) others() {
	all := slices.Clone(t.Changes)
	slices.SortStableFunc(all, func(a, b result.Change) int { return a.Fact.Round - b.Fact.Round })
	for _, c := range all {
		if slices.ContainsFunc(c.Causes, func(cause result.Cause) bool {
			return slices.ContainsFunc(cause.Fault.Faults, func(f rounds.Fault) bool { return !slices.Contains(t.named, f) })
		}) {
			t.tell(numbered(t.Changes, t.way(c.Number)), rounds.Schedule{})
		}
	}
}

// way returns the shortest way by which a change led to the outcome.
func (t *telling) way(from int) []int {
	by := map[int]int{t.Outcome: 0}
	queue := []int{t.Outcome}
	for i := 0; i < len(queue); i++ {
		for _, cause := range t.Changes[queue[i]-1].Causes {
			if _, known := by[cause.Change]; !known && cause.Change > 0 {
				by[cause.Change] = queue[i]
				queue = append(queue, cause.Change)
			}
		}
	}
	var all []int
	for n := from; n > 0; n = by[n] {
		all = append(all, n)
	}
	return all
}

// silent tells whether faults that break the outcome, and that the good execution does not
// have as well, are not named yet.
func (t *telling) silent(u result.Without) bool {
	if len(u.Changes) == 0 || slices.ContainsFunc(u.Fault.Faults, func(f rounds.Fault) bool {
		return slices.Contains(t.named, f) || slices.Contains(t.Good.Schedule.Faults, f)
	}) {
		return false
	}
	last := u.Changes[len(u.Changes)-1]
	begins := slices.ContainsFunc(u.Changes[0].Causes, func(c result.Cause) bool { return len(c.Fault.Faults) > 0 })
	return begins && (u.Mends || same(last.Fact, t.Changes[t.Outcome-1].Fact))
}

// numbered returns changes by their numbers.
func numbered(all []result.Change, numbers []int) (some []result.Change) {
	for _, n := range numbers {
		some = append(some, all[n-1])
	}
	return some
}
