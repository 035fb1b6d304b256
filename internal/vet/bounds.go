package vet

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// bounds says whether a late message can stand for one that is lost: whether each may be
// lost, alone.
func (a *analysis) bounds(leader result.Condition) result.Condition {
	c := result.Condition{Group: result.GroupBounds, Name: "a late message is among what may be lost", Met: result.MetYes, Needed: true}
	b := a.Bounds
	switch {
	case b.Omissions != 0:
		c.Why = "omissions lose a message alone"
	case b.Cuts != 0 && b.Period <= 1:
		c.Why = "cuts of one round lose a message alone"
	case b.Isolations == 0 && b.Cuts == 0 && b.Partitions == 0 && b.Delays != 0:
		c.Met, c.Why = result.MetNo, "within these bounds no message is lost, so none may be later than a delay lets it (omissions=0, max-delay)"
	case b.Isolations == 0 && b.Cuts == 0 && b.Partitions == 0:
		c.Met, c.Why = result.MetNo, "within these bounds no message is lost, so none may be late (omissions=0)"
	case b.Isolations == 0 && b.Cuts == 0:
		c.Met, c.Why = result.MetNo, "a partition loses more than one message, a late message is alone (omissions=0)"
	case b.Period > 1:
		c.Met, c.Why = result.MetNo, "what lasts to the end of a phase loses later messages as well, a late message is alone (omissions=0, period)"
	case leader.Met != result.MetYes:
		c.Met, c.Why = leader.Met, "isolations lose a message alone only where each round is one to all or all to one (omissions=0)"
	default:
		c.Why = "isolations lose a message alone, since each round is one to all or all to one"
	}
	return c
}
