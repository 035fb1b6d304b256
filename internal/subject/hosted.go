package subject

import (
	"context"
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/universe"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// hosted is a system of a host that runs, with its bounds.
type hosted struct {
	subject *Subject
	host    *host
	limits  rounds.Bounds
}

func (h *hosted) close() { h.host.close() }

func (h *hosted) bounds() rounds.Bounds { return h.limits.Normal() }

func (h *hosted) search(ctx context.Context) (*result.Answer, error) {
	o := search.Options{Strategy: h.subject.Strategy, Bounds: h.limits, Seed: h.subject.Seed, Executions: h.subject.Executions}
	if h.subject.Progress != nil {
		o.Progress = func(p result.Progress) { h.subject.Progress(fmt.Sprintf("%d executions, %s", p.Executions, p.Text)) }
	}
	a, err := h.host.Search(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			return h.ended(ctx), nil
		}
		return nil, err
	}
	for _, c := range a.Counterexamples {
		h.placed(c.Violations)
	}
	return a, nil
}

// ended is the answer when a context ended before the search began.
func (h *hosted) ended(ctx context.Context) *result.Answer {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return inconclusive(h.bounds(), result.LimitTimeout, "the time is up")
	}
	return inconclusive(h.bounds(), result.LimitInterrupted, "interrupted")
}

func (h *hosted) replay(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	e, violations, err := h.host.Execute(ctx, s, h.limits.EOT, messages.Always)
	if err != nil {
		return nil, err
	}
	in := &result.Injection{
		Verdict: result.Holds, Schedule: s.Normal(), Within: universe.Within(s, h.bounds()) == nil,
		Violations: h.placed(violations), Bounds: h.bounds(), Execution: e,
	}
	if len(violations) > 0 {
		in.Verdict = result.Violated
	}
	return in, nil
}

func (h *hosted) fits(s rounds.Schedule) error {
	return s.Check(h.host.Processes, h.limits.EOT)
}

// placed says in which files the properties are stated that are broken.
func (h *hosted) placed(all []result.Violation) []result.Violation {
	for i, v := range all {
		if file := h.subject.fileOf(v.Property); file != "" {
			all[i].Position = specs.Position{File: file, Line: 1, Column: 1}
		}
	}
	return all
}

func (h *hosted) vet(ctx context.Context, _ bool) ([]string, error) {
	return h.host.Vet(ctx, h.subject.Executions, h.subject.Seed)
}

func (h *hosted) key() (string, error) { return h.subject.systemKey() }
