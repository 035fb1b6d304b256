package subject

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// searchGoal is the goal of a search for fault sets of a system.
type searchGoal struct {
	fact            *syntax.Query // to appear or to vanish; nil: a property is to be violated
	absent          bool
	missing         recording.Fact // the violation of a fact that has vanished
	require, forbid []string
}

// does returns the violations of an execution that reach the goal.
func (w *searchGoal) does(in *result.Injection) []result.Violation {
	if w.fact == nil {
		return in.Violations
	}
	return w.doesIn(in.Execution)
}

// doesIn returns the goal's fact if the execution e has it, or the missing fact if e must
// not have it.
func (w *searchGoal) doesIn(e *recording.Execution) []result.Violation {
	found := holding(e, w.fact)
	switch {
	case !w.absent:
		var all []result.Violation
		for _, f := range found {
			text := fmt.Sprintf("%s holds in round %d", shown(f, e.Bounds), f.Round)
			all = append(all, result.Violation{Property: f.Relation, Fact: f, Text: text})
		}
		return all
	case len(found) > 0:
		return nil
	}
	text := patternText(w.fact, e.Bounds) + " holds in no round"
	if w.fact.Round > 0 {
		text = fmt.Sprintf("no %s holds in round %d", patternText(w.fact, e.Bounds), w.fact.Round)
	}
	return []result.Violation{{Property: w.fact.Relation, Fact: w.missing, Missing: true, Text: text}}
}

// shown returns a fact in the form for people, without its round.
func shown(f recording.Fact, b rounds.Bounds) string {
	f.Round = 0
	return recording.Display(f, b.Processes)
}

// patternText returns a query so.
func patternText(q *syntax.Query, b rounds.Bounds) string {
	args := make([]string, len(q.Args))
	for i, a := range q.Args {
		switch {
		case a.Wildcard:
			args[i] = "_"
		case slices.Contains(b.Processes, a.Value.Text()):
			args[i] = a.Value.Text()
		default:
			args[i] = a.Value.String()
		}
	}
	return q.Relation + "(" + strings.Join(args, ", ") + ")"
}

// holding returns the facts of an execution that a query asks for.
func holding(e *recording.Execution, q *syntax.Query) []recording.Fact {
	var all []recording.Fact
	for _, f := range e.Facts {
		if (q.Round == 0 || q.Round == f.Round) && causality.Matches(f, q) {
			all = append(all, f)
		}
	}
	return all
}

// assumed are the assumptions about schedules and executions.
type assumed struct {
	processes []string
	patterns  []assumedFault
	facts     []assumedFact
}

type assumedFault struct {
	pattern rounds.Pattern
	forbids bool
}

type assumedFact struct {
	fact    syntax.Query
	forbids bool
}

// assumptions reads the assumptions of the goal.
func (w *searchGoal) assumptions(b rounds.Bounds) (*assumed, error) {
	out := &assumed{processes: b.Processes}
	for i, text := range slices.Concat(w.require, w.forbid) {
		forbids := i >= len(w.require)
		if !rounds.IsPattern(text) {
			q, err := dedalus.ParseQuery(text)
			if err != nil {
				return nil, fmt.Errorf("assumption %q: %w", text, err)
			}
			out.facts = append(out.facts, assumedFact{q, forbids})
			continue
		}
		p, err := rounds.ParsePattern(text)
		if err == nil {
			err = p.Check(b.Processes, b.EOT)
		}
		if err != nil {
			return nil, err
		}
		out.patterns = append(out.patterns, assumedFault{p, forbids})
	}
	return out, nil
}

// meets tells whether a schedule meets the assumptions about faults.
func (a *assumed) meets(s rounds.Schedule) bool {
	for _, p := range a.patterns {
		if p.forbids == slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return p.pattern.Matches(f, a.processes) }) {
			return false
		}
	}
	return true
}

// shows tells whether an execution meets the assumptions about facts.
func (a *assumed) shows(e *recording.Execution) bool {
	for _, f := range a.facts {
		if f.forbids == (len(holding(e, &f.fact)) > 0) {
			return false
		}
	}
	return true
}

// whatIf finds the fault sets that make a fact appear, or vanish.
func (h *OpenedSystem) whatIf(ctx context.Context, asked result.Wanted) (*result.WhatIf, error) {
	q, err := dedalus.ParseQuery(asked.Fact)
	if err != nil {
		return nil, err
	}
	if q.Round > h.Bounds().EOT {
		return nil, fmt.Errorf("fact %q: round %d is after the last round, %d", asked.Fact, q.Round, h.Bounds().EOT)
	}
	in, err := h.replay(ctx, rounds.Schedule{})
	if err != nil {
		return nil, err
	}
	want := &searchGoal{fact: &q, absent: asked.Absent, require: asked.Require, forbid: asked.Forbid, missing: recording.Fact{Relation: q.Relation, Round: q.Round}}
	without := holding(in.Execution, &q)
	if len(without) > 0 {
		want.missing = without[len(without)-1]
	}
	a, err := h.sets(ctx, want)
	if err != nil {
		return nil, err
	}
	possible := map[result.Verdict]result.Possibility{result.Violated: result.Possible, result.Holds: result.Impossible, result.Inconclusive: result.Unknown}
	return &result.WhatIf{
		Wanted: result.Wanted{Fact: patternText(&q, h.Bounds()) + syntax.Suffix(q.Round), Absent: asked.Absent, Require: asked.Require, Forbid: asked.Forbid}, Holds: len(without) > 0, Answer: possible[a.Verdict],
		Sets: a.Counterexamples, Complete: a.Complete, AtLeast: a.AtLeast, Limit: a.Limit, Conflict: a.Conflict, Vacuity: a.Vacuity,
		Warnings: a.Warnings, Scope: a.Scope, Stats: a.Stats, Search: a.Search,
	}, nil
}
