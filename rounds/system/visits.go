package system

import "github.com/lineage-driven/ldfi/internal/execution"

// visits are the points that the processes of self-tests came to, and at which they
// crashed: a/persisted.
type visits struct {
	declared      map[string][]string
	came, crashed map[string]bool
}

func newVisits(declared map[string][]string) *visits {
	return &visits{declared, map[string]bool{}, map[string]bool{}}
}

// see notes the points of one transition.
func (v *visits) see(t Transition) {
	for _, point := range t.Passed {
		v.came[t.Process+"/"+point] = true
	}
	if t.Point != "" {
		v.crashed[t.Process+"/"+t.Point] = true
	}
}

// tell says in a test what was seen, with the processes in this order.
func (v *visits) tell(processes []string, ran *execution.Test) {
	ran.Points, ran.CrashedAt, ran.Never = 0, len(v.crashed), nil
	for _, name := range processes {
		for _, point := range v.declared[name] {
			ran.Points++
			if place := name + "/" + point; !v.came[place] {
				ran.Never = append(ran.Never, place)
			}
		}
	}
}
