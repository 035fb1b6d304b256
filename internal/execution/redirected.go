package execution

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Redirected adds faults to those of a schedule. A delay of an earlier round replaces the one
// of the same message.
func Redirected(all, more []rounds.Fault, round int) []rounds.Fault {
	all = slices.Clone(all)
	for _, f := range more {
		same := func(g rounds.Fault) bool { g.Kind, g.By = f.Kind, f.By; return g == f }
		if i := slices.IndexFunc(all, same); i >= 0 && f.Round < round {
			all[i] = f
		} else {
			all = append(all, f)
		}
	}
	return all
}
