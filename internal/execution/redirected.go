package execution

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Redirected adds faults to those of a schedule. A delay of an earlier round replaces the one
// of the same message.
func Redirected(all, more []rounds.Fault, round int) []rounds.Fault {
	return Redirect(slices.Clone(all), more, round)
}

// Redirect is Redirected for a slice that it may change.
func Redirect(all, more []rounds.Fault, round int) []rounds.Fault {
	for _, f := range more {
		at := -1
		if f.Round < round {
			at = DelayedBy(all, f)
		}
		if at < 0 {
			all = append(all, f)
		} else {
			all[at] = f
		}
	}
	return all
}

// DelayedBy returns the place of the last delay of the message that f hits, -1 if there is none.
func DelayedBy(all []rounds.Fault, f rounds.Fault) int {
	for i := len(all) - 1; i >= 0; i-- {
		if g := &all[i]; g.Kind == rounds.Delay && g.Round == f.Round && g.Process == f.Process && g.To == f.To && g.Of == f.Of &&
			g.Nth == f.Nth && g.Until == f.Until && g.Detail == f.Detail {
			return i
		}
	}
	return -1
}
