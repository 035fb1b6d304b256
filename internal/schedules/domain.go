package schedules

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// domain has the possible targets of faults of a kind without assumptions, numbered from 0.
type domain struct {
	count func(*Universe) int
	name  func(u *Universe, target int, f *rounds.Fault)      // writes it into a fault
	of    func(*Universe, rounds.Fault) (target int, ok bool) // reads it
}

// processes is the domain of most faults.
var processes = domain{
	count: func(u *Universe) int { return u.n },
	name:  func(u *Universe, target int, f *rounds.Fault) { f.Process = u.bounds.Processes[target] },
	of: func(u *Universe, f rounds.Fault) (int, bool) {
		p, ok := u.index[f.Process]
		return p, ok
	},
}

// pairsOfProcesses are the links that lead from one process to another.
var pairsOfProcesses = domain{
	count: func(u *Universe) int { return u.n * (u.n - 1) },
	name: func(u *Universe, target int, f *rounds.Fault) {
		from, to := u.ends(target)
		f.Process, f.To = u.bounds.Processes[from], u.bounds.Processes[to]
	},
	of: func(u *Universe, f rounds.Fault) (int, bool) {
		from, sends := u.index[f.Process]
		to, receives := u.index[f.To]
		return u.link(from, to), sends && receives && from != to
	},
}

// outcomes are the possible contents of a disk after a crash, as far as they were not
// synced.
var outcomes = []string{"", "kept", "torn"}

// outcomesOfProcesses are the crashes of each process at the beginning of a round after
// which its disk has more than the synced data.
var outcomesOfProcesses = domain{
	count: func(u *Universe) int { return u.n * (len(outcomes) - 1) },
	name: func(u *Universe, target int, f *rounds.Fault) {
		f.Process, f.Detail = u.bounds.Processes[target/(len(outcomes)-1)], outcomes[1+target%(len(outcomes)-1)]
	},
	of: func(u *Universe, f rounds.Fault) (int, bool) {
		p, ok := u.index[f.Process]
		outcome := slices.Index(outcomes, f.Detail)
		return u.outcome(p, outcome), ok && outcome > 0
	},
}

// outcome returns the target of a crash with an outcome that is not the first.
func (u *Universe) outcome(process, outcome int) int { return process*(len(outcomes)-1) + outcome - 1 }

// pointsOfProcesses are the points within a round at which each process can crash, those of
// the first process first, each with every outcome.
var pointsOfProcesses = domain{
	count: func(u *Universe) int { return u.before[u.n] },
	name: func(u *Universe, target int, f *rounds.Fault) {
		p := 0
		for target >= u.before[p+1] {
			p++
		}
		i := target - u.before[p]
		f.Process, f.Detail = u.bounds.Processes[p], u.points(p)[i/u.outcomes]
		if i%u.outcomes > 0 {
			f.Detail += "/" + outcomes[i%u.outcomes]
		}
	},
	of: func(u *Universe, f rounds.Fault) (int, bool) {
		p, ok := u.index[f.Process]
		if !ok {
			return 0, false
		}
		i, outcome := slices.Index(u.points(p), f.Point()), slices.Index(outcomes[:u.outcomes], f.Disk())
		return u.atPoint(p, i, outcome), i >= 0 && outcome >= 0
	},
}

// points returns the points of a process.
func (u *Universe) points(p int) []string { return u.bounds.Points[u.bounds.Processes[p]] }

// atPoint returns the target of a crash of a process at a point, with an outcome.
func (u *Universe) atPoint(p, point, outcome int) int {
	return u.before[p] + point*u.outcomes + outcome
}

// link returns the number of the link from one process to another, and ends returns the two
// processes of a link.
func (u *Universe) link(from, to int) int {
	if to > from {
		to--
	}
	return from*(u.n-1) + to
}

func (u *Universe) ends(link int) (from, to int) {
	from, to = link/(u.n-1), link%(u.n-1)
	if to >= from {
		to++
	}
	return from, to
}
