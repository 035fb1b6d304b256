package ldfi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Injection is what happened under one schedule.
type Injection struct {
	Verdict    Verdict // Violated or Holds, of this one execution; "" if the program promises nothing
	Schedule   rounds.Schedule
	Violations []Violation
	Execution  *recording.Execution // everything that happened
	Reason     []string             // which supports the faults take away, one a line
	Within     bool                 // the schedule lies within the bounds
	Warnings   []specs.Warning
	Bounds     rounds.Bounds
}

// Inject executes one schedule and judges the execution. The schedule may lie
// outside the bounds on the number of faults, which is a warning; it must name
// the processes and rounds of the bounds. Limits and a cancelled context are
// errors here.
func Inject(ctx context.Context, p *dedalus.Program, b rounds.Bounds, s rounds.Schedule, o Options) (*Injection, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	b, o = b.Normal(), o.normal()
	if err := s.Check(b.Processes, b.EOT); err != nil {
		return nil, err
	}
	in := &Injection{Schedule: s.Normal(), Bounds: b, Within: true, Warnings: staticWarnings(p, b)}
	if err := universe.Within(in.Schedule, b); err != nil {
		in.Within = false
		in.warn("schedule", "this lies outside the bounds: %s", strings.TrimPrefix(err.Error(), "schedule: "))
	}
	judged, err := in.judge(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if err := in.record(ctx, p, o, judged); err != nil {
		return nil, err
	}
	if judged != nil {
		in.Warnings = append(in.Warnings, withoutValue(p, judged.valueless)...)
	}
	return in, in.explain(ctx, p, o)
}

func (in *Injection) warn(where, format string, args ...any) {
	in.Warnings = append(in.Warnings, specs.Warning{
		Position: specs.Position{File: where},
		Message:  fmt.Sprintf(format, args...),
	})
}

// judge executes what the promise depends on. The executor is nil if nothing is
// promised.
func (in *Injection) judge(ctx context.Context, p *dedalus.Program, o Options) (*executor, error) {
	w, err := promiseOf(p, o.Goals, in.Bounds.EOT)
	var none *NoPromiseError
	if errors.As(err, &none) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	x, _, err := newExecutor(ctx, p, in.Bounds, w, o.MaxFacts)
	if err != nil {
		return nil, err
	}
	if in.Violations, err = x.broken(ctx, in.Schedule); err != nil {
		return nil, err
	}
	in.Verdict = Holds
	if len(in.Violations) > 0 {
		in.Verdict = Violated
	}
	return x, nil
}

// record executes the whole program. Where that is not possible for relations
// that the promise does not depend on, it keeps what the promise depends on.
func (in *Injection) record(ctx context.Context, p *dedalus.Program, o Options, judged *executor) error {
	machine, err := lockstep.Compile(p, in.Bounds, lockstep.Options{MaxFacts: o.MaxFacts})
	if err == nil {
		in.Execution, err = machine.Execute(ctx, in.Schedule)
	}
	if err == nil || judged == nil || endOf(ctx, err) {
		return err
	}
	in.warn(firstFile(p), "only what the promise depends on is shown: %s", err)
	in.Execution, err = judged.record(ctx, in.Schedule)
	return err
}

// explain finds the reason of a violation. It may cost more than the execution
// did, and is left out where it is too much.
func (in *Injection) explain(ctx context.Context, p *dedalus.Program, o Options) error {
	if len(in.Violations) == 0 {
		return nil
	}
	first := in.Violations[0]
	only := []string{first.Fact.Relation}
	if first.While != nil {
		only = append(only, first.While.Relation)
	}
	g, err := provenance.Evaluate(ctx, p, provenance.Covering(in.Bounds, in.Schedule), provenance.Options{
		Only:     only,
		MaxFacts: o.MaxFacts,
		MaxGates: o.MaxGates,
	})
	if err == nil {
		in.Reason, err = reason(g, in.Schedule, in.Violations)
	}
	if err != nil && limitOf(ctx, err) != nil && ctx.Err() == nil {
		in.warn(firstFile(p), "the reason is left out: %s", err)
		return nil
	}
	return err
}
