package subject

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Diff explains how the execution of bad breaks the promise, and that of good keeps it
// ([ldfi.Model.Diff]). For a system it compares the messages and reports of its processes.
func (o *Opened) Diff(ctx context.Context, good, bad rounds.Schedule) (*result.Difference, error) {
	if err := o.Fits(good); err != nil {
		return nil, err
	}
	return fitting(ctx, o, bad, func() (*result.Difference, error) { return o.diff(ctx, good, bad) })
}

// DiffWith explains how one version breaks the promise under a schedule, and the other
// version keeps it ([ldfi.Model.DiffWith]). Both versions are protocols, or both are
// systems.
func (o *Opened) DiffWith(ctx context.Context, other *Opened, s rounds.Schedule) (*result.Difference, error) {
	if err := o.comparable(other); err != nil {
		return nil, err
	}
	for _, v := range []*Opened{o, other} {
		if err := v.Fits(s); err != nil {
			return nil, &MisfitError{fmt.Errorf("%s: %w", v.Version(), err)}
		}
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.Difference, error) { return o.diffWith(ctx, other, s) })
}

// comparable reports why two versions cannot be compared.
func (o *Opened) comparable(other *Opened) error {
	if (o.AsProtocol() == nil) != (other.AsProtocol() == nil) {
		return fmt.Errorf("%s and %s cannot be compared: one is a protocol, and the other a system", o.Version(), other.Version())
	}
	return causality.Comparable(o.Version(), o.Bounds(), other.Version(), other.Bounds())
}

// exact returns an error for a system whose executions may differ: a comparison shows
// nothing.
func (h *OpenedSystem) exact() error {
	if why := h.System.Inexact; why != "" {
		return fmt.Errorf("two executions of one schedule of system %q may differ even without other faults, so a comparison says nothing%s", h.Name, result.InexactAdvice(why))
	}
	return nil
}

func (h *OpenedSystem) diffWith(ctx context.Context, with asked, s rounds.Schedule) (*result.Difference, error) {
	other := with.AsSystem()
	if err := cmp.Or(h.exact(), other.exact()); err != nil {
		return nil, err
	}
	good, bad, outcome, err := sides(ctx, executed{OpenedSystem: other, schedule: s}, executed{OpenedSystem: h, schedule: s})
	if err != nil {
		return nil, err
	}
	d := newDifference(sideOf(good.Injection), sideOf(bad.Injection))
	d.Good.Version, d.Bad.Version = good.question.Version, bad.question.Version
	if outcome != nil {
		bad.compared(d, good.Injection, bad.Injection, outcome)
	}
	d.Text = causality.Describe(d, h.Bounds()).Sentences()
	return d, nil
}

// executed is the execution of a schedule by a system.
type executed struct {
	*OpenedSystem
	schedule rounds.Schedule
	*result.Injection
}

// sides executes two schedules. The second result breaks an outcome that the first one
// keeps, in the order good, bad if possible. The outcome is nil if there is no such
// difference.
func sides(ctx context.Context, good, bad executed) (_, _ executed, outcome *result.Violation, err error) {
	for _, e := range []*executed{&bad, &good} {
		if e.Injection, err = e.watched(ctx, e.schedule); err != nil {
			return good, bad, nil, err
		}
	}
	if outcome = brokenOnlyBy(good.Injection, bad.Injection); outcome == nil {
		if outcome = brokenOnlyBy(bad.Injection, good.Injection); outcome != nil {
			good, bad = bad, good
		}
	}
	return good, bad, outcome, nil
}

func newDifference(good, bad result.Side) *result.Difference {
	return &result.Difference{Good: good, Bad: bad, Chain: []int{}, Instead: []result.Cause{}, Changes: []result.Change{}, Without: []result.Without{}}
}

// compared compares two recordings by an outcome of the promise.
func (h *OpenedSystem) compared(d *result.Difference, good, bad *result.Injection, outcome *result.Violation) {
	h.Compare(d, good.Execution, bad.Execution, *outcome, h.limits.EOT)
}

func (h *OpenedSystem) diff(ctx context.Context, good, bad rounds.Schedule) (*result.Difference, error) {
	if err := h.exact(); err != nil {
		return nil, err
	}
	first, second, outcome, err := sides(ctx, executed{OpenedSystem: h, schedule: good}, executed{OpenedSystem: h, schedule: bad})
	if err != nil {
		return nil, err
	}
	d := newDifference(sideOf(first.Injection), sideOf(second.Injection))
	if outcome != nil {
		h.compared(d, first.Injection, second.Injection, outcome)
		if err := h.undoEach(ctx, d); err != nil {
			return nil, err
		}
	}
	d.Text = causality.Describe(d, h.Bounds()).Sentences()
	return d, nil
}

func sideOf(in *result.Injection) result.Side {
	return result.Side{Schedule: in.Schedule, Verdict: in.Verdict, Violations: in.Violations}
}

// brokenOnlyBy returns the first violation that the second of two executions has and the
// first has not, nil if there is none.
func brokenOnlyBy(good, bad *result.Injection) *result.Violation {
	for _, v := range bad.Violations {
		if !slices.ContainsFunc(good.Violations, func(w result.Violation) bool { return w.Property == v.Property && w.Fact.Compare(v.Fact) == 0 }) {
			return &v
		}
	}
	return nil
}

// undoEach executes the bad schedule without each of its faults.
func (h *OpenedSystem) undoEach(ctx context.Context, d *result.Difference) error {
	for _, u := range causality.LeaveOutEach(d.Bad.Schedule, h.fits) {
		in, err := h.replay(ctx, u.Rest)
		if err != nil {
			return err
		}
		d.Without = append(d.Without, result.Without{
			Fault: u.Fault, Mends: in.Verdict == result.Holds, Violations: in.Violations,
			Changes: causality.Restored(d, search.UpTo(in.Execution, h.limits.EOT)),
		})
	}
	return nil
}
