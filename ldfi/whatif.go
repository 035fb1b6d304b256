package ldfi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// WhatIf finds the smallest fault sets within the bounds, at most Options.Max of them,
// that make a fact appear, or vanish. Each is executed and confirmed. If the fact is
// there, or absent, without faults, the first set is empty. The fact may be one that
// the promise does not depend on, and the program needs no promise. A limit or a
// cancelled context is no error: then the answer may leave open whether there is a set,
// or whether the set found is a smallest, and AtLeast is the number of faults below
// which there is none.
func (m *Model) WhatIf(ctx context.Context, asked result.Wanted) (*result.WhatIf, error) {
	if err := m.onlyRun(); err != nil {
		return nil, err
	}
	w, err := wantedOf(m.program, m.bounds, asked.Fact, asked.Absent)
	if err != nil {
		return nil, err
	}
	return m.whatIf(ctx, w, asked)
}

// whatIf finds the fault sets that do what is wanted.
func (m *Model) whatIf(ctx context.Context, w *wanted, asked result.Wanted) (*result.WhatIf, error) {
	start := time.Now()
	assumed, err := assumptionsOf(m.program, m.bounds, asked.Require, asked.Forbid)
	if err != nil {
		return nil, err
	}
	a := m.unanswered()
	growth, err := m.wants(ctx, a, w, assumed)
	if a.Limit = limitOf(ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	m.conclude(a, growth)
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	found := w.whatIf(a)
	if nowhere := found.Answer == result.Impossible && !w.absent || w.absent && !found.Holds; nowhere && found.Vacuity == "" {
		found.Vacuity = w.unmakeable()
	}
	found.Require, found.Forbid = asked.Require, asked.Forbid
	return found, nil
}

// unmakeable names a constant of the fact that no fact and no rule of the program can give,
// "" if there is none.
func (w *wanted) unmakeable() string {
	for i, arg := range w.fact.Args {
		can, known := vet.Values(w.program, w.processes, w.fact.Relation, i)
		if arg.Wildcard || !known || slices.Contains(can, arg.Value) {
			continue
		}
		var texts []string
		for _, v := range can[:min(len(can), 8)] {
			texts = append(texts, v.String())
		}
		if len(can) > 8 {
			texts = append(texts, "...")
		}
		only := "it can have " + strings.Join(texts, ", ")
		if len(can) == 0 {
			only = "it has none"
		}
		return fmt.Sprintf("no fact and no rule gives %s the value %s in column %d: %s", w.fact.Relation, arg.Value, i+1, only)
	}
	return ""
}

// wants finds the fault sets that give the wanted fact and meet assumptions, or why no
// schedule meets the assumptions. It returns the sizes of the relations.
func (m *Model) wants(ctx context.Context, a *result.Answer, w *wanted, assumed []*assumption) ([]recording.Growth, error) {
	q, err := newQuestionOf(ctx, m, &promise{wanted: w, eot: m.bounds.EOT})
	if err != nil {
		return nil, err
	}
	q.assume(assumed)
	q.supposing = q.assumes()
	if err = q.answer(ctx, a); err != nil && len(q.faultless) == 0 && len(q.program.Choices) == 0 {
		a.AtLeast = max(a.AtLeast, 1) // the run without faults does not do it
	}
	a.Stats = q.stats()
	return q.cost.growth, err
}

// whatIf turns an answer, in which the wanted fact takes the place of a violation, into an
// answer to the original question.
func (w *wanted) whatIf(a *result.Answer) *result.WhatIf {
	possible := map[result.Verdict]result.Possibility{result.Violated: result.Possible, result.Holds: result.Impossible, result.Inconclusive: result.Unknown}
	return &result.WhatIf{
		Wanted: result.Wanted{Fact: w.String(), Absent: w.absent}, Holds: w.missing.Args != nil, Answer: possible[a.Verdict],
		Sets: a.Counterexamples, Complete: a.Complete,
		AtLeast: a.AtLeast, Limit: a.Limit, Conflict: a.Conflict, Vacuity: a.Vacuity,
		Warnings: a.Warnings, Scope: a.Scope, Stats: a.Stats,
	}
}
