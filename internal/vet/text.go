package vet

import (
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Text returns warnings about parts of a program that are allowed but probably not meant:
// relations that no rule reads or defines, half a promise, protocol rules that read crash,
// comparisons that cannot hold, rules that fire in every round, relations that depend on
// their own absence within a round, and suffixes that have become part of a name.
func Text(p *dedalus.Program) []specs.Warning {
	w := &warner{program: p, defined: map[string]bool{}, read: map[string]bool{}}
	w.unused()
	w.choices()
	w.undefined()
	w.promise()
	w.oracle()
	w.names()
	w.comparisons()
	w.everyRound()
	w.cycles()
	return w.warnings
}

// goals are the relations that can have a promise.
var goals = []string{"pre", "post", "violation", "good"}

// maxSuggestions is the number of warnings after which there are no suggestions: so many
// warnings have another cause, and looking for suggestions takes long.
const maxSuggestions = 100

type warner struct {
	program       *dedalus.Program
	defined, read map[string]bool
	warnings      []specs.Warning
}

func (w *warner) warn(at specs.Position, format string, args ...any) {
	w.warnings = append(w.warnings, warning(w.program, at, format, args...))
}

// unused reports relations that no rule reads and that are no goal.
func (w *warner) unused() {
	for _, r := range w.program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil {
				w.read[t.Atom.Relation] = true
			}
		}
	}
	define := func(relation string, at specs.Position) {
		if !w.defined[relation] && !w.read[relation] && !slices.Contains(goals, relation) {
			w.warn(at, "%s is never used%s", syntax.Shorten(relation), text.DidYouMean(relation, goals))
		}
		w.defined[relation] = true
	}
	for _, f := range w.program.Facts {
		define(f.Relation, f.Position)
	}
	for _, c := range w.program.Choices {
		define(c.Relation, c.Position)
	}
	for _, r := range w.program.Rules {
		define(r.Head.Relation, r.Head.Position)
	}
}

// AlwaysEmpty is the text of the warning of undefined, after the name of the relation.
const AlwaysEmpty = " has no rule and no fact, so it is always empty"

// undefined reports relations that are read but have no rule and no fact.
func (w *warner) undefined() {
	var names []string
	for _, r := range w.program.Relations() {
		if w.defined[r.Name] {
			names = append(names, r.Name)
		}
	}
	names = append(names, syntax.Crash)
	reported := map[string]bool{syntax.Crash: true, syntax.Booted: true} // Restarts reports that relation
	for _, r := range w.program.Rules {
		for _, t := range r.Body {
			if t.Atom == nil || w.defined[t.Atom.Relation] || reported[t.Atom.Relation] {
				continue
			}
			reported[t.Atom.Relation] = true
			if len(w.warnings) > maxSuggestions {
				names = nil
			}
			w.warn(t.Atom.Position, "%s%s%s", syntax.Shorten(t.Atom.Relation), AlwaysEmpty,
				text.DidYouMean(t.Atom.Relation, names))
		}
	}
}

// promise reports pre without post, and post without pre.
func (w *warner) promise() {
	for _, r := range w.program.Relations() {
		switch {
		case r.Name == "pre" && !w.defined["post"]:
			w.warn(r.Position, "pre is defined but post is not, so every fact of pre breaks the promise")
		case r.Name == "post" && !w.defined["pre"]:
			w.warn(r.Position, "post is defined but pre is not, so nothing is promised")
		}
	}
}

// oracle reports rules of the protocol that read crash: no real process could.
func (w *warner) oracle() {
	protocol := protocol(w.program)
	for _, r := range w.program.Rules {
		if r.Kind == syntax.Deductive && !protocol[r.Head.Relation] {
			continue
		}
		for _, t := range r.Body {
			if t.Atom != nil && t.Atom.Relation == syntax.Crash {
				w.warn(t.Atom.Position, "a rule of the protocol reads %s, which only a specification can know", syntax.Crash)
			}
		}
	}
}

// names reports relations whose name has taken in a suffix.
func (w *warner) names() {
	for _, r := range w.program.Relations() {
		for _, suffix := range []string{"@next", "@async"} {
			if name, ok := strings.CutSuffix(r.Name, suffix); ok && name != "" {
				w.warn(r.Position, "%s is a relation of its own (the suffix stands behind the columns: %s(...)%s)", syntax.Shorten(r.Name), syntax.Shorten(name), suffix)
			}
		}
	}
}

