package explore

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/rounds"
)

// Exploration is the state of a user who tries fault hypotheses. One goroutine changes it;
// long questions can be asked at the same time.
type Exploration struct {
	*history
	asked    *subject.Opened
	trials   subject.Trials
	bounds   rounds.Bounds
	universe *schedules.Universe
	system   bool
	saved    string // the schedule that a file has
	rows     [3][]Cell
	fold     string // the way of grouping fault sets
}

// bySymmetry is the first way of grouping fault sets: sets of a group differ in their
// rounds, and in names that the program does not distinguish.
const bySymmetry = "symmetry"

// New begins an exploration without faults.
func New(ctx context.Context, o *subject.Opened) (*Exploration, error) {
	trials, err := o.Trials(ctx)
	if err != nil {
		return nil, err
	}
	e := &Exploration{
		history: &history{}, asked: o, trials: trials,
		bounds: o.Bounds(), universe: schedules.New(o.Bounds()), system: o.AsProtocol() == nil,
	}
	e.rows = rowsOf(e.bounds, e.universe)
	if p := o.AsProtocol(); p != nil && slices.Contains(p.Folds(), bySymmetry) {
		e.fold = bySymmetry
	}
	return e, nil
}

// Bounds returns the bounds of hypotheses.
func (e *Exploration) Bounds() rounds.Bounds { return e.bounds }

// Schedule is the current one, in normal form.
func (e *Exploration) Schedule() rounds.Schedule { return e.now.schedule }

// Within tells whether the current schedule lies within the bounds: questions find only
// such schedules.
func (e *Exploration) Within() bool { return e.asked.Within(e.now.schedule) == nil }

// Set makes a schedule the current one. If the schedule cannot be executed, nothing
// changes, and the error says why.
func (e *Exploration) Set(s rounds.Schedule) error { return e.set(s, e.now.locks) }

func (e *Exploration) set(s rounds.Schedule, locks []Lock) error {
	s = e.asked.Spare(s).Normal()
	if err := e.asked.Fits(s); err != nil {
		return err
	}
	e.move(state{s, locks})
	return nil
}

// list is a position in a list, and its first visible line.
type list struct{ at, top int }

// move moves the position by a number of lines in a list of the given length.
func (l *list) move(by, of int) { l.at = max(min(l.at+by, of-1), 0) }

// window returns the first and the end of the visible part.
func (l *list) window(height, of int) (from, to int) {
	l.at = max(min(l.at, of-1), 0)
	l.top = window(l.top, l.at, of, height)
	return l.top, min(l.top+max(height, 0), of)
}
