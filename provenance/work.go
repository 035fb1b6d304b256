package provenance

import (
	"math"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/solver"
)

// work has the limit of the work of an evaluation, and the part that is not counted
// elsewhere.
type work struct {
	tabled     bool  // questions are answered by tables
	most       int64 // of all work
	mostInside int64 // of the work in one recursive component
	until      int64 // the limit of the work for the present component
	asked      int64 // the work of solvers
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

// done returns the work done so far.
func (l *budget) done() int64 {
	done := int64(l.steps+l.firings) + l.circuit.Work() + l.asked
	if l.probe != nil {
		done += l.probe.diagrams.Work() / stepsOfDiagrams
	}
	return done
}

// stepsOfDiagrams is the number of steps of diagrams that take as long as another step.
const stepsOfDiagrams = 16

// tell reports the work done to the caller.
func (l *budget) tell() int64 {
	done := l.done()
	if l.told != nil {
		l.told.Store(done)
	}
	return done
}

// tooMuch reports the work done to the caller, and ends the evaluation if it exceeds the
// limit.
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
	l.err = &limits.LimitError{What: what, Count: int(done), Round: l.now}
}

// enter begins a recursive component, and leave ends it.
func (l *budget) enter() {
	l.inside = true
	if l.mostInside > 0 {
		l.until = l.done() + l.mostInside
	}
}

func (l *budget) leave() { l.inside, l.until = false, math.MaxInt64 }