// comparisons reports comparisons of integers with strings.
func (w *warner) comparisons() {
	k := w.kinds()
	for _, r := range w.program.Rules {
		for _, t := range r.Body {
			b, ok := t.Test.(*syntax.Binary)
			if !ok {
				continue
			}
			left, lok := k.of(r, b.Left)
			right, rok := k.of(r, b.Right)
			switch {
			case !lok || !rok || left == right:
			case b.Op == "!=":
				w.warn(b.Position, "this always holds: an integer is never equal to a string")
			default:
				w.warn(b.Position, "this never holds: it compares an integer with a string")
			}
		}
	}
}

// everyRound reports rules that look as if they began something in one round, and fire in
// every round: they read facts of that round in each of them.
func (w *warner) everyRound() {
	for _, r := range w.program.Rules {
		at := pinned(r)
		if at == nil || r.Kind != syntax.Deductive || slices.Contains(goals, r.Head.Relation) || !w.develops(r.Head.Relation) {
			continue
		}
		w.warn(r.Position, "this rule fires in every round, because %s@%d is read in each of them; without @%d it fires only in rounds that have the fact",
			syntax.Shorten(at.Atom.String()), at.At, at.At)
	}
}

// pinned returns the first positive atom of a rule all of whose positive atoms read a round
// of their own; nil if some atom reads the round of the rule.
func pinned(r *syntax.Rule) *syntax.Term {
	var first *syntax.Term
	for i, t := range r.Body {
		switch {
		case t.Atom == nil || t.Negated:
		case t.At == 0:
			return nil
		case first == nil:
			first = &r.Body[i]
		}
	}
	return first
}

// develops tells whether a relation has a rule that derives its facts of the next round
// from those of a round, other than by keeping them.
func (w *warner) develops(relation string) bool {
	return slices.ContainsFunc(w.program.Rules, func(r *syntax.Rule) bool {
		if r.Kind != syntax.Next || r.Head.Relation != relation {
			return false
		}
		kept := len(r.Body) == 1 && r.Body[0].Atom != nil && r.Body[0].Atom.String() == r.Head.String()
		return !kept && slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.Atom != nil && t.Atom.Relation == relation })
	})
}

// cycles reports relations that depend, within a round, on their own absence or on an
// aggregate of themselves. This is no error: no execution may reach it.
func (w *warner) cycles() {
	if answered(w.program, "absence") {
		return
	}
	below := map[string][]string{}
	for _, r := range w.program.Rules {
		if r.Kind != syntax.Deductive {
			continue
		}
		for _, t := range r.Body {
			if t.Atom != nil {
				below[r.Head.Relation] = append(below[r.Head.Relation], t.Atom.Relation)
			}
		}
	}
	dependencies := func(relation string) []string { return below[relation] }
	component := map[string]int{}
	for i, members := range syntax.Components(slices.Sorted(maps.Keys(below)), dependencies) {
		for _, name := range members {
			component[name] = i + 1
		}
	}
	reported := map[int]bool{}
	for _, r := range w.program.Rules {
		head := r.Head.Relation
		for _, t := range r.Body {
			cyclic := r.Kind == syntax.Deductive && t.Atom != nil && component[t.Atom.Relation] == component[head]
			if !cyclic || reported[component[head]] || !t.Negated && !hasAggregate(r) {
				continue
			}
			reported[component[head]] = true
			what := "absence"
			if !t.Negated {
				what = "aggregate"
			}
			way := append([]string{head}, syntax.Path(t.Atom.Relation, head, dependencies)...)
			w.warn(t.Atom.Position, "within a round %s depends on its own %s (%s); a fact that really does is an error when it comes to it",
				syntax.Shorten(head), what, shortWay(way))
		}
	}
}

// shortWay prints a cycle of relations, or the beginning of a long one.
func shortWay(way []string) string {
	const most = 10
	if len(way) > most {
		way = append(way[:most:most], "...")
	}
	return strings.Join(way, " <- ")
}

// hasAggregate tells whether the head has an aggregate.
func hasAggregate(r *syntax.Rule) bool {
	for _, e := range r.Head.Args {
		if _, ok := e.(*syntax.Aggregate); ok {
			return true
		}
	}
	return false
}
