package ldfi

import (
	"context"
	"errors"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// HypothesesAnyRounds lists the minimal sets of faults that break the promise, whenever they happen and as often as the
// bounds allow: without one of a set the others never break it, in any number of rounds. Each has the schedule of a
// bounded search, which was executed. Rounds.Others says that a proof for any number of rounds excludes
// all others. At most Options.Max sets are listed.
func (m *Model) HypothesesAnyRounds(ctx context.Context) (*result.Answer, error) {
	a, err := m.AnyRounds(ctx)
	if err != nil || a.Verdict != result.Violated {
		return a, err
	}
	u, err := m.unbounded(ctx)
	if err != nil {
		return nil, err
	}
	w := &whenever{unbounded: u, sets: []set{}}
	listed := m.unanswered()
	listed.Verdict, listed.Rounds, listed.Warnings = result.Violated, a.Rounds, a.Warnings
	listed.Scope.Text = m.bounds.OfAnyRounds()
	found := &occurrence{a.First(), a.Rounds.Round}
	for found != nil && len(w.sets) < max(m.options.Max, 1) {
		s, err := w.minimal(found)
		if err != nil {
			return nil, err
		}
		w.sets, w.others = append(w.sets, *s), ""
		if found, err = w.another(nil); errors.Is(err, errUnknown) {
			found, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	if found != nil {
		w.others = "there are others: --max lists more"
	}
	for _, s := range w.smallest() {
		listed.Counterexamples = append(listed.Counterexamples, *s.shown.counterexample)
		a.Rounds.Sets = append(a.Rounds.Sets, result.Set{Faults: s.faults, Minimal: s.minimal, Round: s.shown.round})
	}
	a.Rounds.Others, listed.Complete = w.others, w.others == ""
	return listed, nil
}

// smallest are the sets of which no other is a part. If a proof excludes others, each of their faults is needed.
func (w *whenever) smallest() (few []set) {
	for i, s := range w.sets {
		part := func(o set) bool {
			return len(o.faults) < len(s.faults) && !slices.ContainsFunc(o.faults, func(f string) bool { return !slices.Contains(s.faults, f) })
		}
		if !slices.ContainsFunc(w.sets, part) {
			few = append(few, w.sets[i])
			few[len(few)-1].minimal = s.minimal || w.others == ""
		}
	}
	return few
}

// whenever is one call of HypothesesAnyRounds.
type whenever struct {
	*unbounded
	at     *provenance.Step // evaluated last; nil: has to be
	sets   []set
	others string // why there may be others; "": a proof says that there are none
	asked  int    // bounded searches for the schedule that is looked for
}

// set is a set of faults, whatever their rounds.
type set struct {
	faults  []string
	minimal bool // without any of them the others never break the promise
	shown   *occurrence
}

// occurrence is a schedule that breaks the promise, and the round in which it does.
type occurrence struct {
	counterexample *result.Counterexample
	round          int
}

// faults are the faults of a schedule without their rounds, sorted as there.
func (o *occurrence) faults() (all []string) {
	for _, f := range o.counterexample.Schedule.Faults {
		if name := provenance.Roundless(f); f.Kind != rounds.Choose && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// errUnknown says that a search came to no end.
var errUnknown = errors.New("not decided")

// minimal leaves out faults without which the others break the promise in some round.
func (w *whenever) minimal(o *occurrence) (*set, error) {
	minimal := true
	for i := 0; i < len(o.faults()); {
		less := slices.Delete(o.faults(), i, i+1)
		smaller, err := w.another(func(fault string) bool { return slices.Contains(less, fault) })
		switch {
		case errors.Is(err, errUnknown):
			minimal = false
			i++
		case err != nil:
			return nil, err
		case smaller != nil:
			o, i = smaller, 0
		default:
			i++
		}
	}
	return &set{o.faults(), minimal, o}, nil
}

// another looks for a schedule that breaks the promise: of some faults only, or, without a restriction, one that has
// not all faults of a set that is known. It is nil if a proof says that there is none.
func (w *whenever) another(only func(fault string) bool) (*occurrence, error) {
	o, err := w.look(only)
	if err != nil && w.ctx.Err() != nil {
		w.others = "there may be others: the time is up, or it was interrupted"
		return nil, errUnknown
	}
	return o, err
}

// look is another without regard to the time.
func (w *whenever) look(only func(fault string) bool) (*occurrence, error) {
	for raised := 0; ; raised++ {
		if w.at == nil {
			step, err := w.step()
			if errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*solver.LimitError)) {
				w.others = "the next round has too many facts"
				return nil, errUnknown
			}
			if err != nil {
				return nil, err
			}
			w.at = step
		}
		r, err := w.system(w.at, only).Reach(w.ctx, mostReachCalls)
		switch {
		case errors.As(err, new(*solver.ReachLimitError)):
			w.others = "there may be others: " + err.Error()
			return nil, errUnknown
		case err != nil:
			return nil, err
		case r.Never:
			return nil, nil
		}
		w.asked = 0
		for round := max(r.Depth+1, w.bounds.Shortest()); round <= max(r.Steps+1, w.at.Begin())+w.bounds.Late(); round++ {
			if o, err := w.bounded(round, only, nil); o != nil || err != nil {
				return o, err
			}
		}
		if raised == mostRaised {
			w.others = "there may be others: the facts that can be there after a round become more with the rounds"
			return nil, errUnknown
		}
		if err := w.raise(w.at); err != nil {
			return nil, err
		}
		w.at = nil
	}
}

// system is the step in which only some faults happen, or never all faults of a known set. Which of them have
// happened is state.
func (w *whenever) system(s *provenance.Step, only func(fault string) bool) *solver.Transitions {
	c := s.Graph.Circuit
	begins := s.Begins()
	bad := w.bad(s)
	t := s.Transitions(solver.False)
	if only != nil {
		for _, f := range begins {
			if !only(f.Name) {
				t.Valid = c.And(t.Valid, f.Lit.Not())
			}
		}
	} else {
		happened := map[string]solver.Lit{}
		for _, f := range begins {
			if slices.ContainsFunc(w.sets, func(s set) bool { return slices.Contains(s.faults, f.Name) }) {
				before := c.Input()
				happened[f.Name] = c.Or(before, f.Lit)
				t.State, t.Next = append(t.State, before), append(t.Next, happened[f.Name])
				for i := range t.Renamings {
					t.Renamings[i] = append(t.Renamings[i], len(t.State)-1)
				}
			}
		}
		for _, known := range w.sets {
			all := solver.True
			for _, name := range known.faults {
				all = c.And(all, happened[name])
			}
			bad = c.And(bad, all.Not())
		}
	}
	t.Bad = c.Ors(bad, s.Overflow, s.Undefined)
	return t
}

// mostBounded limits the bounded searches for one schedule.
const mostBounded = 1000

// bounded looks for a schedule of so many rounds in which some faults do not happen. Of each known set one is left out, in all
// ways.
func (w *whenever) bounded(round int, only func(fault string) bool, without []string) (*occurrence, error) {
	if only == nil {
		for _, known := range w.sets {
			if slices.ContainsFunc(known.faults, func(f string) bool { return slices.Contains(without, f) }) {
				continue
			}
			for _, f := range known.faults {
				if o, err := w.bounded(round, nil, append(slices.Clone(without), f)); o != nil || err != nil {
					return o, err
				}
			}
			return nil, nil
		}
	}
	if w.asked++; w.asked > mostBounded {
		w.others = "there are others, but no schedule of one was found by 1000 searches within bounds"
		return nil, errUnknown
	}
	m, err := New(w.Model.program, w.Model.bounds.Lasting(round), w.options)
	if err != nil {
		return nil, err
	}
	m.options.Max = 1
	q, err := newQuestion(w.ctx, m)
	if err != nil {
		return nil, err
	}
	q.assume([]*assumption{{forbids: true, units: func(f rounds.Fault) bool {
		name := provenance.Roundless(f)
		return f.Kind != rounds.Choose && (only != nil && !only(name) || slices.Contains(without, name))
	}}})
	a := m.unanswered()
	if err := q.answer(w.ctx, a); err != nil && limitOf(w.ctx, err) == nil {
		return nil, err
	}
	if a.Verdict != result.Violated {
		return nil, nil
	}
	c := a.First()
	c.Minimal, c.Among = false, ""
	return &occurrence{c, round}, nil
}
