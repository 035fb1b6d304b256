package advise

import "github.com/lineage-driven/ldfi/ldfi/result"

// present returns what must not be and is there all the same: the facts that lead from
// the first one that the execution without faults does not have to what the promise
// forbids.
func present(d *result.Difference) (all []result.Derived) {
	if d.Outcome == 0 || d.Changes[d.Outcome-1].Missing {
		return nil
	}
	for _, number := range d.Chain {
		if c := d.Changes[number-1]; !c.Missing && c.Rule != "" {
			all = append(all, result.Derived{Fact: c.Fact, Derivation: result.Derivation{Rule: c.Rule, Position: c.Position}})
		}
	}
	return all
}
