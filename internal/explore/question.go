package explore

import (
	"context"
	"errors"
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Hypotheses asks for the fault sets that break the promise under locks, in the order in
// which they are to be tried, put in groups by a word. It may be called beside everything
// else, and so may all questions.
func (e *Exploration) Hypotheses(ctx context.Context, locks []Lock, fold string) (*result.Answer, error) {
	require, forbid := assumptions(locks)
	if e.asked.Inexact() != "" && len(locks) == 0 { // sets cannot be listed, and one can be found
		return e.asked.Search(ctx)
	}
	p := e.asked.AsProtocol()
	if p == nil {
		return e.asked.Hypotheses(ctx, require, forbid)
	}
	o, err := p.Folding(fold)
	if err != nil {
		return nil, err
	}
	return o.Hypotheses(ctx, require, forbid)
}

// Repairs asks for additions to the protocol with which it keeps its promise.
func (e *Exploration) Repairs(ctx context.Context) (*result.Repairs, error) {
	p := e.asked.AsProtocol()
	if p == nil {
		return nil, subject.ErrRepairs
	}
	a, err := p.SearchWithin(ctx, e.bounds)
	if err != nil {
		return nil, err
	}
	return p.Repairs(ctx, a)
}

// WhatIf asks which faults, under locks, make a fact appear, or vanish if it holds without
// faults.
func (e *Exploration) WhatIf(ctx context.Context, fact string, locks []Lock) (*result.WhatIf, error) {
	require, forbid := assumptions(locks)
	q, err := dedalus.ParseQuery(fact)
	if err != nil {
		return nil, err
	}
	holds, err := e.has(ctx, q, rounds.Schedule{})
	if err != nil {
		return nil, err
	}
	return e.asked.WhatIf(ctx, result.Wanted{Fact: fact, Absent: holds, Require: require, Forbid: forbid})
}

// Promise returns the rules of a protocol that state its promise, with their positions, or
// the properties of a system.
func (e *Exploration) Promise() []string { return e.asked.Promise() }

// Broken returns the fact of a violation, as Why takes it, and false if there is none: no
// process of a system reports the facts of its properties.
func (e *Exploration) Broken(v result.Violation) (string, bool) {
	return recording.Display(v.Fact, e.bounds.Processes) + syntax.Suffix(v.Fact.Round), !e.system
}

// Explanation says why a fact holds, or why it does not.
type Explanation interface{ WriteText(io.Writer) error }

// Why asks why a fact holds under a schedule, or why it does not.
func (e *Exploration) Why(ctx context.Context, fact string, s rounds.Schedule) (Explanation, error) {
	if h := e.asked.AsSystem(); h != nil {
		return h.Reasons(ctx, fact, s)
	}
	return e.asked.AsProtocol().Model().Why(ctx, fact, s)
}

// Difference asks how the execution of a schedule differs from the one without its faults.
func (e *Exploration) Difference(ctx context.Context, s rounds.Schedule) (*result.Difference, error) {
	return e.asked.Diff(ctx, causality.Faultless(s), s)
}

// askRepairs asks for additions with which the protocol keeps its promise.
func (s *screen) askRepairs() tea.Cmd {
	return s.put("trying repairs", func(ctx context.Context) (func() tea.Cmd, error) {
		r, err := s.explore.Repairs(ctx)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			var lines []string
			for _, text := range answertext.Repairs(r) {
				lines = append(lines, line(text))
			}
			s.pane.say("what could be added so that the promise is kept within the bounds", lines)
			return nil
		}, nil
	})
}

// Invariant is the proof that the promise holds for any number of rounds.
type Invariant interface {
	Breaks(ctx context.Context, facts string) (*result.Breach, error)
}

// Invariant asks for the proof; the error says why there is none.
func (e *Exploration) Invariant(ctx context.Context) (Invariant, error) {
	p := e.asked.AsProtocol()
	if p == nil {
		return nil, errors.New("a system has no rules, and so no proof for any number of rounds")
	}
	proof, a, err := p.Model().Invariant(ctx)
	switch {
	case err != nil:
		return nil, err
	case proof == nil && a.Verdict == result.Violated:
		return nil, fmt.Errorf("there is no proof: %s", a.Rounds.Breaks())
	case proof == nil:
		return nil, fmt.Errorf("there is no proof: %s", a.Rounds.Reason)
	}
	return proof, nil
}
