package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Execute executes a schedule, and returns the violations that are not only late, as
// [Target.Once] does.
type Execute func(context.Context, rounds.Schedule) (*recording.Execution, []result.Violation, error)

// Because explains how the faults of a schedule lead to the violation v, one step a line.
// It compares the execution e of the schedule, in its first eot rounds, with an execution
// without faults, which it makes. The first missing message that a longer fault lost is
// also lost alone in one more execution. There are no lines if faults explain nothing: if
// executions may differ, there are no faults, or the property is violated without them as
// well. The last line tells whether the violation needs a fact of a process that has
// crashed. If execute is nil, the target executes.
func (t *Target) Because(ctx context.Context, execute Execute, e *recording.Execution, v result.Violation, eot int) ([]string, error) {
	if execute == nil {
		execute = func(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
			r, err := t.Once(ctx, s, eot)
			if err != nil {
				return nil, nil, err
			}
			return r.Execution, r.Left, nil
		}
	}
	if e == nil || e.Schedule.Size() == 0 || t.differs(e) != "" {
		return nil, nil
	}
	lines, err := t.steps(ctx, execute, e, v, eot)
	if err != nil {
		return nil, err
	}
	dead, err := t.dead(ctx, e, v)
	if err != nil {
		return nil, err
	}
	if dead != "" {
		lines = append(lines, dead)
	}
	return lines, nil
}

// steps returns the differences of an execution from the one without faults.
func (t *Target) steps(ctx context.Context, execute Execute, e *recording.Execution, v result.Violation, eot int) ([]string, error) {
	good, violations, err := execute(ctx, causality.Faultless(e.Schedule))
	switch failed := (*ExecutionError)(nil); {
	case errors.As(err, &failed) || ctx.Err() != nil: // nothing to compare with
		return nil, nil
	case err != nil:
		return nil, err
	case violates(violations, v) || t.differs(good) != "":
		return nil, nil
	}
	d := &result.Difference{Good: result.Side{Schedule: good.Schedule}, Bad: result.Side{Schedule: e.Schedule, Violations: []result.Violation{v}}}
	t.Compare(d, good, e, v, eot)
	lines := causality.Describe(d, e.Bounds).Steps()
	if len(d.Chain) < 2 || len(lines) == 0 {
		return nil, nil
	}
	if last := len(d.Chain) - 1; len(lines) == len(d.Chain) && (v.Fact.Relation == "" || oneChange(d.Changes[d.Chain[last-1]-1], d.Changes[d.Chain[last]-1])) {
		lines = lines[:last] // the reported fact is the violation, or the violation has no fact
	}
	alone, err := alone(ctx, execute, d, v)
	if err != nil {
		return nil, err
	}
	if lines = shorten(lines); alone != "" {
		lines = append(lines, alone)
	}
	return lines, nil
}

// Compare adds to d how the execution bad leads to a violation that good does not have, in
// their first eot rounds.
func (t *Target) Compare(d *result.Difference, good, bad *recording.Execution, v result.Violation, eot int) {
	fact, missing := v.Fact, v.Missing
	if fact.Round == 0 {
		fact.Round = eot
	}
	if fact.Relation == "pre" { // a property that promises something post(..)
		missing = true
		fact.Relation = "post"
	}
	causality.Recorded(d, UpTo(good, eot), UpTo(bad, eot), fact, missing, t.reads(v.Property))
}

// reads returns a function that tells whether the rules of a property read a relation of
// reported facts; all relations are read if the property is a function.
func (t *Target) reads(name string) func(string) bool {
	everything := func(string) bool { return true }
	i := slices.IndexFunc(t.Properties, func(p property.Property) bool { return p.Name == name })
	if i < 0 || t.Properties[i].Rules == nil {
		return everything
	}
	c, err := property.Compile(t.Properties[i])
	if err != nil || c.Rules() == nil {
		return everything
	}
	return func(relation string) bool { return c.Rules().Read(datalog.TableName(relation)) }
}

// UpTo returns the first eot rounds of the execution whole.
func UpTo(whole *recording.Execution, eot int) *recording.Execution {
	e := *whole
	e.Bounds.EOT, e.Facts, e.Messages = eot, nil, nil
	for _, f := range whole.Facts {
		if f.Round <= eot {
			e.Facts = append(e.Facts, f)
		}
	}
	for _, m := range whole.Messages {
		if m.Round <= eot {
			e.Messages = append(e.Messages, m)
		}
	}
	return &e
}

// oneChange tells whether two changes are one.
func oneChange(a, b result.Change) bool { return a.Fact.Compare(b.Fact) == 0 && a.Missing == b.Missing }

// violates tells whether the property of a violation is violated by others.
func violates(all []result.Violation, v result.Violation) bool {
	return slices.ContainsFunc(all, func(w result.Violation) bool { return w.Property == v.Property })
}

// alone says whether the property is violated if only the first missing message is lost, of
// those that a longer fault lost; empty if that is not known.
func alone(ctx context.Context, execute Execute, d *result.Difference, v result.Violation) (string, error) {
	first := d.Changes[d.Chain[0]-1]
	i := slices.IndexFunc(first.Causes, func(c result.Cause) bool { return c.How == causality.Lost })
	if i < 0 || first.Causes[i].Fault.Faults[0].Kind == rounds.Omit {
		return "", nil
	}
	c := first.Causes[i]
	s := causality.Faultless(d.Bad.Schedule)
	omit := rounds.Fault{Kind: rounds.Omit, Process: c.From, To: c.To, Round: c.Round}
	s.Faults = append(s.Faults, omit)
	_, violations, err := execute(ctx, s.Normal())
	if failed := (*ExecutionError)(nil); errors.As(err, &failed) || ctx.Err() != nil {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if violates(violations, v) {
		return fmt.Sprintf("that loss alone breaks it too: %s", omit), nil
	}
	return fmt.Sprintf("that loss alone does not break it: %s", omit), nil
}

// mostSteps limits the steps of a chain that are written: the first and the last ones.
const mostSteps = 8

// shorten leaves out the middle of many steps.
func shorten(steps []string) []string {
	if len(steps) <= mostSteps {
		return steps
	}
	const first = mostSteps / 2
	last := mostSteps - first - 1
	left := len(steps) - first - last
	return slices.Concat(steps[:first], []string{fmt.Sprintf("… %d more steps: ldfi diff shows them", left)}, steps[len(steps)-last:])
}
