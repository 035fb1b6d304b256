package universe

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// domain is what faults of a kind strike where nothing is taken for granted,
// numbered from 0.
type domain struct {
	count func(*Universe) int
	name  func(u *Universe, target int, f *rounds.Fault)      // writes it into a fault
	of    func(*Universe, rounds.Fault) (target int, ok bool) // reads it
}

// processes are what most faults strike.
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

// pointsOfProcesses are the points within a round at which each process can crash,
// those of the first process first.
var pointsOfProcesses = domain{
	count: func(u *Universe) int { return u.pointsFrom(u.n) },
	name: func(u *Universe, target int, f *rounds.Fault) {
		p := 0
		for target >= u.pointsFrom(p+1) {
			p++
		}
		f.Process = u.bounds.Processes[p]
		f.Detail = u.points(p)[target-u.pointsFrom(p)]
	},
	of: func(u *Universe, f rounds.Fault) (int, bool) {
		p, ok := u.index[f.Process]
		if !ok {
			return 0, false
		}
		i := slices.Index(u.points(p), f.Detail)
		return u.pointsFrom(p) + i, i >= 0
	},
}

// points returns the points of a process.
func (u *Universe) points(p int) []string { return u.bounds.Points[u.bounds.Processes[p]] }

// pointsFrom returns the number of points of all processes before one.
func (u *Universe) pointsFrom(p int) int { return u.before[p] }

// link returns the number of a link from one process to another, and ends the
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
