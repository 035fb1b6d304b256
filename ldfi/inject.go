package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// injection is one call of Inject.
type injection struct {
	*Model
	result.Injection
}

// Inject executes the schedule s and judges the execution. The schedule may have more
// faults than the bounds allow, which gives a warning; it must name the processes and
// rounds of the bounds, and meet their assumptions. Limits and a cancelled context are
// errors here.
func (m *Model) Inject(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return m.inject(ctx, s, s)
}

// inject is Inject of a schedule of which only what was given has to lie within the bounds.
func (m *Model) inject(ctx context.Context, s, given rounds.Schedule) (*result.Injection, error) {
	if number, asked := m.bounds.Quiet(); asked {
		return m.injectWithin(ctx, s, number)
	}
	if err := s.Check(m.bounds); err != nil {
		return nil, err
	}
	if err := schedules.Assumed(s, m.bounds); err != nil {
		return nil, err
	}
	in := &injection{m, result.Injection{Schedule: s.Normal(), Bounds: m.bounds, Within: true, Warnings: vet.Static(m.program, m.bounds)}}
	if err := schedules.Within(given.Normal(), m.bounds); err != nil {
		in.Injection.Within = false
		in.warn("schedule", "this lies outside the bounds: %s", errors.Unwrap(err))
	}
	judged, err := in.judge(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.record(ctx, judged); err != nil {
		return nil, err
	}
	in.warnOfKinds()
	if judged != nil {
		in.Warnings = append(in.Warnings, withoutValue(m.program, judged.valueless)...)
	}
	in.Senders = m.senders(in.Execution)
	return &in.Injection, in.explain(ctx, judged)
}

// warnOfKinds warns of faults whose kind of message is never sent.
func (in *injection) warnOfKinds() {
	var sent []string
	for i := range in.Execution.Messages {
		if m := &in.Execution.Messages[i]; m.From != m.To && !slices.Contains(sent, m.Relation) {
			sent = append(sent, m.Relation)
		}
	}
	slices.Sort(sent)
	warned := map[string]bool{}
	for _, f := range in.Schedule.Faults {
		if n := in.most(f); f.Nth > n && slices.Contains(sent, f.Of) {
			in.warn("schedule", "%s: it hits no message: %s sends %s %d of the kind %s then", f, f.Process, f.To, n, rounds.KindText(f.Of))
		}
		if f.Of == "" || warned[f.Of] {
			continue
		}
		warned[f.Of] = true
		if _, err := (rounds.Bounds{Kinds: []string{f.Of}}).KindsAmong(sent); err != nil {
			in.warn("schedule", "%s: %v", f, err)
		}
	}
}

// most returns how many messages of the kind of a fault are sent on its link in a round that it strikes, at most.
func (in *injection) most(f rounds.Fault) (most int) {
	sent := map[int]int{}
	for i := range in.Execution.Messages {
		if m := &in.Execution.Messages[i]; m.From == f.Process && m.To == f.To && m.Relation == f.Of && !m.Again && f.Round <= m.Round && m.Round <= max(f.Round, f.Until) {
			sent[m.Round]++
			most = max(most, sent[m.Round])
		}
	}
	return most
}

func (in *injection) warn(where, format string, args ...any) {
	in.Warnings = append(in.Warnings, specs.Warning{
		Position: specs.Position{File: where},
		Message:  fmt.Sprintf(format, args...),
	})
}

// judge executes the part of the program that the promise depends on. The executor is nil
// if there is no promise.
func (in *injection) judge(ctx context.Context) (*executor, error) {
	x, _, err := newExecutor(ctx, in.Model)
	var none *NoPromiseError
	if errors.As(err, &none) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	broken, err := x.broken(ctx, in.Schedule)
	if err != nil {
		return nil, err
	}
	in.Verdict, in.Violations = result.Holds, in.stated(broken)
	if len(broken) > 0 {
		in.Verdict = result.Violated
	}
	return x, nil
}

// record executes the whole program. If that is impossible because of relations that the
// promise does not depend on, it keeps the recording of judge.
func (in *injection) record(ctx context.Context, judged *executor) error {
	machine, err := lockstep.Compile(in.program, in.bounds, lockstep.Options{MaxFacts: in.options.MaxFacts})
	if err == nil {
		in.Execution, err = machine.Execute(ctx, in.Schedule)
	}
	if err == nil || judged == nil || endOf(ctx, err) {
		return err
	}
	in.warn(firstFile(in.program), "only what the promise depends on is shown: %s", err)
	in.Execution, err = judged.record(ctx, in.Schedule)
	return err
}

// explain adds the reason of a violation, as a search that finds the schedule gives it. It
// may cost more than the execution did, and is left out if it is too much work.
func (in *injection) explain(ctx context.Context, judged *executor) error {
	if len(in.Violations) == 0 {
		return nil
	}
	w, err := judged.about(in.Model).explained(ctx, in.Schedule, mostTableWork)
	if w == nil && err == nil {
		w, _, err = in.world(ctx, in.Schedule, judged.promise.relations()...)
	}
	if err == nil {
		in.Because = reason(explain.New(w), in.Execution, in.Violations)
	} else if limitOf(ctx, err) != nil && ctx.Err() == nil {
		in.warn(firstFile(in.program), "the reason is left out: %s", err)
		return nil
	}
	return err
}
