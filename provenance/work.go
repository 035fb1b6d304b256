package provenance

import (
	"math"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/solver"
)

// work is how much work an evaluation may be, and what of it is not counted elsewhere.
type work struct {
	tabled     bool  // questions are answered by tables
	most       int64 // of all work
	mostInside int64 // of that of one recursive component
	until      int64 // by how much work that of the present one has to be done
	asked      int64 // what solvers were asked
	probe      *probe
	inside     bool // a recursive component
	told       *atomic.Int64
}

func newWork(c *solver.Circuit, o Options) work {
	w := work{tabled: c.Assignments() > 0, most: o.MaxSteps, mostInside: o.MaxRecursion, until: math.MaxInt64, told: o.Work}
	if w.most <= 0 {
		w.most = math.MaxInt64
	}
	return w
}

// done returns how much work was done so far.
func (l *budget) done() int64 {
	done := int64(l.steps+l.firings) + l.circuit.Work() + l.asked
	if l.probe != nil {
		done += l.probe.diagrams.Work() / stepsOfDiagrams
	}
	return done
}

// stepsOfDiagrams is how many steps of diagrams take as long as another one.
const stepsOfDiagrams = 16

// tell tells the caller how much work was done.
func (l *budget) tell() int64 {
	done := l.done()
	if l.told != nil {
		l.told.Store(done)
	}
	return done
}

// tooMuch tells the caller how much work was done, and ends the evaluation if that is too
// much.
func (l *budget) tooMuch() {
	done := l.tell()
	what := StepsOfWork
	switch {
	case done > l.most:
	case done > l.until:
		what = StepsOfRecursion
	default:
		return
	}
	l.err = &refusal.LimitError{What: what, Count: int(done), Round: l.now}
}

// enter begins a recursive component, and leave ends it.
func (l *budget) enter() {
	l.inside = true
	if l.mostInside > 0 {
		l.until = l.done() + l.mostInside
	}
}

func (l *budget) leave() { l.inside, l.until = false, math.MaxInt64 }
