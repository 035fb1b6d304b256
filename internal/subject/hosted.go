package subject

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
)

// hosted is a system of a host that runs, with its bounds.
type hosted struct {
	subject *Subject
	host    *Host
	target  search.Target
}

func (h *hosted) close() { h.host.Close() }

func (h *hosted) bounds() rounds.Bounds { return h.target.Bounds.Normal() }

func (h *hosted) search(ctx context.Context) (*Answer, error) {
	r, err := h.host.Search(ctx, h.subject.Strategy, h.target, search.Options{Seed: h.subject.Seed, Executions: h.subject.Executions})
	if err != nil {
		if ctx.Err() != nil {
			return inconclusive(h.bounds(), endText(ctx)), nil
		}
		return nil, err
	}
	a := &Answer{
		Verdict: ldfi.Verdict(r.Verdict), Executions: r.Search.Executions, Scope: scopeOf(h.bounds()), Complete: r.Complete,
	}
	if r.Limit != nil {
		a.Reason = r.Limit.Reason
	}
	if c := r.Search.Certificate; c != nil && c.Assumption != "" {
		a.Warnings = append(a.Warnings, "assuming: "+c.Assumption)
	}
	if c := r.First(); c != nil {
		a.Schedule, a.Size, a.Minimal, a.Execution = c.Schedule, c.Size, c.Minimal, c.Execution
		a.Violations = h.violations(c.Violations)
	}
	return a, nil
}

// endText says why a context ended.
func endText(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "the time is up"
	}
	return "interrupted"
}

func (h *hosted) replay(ctx context.Context, s rounds.Schedule) (*Answer, error) {
	if err := h.host.Fits(s, h.target.Bounds.EOT); err != nil {
		return nil, err
	}
	e, violations, err := h.host.Execute(ctx, s, h.target.Bounds.EOT, wire.Always)
	if err != nil {
		return nil, err
	}
	a := &Answer{Verdict: ldfi.Holds, Schedule: s.Normal(), Size: s.Size(), Executions: 1, Scope: scopeOf(h.bounds())}
	if len(violations) > 0 {
		a.Verdict, a.Execution, a.Violations = ldfi.Violated, e, h.violations(violations)
	}
	return a, nil
}

// violations says in which files the properties are stated that are broken.
func (h *hosted) violations(all []result.Violation) []Violation {
	var list []Violation
	for _, v := range all {
		broken := Violation{Property: v.Property, Text: v.Text}
		if file := h.subject.fileOf(v.Property); file != "" {
			broken.File, broken.Line, broken.Col = file, 1, 1
		}
		list = append(list, broken)
	}
	return list
}

func (h *hosted) key() (string, error) { return h.subject.systemKey() }
