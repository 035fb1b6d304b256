package explore

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/rounds"
)

// Exploration is where somebody stands who tries fault hypotheses. One goroutine changes
// it; what takes its time can be asked beside that.
type Exploration struct {
	*history
	asked    *subject.Opened
	trials   subject.Trials
	bounds   rounds.Bounds
	universe *schedules.Universe
	system   bool
	saved    string // the schedule that a file has
	rows     [3][]Cell
	fold     string // by what fault sets are put in groups
}

// bySymmetry is how fault sets are put in groups to begin with: those that differ in their
// rounds, and in names that the program does not tell apart.
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

// Bounds are those within which hypotheses are looked for.
func (e *Exploration) Bounds() rounds.Bounds { return e.bounds }

// Schedule is the current one, in normal form.
func (e *Exploration) Schedule() rounds.Schedule { return e.now.schedule }

// Within tells whether the current schedule lies within the bounds: only such ones are
// found by questions.
func (e *Exploration) Within() bool { return e.asked.Within(e.now.schedule) == nil }

// Set makes a schedule the current one. It stays as it was if that cannot be executed,
// and the error says why.
func (e *Exploration) Set(s rounds.Schedule) error { return e.set(s, e.now.locks) }

func (e *Exploration) set(s rounds.Schedule, locks []Lock) error {
	s = e.asked.Spare(s).Normal()
	if err := e.asked.Fits(s); err != nil {
		return err
	}
	e.move(state{s, locks})
	return nil
}

// list is a place in a list, and the part of it that is seen.
type list struct{ at, top int }

// move goes to another place, as far as there are so many.
func (l *list) move(by, of int) { l.at = max(min(l.at+by, of-1), 0) }

// window returns the first and the end of those that are seen.
func (l *list) window(height, of int) (from, to int) {
	l.at = max(min(l.at, of-1), 0)
	l.top = window(l.top, l.at, of, height)
	return l.top, min(l.top+max(height, 0), of)
}
