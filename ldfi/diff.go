package ldfi

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Diff explains why the execution of the schedule bad breaks the promise that the one
// of good keeps: by the first fact that is missing, or that must not be there, and the
// changes that led from it to the broken promise. For each fault of bad, Diff also
// executes bad without it and returns what changes. The schedules may have more faults
// than the bounds allow; they must name the processes and rounds of the bounds. If only
// good breaks what the other keeps, good and bad are swapped. Limits and a cancelled
// context are errors here.
func (m *Model) Diff(ctx context.Context, good, bad rounds.Schedule) (*result.Difference, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	v, err := m.version(ctx, good, bad)
	if err != nil {
		return nil, err
	}
	d := &diff{version: v, Difference: &result.Difference{}}
	if d.Good, err = d.side(ctx, good); err != nil {
		return nil, err
	}
	if d.Bad, err = d.side(ctx, bad); err != nil {
		return nil, err
	}
	outcomes := broken(d.Good, d.Bad)
	if len(outcomes) == 0 {
		if outcomes = broken(d.Bad, d.Good); len(outcomes) > 0 {
			d.Good, d.Bad = d.Bad, d.Good
		}
	}
	if len(outcomes) > 0 {
		if err := d.compare(ctx, outcomes); err != nil {
			return nil, err
		}
	}
	d.Text = causality.Describe(d.Difference, m.bounds).Sentences()
	return d.Difference, nil
}

// diff is one call of Diff.
type diff struct {
	*version
	*result.Difference
}

// version is a program that is executed under schedules that it knows.
type version struct {
	*Model
	executor *executor
}

func (m *Model) version(ctx context.Context, all ...rounds.Schedule) (*version, error) {
	for _, s := range all {
		if err := s.Check(m.bounds); err != nil {
			return nil, err
		}
		if err := schedules.Assumed(s, m.bounds); err != nil {
			return nil, err
		}
	}
	x, _, err := newExecutor(ctx, m)
	return &version{m, x}, err
}

// side executes a schedule and judges it.
func (v *version) side(ctx context.Context, s rounds.Schedule) (result.Side, error) {
	broken, err := v.executor.broken(ctx, s)
	side := result.Side{Schedule: s.Normal(), Verdict: result.Holds, Violations: v.stated(broken)}
	if len(broken) > 0 {
		side.Verdict = result.Violated
	}
	return side, err
}

// broken returns the violations that the second of two executions has and the first has
// not.
func broken(good, bad result.Side) []result.Violation {
	return slices.DeleteFunc(slices.Clone(bad.Violations), func(v result.Violation) bool {
		return slices.ContainsFunc(good.Violations, func(w result.Violation) bool { return w.Missing == v.Missing && w.Fact.Compare(v.Fact) == 0 })
	})
}

// compare explains the first of some outcomes in which a fact differs. There may be none:
// expectations can depend on choices.
func (d *diff) compare(ctx context.Context, outcomes []result.Violation) error {
	undone := causality.LeaveOutEach(d.Bad.Schedule, func(s rounds.Schedule) error { return s.Check(d.bounds) })
	schedules := []rounds.Schedule{d.Good.Schedule, d.Bad.Schedule}
	for _, u := range undone {
		schedules = append(schedules, u.Rest)
	}
	worlds, err := provenance.Worlds(ctx, d.program, d.bounds, d.limits(d.executor.promise.relations()...), schedules...)
	if err != nil {
		return err
	}
	bad := explain.New(worlds[1])
	c := explain.NewContrast(explain.New(worlds[0]), bad)
	var outcome result.Violation
	for _, outcome = range outcomes {
		if d.Changes, d.Chain = c.Of(differing(c, outcome)); len(d.Changes) > 0 {
			break
		}
	}
	if d.Outcome = len(d.Changes); d.Outcome == 0 {
		return nil
	}
	happened, err := d.executor.record(ctx, d.Bad.Schedule)
	if err != nil {
		return err
	}
	first := d.Changes[d.Chain[0]-1]
	d.Instead, d.Only = causality.Instead(first, happened)
	d.Held = causality.Held(first, d.Instead, happened)
	for i, u := range undone {
		side, err := d.side(ctx, u.Rest)
		if err != nil {
			return err
		}
		without := result.Without{Fault: u.Fault, Mends: side.Verdict == result.Holds, Violations: side.Violations}
		without.Changes = comesBack(explain.NewContrast(explain.New(worlds[2+i]), bad), outcome, d.Changes)
		for k := range without.Changes {
			without.Changes[k].Alike = alike(c, without.Changes[k])
		}
		d.Without = append(d.Without, without)
	}
	return nil
}

// alike tells whether two worlds are alike in a fact in some round.
func alike(c *explain.Contrast, ch result.Change) bool {
	f := ch.Fact
	for f.Round = ch.Fact.Round; f.Round <= ch.Until; f.Round++ {
		if good, bad := c.Holds(f); good == bad {
			return true
		}
	}
	return false
}

// differing returns the fact of a violation that only one of two worlds has: the missing
// fact, or a fact that holds although it is missing.
func differing(c *explain.Contrast, v result.Violation) recording.Fact {
	if good, bad := c.Holds(v.Fact); good == bad && v.While != nil {
		return *v.While
	}
	return v.Fact
}

// comesBack returns the changes that lead to an outcome in which two worlds differ; or
// if they do not, to the earliest of some changes in which they do.
func comesBack(c *explain.Contrast, outcome result.Violation, among []result.Change) []result.Change {
	changes, chain := c.Of(differing(c, outcome))
	for _, ch := range among {
		if len(chain) > 0 {
			break
		}
		changes, chain = c.Of(ch.Fact)
	}
	return along(changes, chain)
}

// along returns the changes of a chain, numbered anew.
func along(changes []result.Change, chain []int) []result.Change {
	all := make([]result.Change, len(chain))
	for i, number := range chain {
		c := changes[number-1]
		c.Number = i + 1
		causes := c.Causes
		c.Causes = nil
		for _, cause := range causes {
			if cause.Change > 0 {
				if cause.Change = slices.Index(chain, cause.Change) + 1; cause.Change == 0 {
					continue
				}
			}
			c.Causes = append(c.Causes, cause)
		}
		all[i] = c
	}
	return all
}
