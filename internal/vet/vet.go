package vet

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Locations returns warnings about a program with some processes: rules that can never fire
// because their location is no process, messages to names that are no process, and facts at
// a name that is probably a misspelt process.
func Locations(p *dedalus.Program, processes []string) []specs.Warning {
	v := &locations{program: p, names: processes, at: map[string][]*syntax.Fact{}, processes: map[specs.Value]bool{}, derived: map[string]bool{}}
	for _, name := range processes {
		v.processes[p.ProcessValue(name)] = true
	}
	for _, f := range p.Facts {
		if len(f.Args) > 0 {
			v.at[f.Relation] = append(v.at[f.Relation], f)
		}
	}
	for _, r := range p.Rules {
		v.derived[r.Head.Relation] = true
	}
	for _, c := range p.Choices {
		v.derived[c.Relation] = true
		v.choice(c)
	}
	for _, r := range p.Rules {
		v.rule(r)
	}
	for _, relation := range p.Relations() {
		v.facts(relation.Name)
	}
	return v.warnings
}

type locations struct {
	program   *dedalus.Program
	names     []string
	processes map[specs.Value]bool
	at        map[string][]*syntax.Fact // facts with a first column, by relation
	derived   map[string]bool           // relations that have a rule, or a choice
	warnings  []specs.Warning
}

func (v *locations) warn(at specs.Position, format string, args ...any) {
	v.warnings = append(v.warnings, warning(v.program, at, format, args...))
}

// among lists the processes, and the one that was probably meant.
func (v *locations) among(value specs.Value) string {
	return " (the processes are " + syntax.Shorten(strings.Join(v.names, ", ")) + ")" + text.DidYouMean(value.Text(), v.names)
}

// rule reports a rule that never fires, or whose message never arrives.
func (v *locations) rule(r *syntax.Rule) {
	if c, ok := r.Location().(*syntax.Constant); ok && !v.processes[c.Value] {
		v.warn(c.Position, "this rule never fires: its location %v is no process%s", c.Value, v.among(c.Value))
	}
	if _, ok := r.Location().(*syntax.Variable); ok && v.nowhere(firstAtom(r).Relation) {
		v.warn(r.Position, "this rule never fires: its location is the first column of %s, which is never a process",
			syntax.Shorten(firstAtom(r).Relation))
	}
	if r.Kind != syntax.Async {
		return
	}
	switch to := r.Head.Args[0].(type) {
	case *syntax.Constant:
		if !v.processes[to.Value] {
			v.warn(to.Position, "this message never arrives: its destination %v is no process%s", to.Value, v.among(to.Value))
		}
	case *syntax.Variable:
		v.destinations(r, to)
	}
}

// destinations reports facts that name the receiver of a message, and name no process. A
// rule may mean only some of the facts: those with its constants, and those that its other
// atoms and comparisons do not exclude.
func (v *locations) destinations(r *syntax.Rule, to *syntax.Variable) {
	var names *syntax.Atom
	index := 0
	for _, t := range r.Body {
		var args []syntax.Expr
		if args = []syntax.Expr{t.Test}; t.Atom != nil {
			args = t.Atom.Args
		}
		for i, e := range args {
			if e == nil || !syntax.Mentions(e, to.Name) {
				continue
			}
			if names != nil || t.Atom == nil || t.Negated || t.At > 0 {
				return
			}
			names, index = t.Atom, i
		}
	}
	if names == nil || index == 0 || !v.stated(names.Relation) {
		return
	}
	reported := map[specs.Value]bool{}
	for _, f := range v.at[names.Relation] {
		if value := f.Args[index]; names.Fits(f.Args) && v.processes[f.Args[0]] && !v.processes[value] && !reported[value] {
			reported[value] = true
			v.warn(f.Position, "the message %s also goes to %v, which is no process, so it never arrives there (rule at %s)%s",
				syntax.Shorten(r.Head.Relation), value, r.Position, v.among(value))
		}
	}
}

// stated tells whether a relation has facts that the program states, and no others: rules
// only keep them.
func (v *locations) stated(relation string) bool {
	for _, c := range v.program.Choices {
		if c.Relation == relation {
			return false
		}
	}
	for _, r := range v.program.Rules {
		if r.Head.Relation != relation {
			continue
		}
		if r.Kind != syntax.Next || len(r.Body) != 1 || r.Body[0].Atom == nil || r.Body[0].Negated || r.Body[0].Atom.String() != r.Head.String() {
			return false
		}
	}
	return true
}

// firstAtom returns the first atom of the body, or nil.
func firstAtom(r *syntax.Rule) *syntax.Atom {
	for _, t := range r.Body {
		if t.Atom != nil {
			return t.Atom
		}
	}
	return nil
}

// nowhere tells whether a relation has facts but none at a process, and no
// rules that could give any.
func (v *locations) nowhere(relation string) bool {
	facts := v.at[relation]
	return len(facts) > 0 && !v.derived[relation] && !slices.ContainsFunc(facts, v.placed)
}

// placed tells whether the first column of a fact is a process.
func (v *locations) placed(f *syntax.Fact) bool { return v.processes[f.Args[0]] }

// facts reports the facts of a relation that are at no process while others
// are at one.
func (v *locations) facts(relation string) {
	facts := v.at[relation]
	if !slices.ContainsFunc(facts, v.placed) {
		return
	}
	reported := map[specs.Value]bool{}
	for _, f := range facts {
		if !v.placed(f) && !reported[f.Args[0]] {
			reported[f.Args[0]] = true
			v.warn(f.Position, "%v is no process, though other facts of %s are at one%s", f.Args[0], syntax.Shorten(relation), v.among(f.Args[0]))
		}
	}
}

// Rounds returns the facts that never hold and the atoms that are always
// empty because their round is beyond the last one.
func Rounds(p *dedalus.Program, eot int) []specs.Warning {
	var all []specs.Warning
	for _, f := range p.Facts {
		if f.Round > eot {
			all = append(all, warning(p, f.Position, "this fact never holds: round %d is beyond the last one, %d", f.Round, eot))
		}
	}
	for _, c := range p.Choices {
		all = append(all, roundsOf(p, c, eot)...)
	}
	for _, r := range p.Rules {
		for _, t := range r.Body {
			if t.At > eot {
				all = append(all, warning(p, t.Position, "%s is empty at round %d, which is beyond the last one, %d", syntax.Shorten(t.Atom.Relation), t.At, eot))
			}
		}
	}
	return all
}

// Locality returns the rules of the protocol that join facts of several
// locations, which no process could do without a message. Rules that nothing
// kept or sent depends on are the specification, and may.
func Locality(p *dedalus.Program) []specs.Warning {
	protocol := protocol(p)
	var all []specs.Warning
	for _, r := range p.Rules {
		if r.Kind == syntax.Deductive && !protocol[r.Head.Relation] {
			continue
		}
		if here, there := places(r); there != nil {
			all = append(all, warning(p, there.Pos(), "this rule joins facts of several locations, %v and %v: a process has only its own facts", here, there))
		}
	}
	return all
}

// places returns two different first columns of atoms in the body, or nil.
func places(r *syntax.Rule) (here, there syntax.Expr) {
	for _, t := range r.Body {
		if t.Atom == nil || len(t.Atom.Args) == 0 || t.Atom.Relation == syntax.Crash {
			continue
		}
		e := t.Atom.Args[0]
		if _, ok := e.(*syntax.Wildcard); ok {
			continue
		}
		switch {
		case here == nil:
			here = e
		case e.String() != here.String():
			return here, e
		}
	}
	return here, nil
}
