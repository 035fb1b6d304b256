package guide

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// ofSystems are the heads that no program can follow, and why.
var ofSystems = map[string]string{
	"lie":   "the messages of a program are facts, which System.Lies knows nothing of",
	"pause": "a process of a program cannot be paused",
	"tick":  "a program has no timers that tick",
	"ask":   "a program has no clients: let it choose what is asked",
}

// fitting compares a guide with a program, whose names are known before anything is executed.
type fitting struct {
	*checker
	program   *dedalus.Program
	bounds    rounds.Bounds
	relations map[string]int // by their names in guides: the columns, with the round
	sent      []string
	told      map[string]bool
}

// Fits reports what the guide decides that can only happen to systems, and the relations, kinds of
// messages and processes that it names and the program does not have, each with its place. A rule that may
// never fire may name them.
func (g *Guide) Fits(p *dedalus.Program, b rounds.Bounds) error {
	f := &fitting{checker: &checker{Guide: g}, program: p, bounds: b, relations: map[string]int{}, sent: rounds.SentBy(p), told: map[string]bool{}}
	for _, r := range p.Relations() {
		if r.Name != syntax.Crash && r.Name != syntax.Booted {
			f.relations[nameOf(r.Name)] = r.Arity + 1
		}
	}
	for _, r := range g.rules {
		if why := ofSystems[r.head]; r.decides && why != "" {
			f.report(r.source.Position, "%s is for systems: %s", r.head, why)
		}
		if f.relations[r.relation] > 0 && !f.told[r.relation] {
			f.told[r.relation] = true
			f.report(r.source.Position, "the program has a relation %s too: call this one something else", r.relation)
		}
		if r.decides {
			f.constants(r.source.Head.Position, headOf(r.head).Columns, r.source.Head.Args, false)
		}
	}
	for _, r := range g.compiled.Program.Rules {
		for _, t := range r.Body {
			if t.Atom == nil {
				continue
			}
			if _, read := g.compiled.Reads[t.Atom.Relation]; read && datalog.Subject(t.Atom.Relation) == datalog.Reports && !slices.Contains(reserved, t.Atom.Relation) {
				f.relation(r, t)
			}
			f.constants(t.Position, columnsOf(t.Atom.Relation), t.Atom.Args, true)
		}
	}
	slices.SortStableFunc(f.errors, func(a, b *specs.Error) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	if len(f.errors) > 0 {
		return f.errors
	}
	return nil
}

// nameOf returns what guides call a relation of a program.
func nameOf(relation string) string {
	name := datalog.TableName(relation)
	if slices.Contains(reserved, name) {
		name += "_"
	}
	return name
}

// relation checks that the program has a relation that a rule reads.
func (f *fitting) relation(r *syntax.Rule, t syntax.Term) {
	name, columns := t.Atom.Relation, f.relations[t.Atom.Relation]
	switch {
	case columns == len(t.Atom.Args):
	case columns > 0:
		f.tell(name, t.Position, "%s has %s in the program, with the round behind them, and not %d", name, text.Plural(columns, "argument"), len(t.Atom.Args))
	case f.may(t.Position):
	case name == syntax.Booted:
		f.tell(name, t.Position, "guides call booted restarted(Process, Round)")
	case t.Position.Line > len(f.lines):
		of, _, _ := strings.Cut(r.Head.Relation, "?")
		f.tell(name, t.Position, "%s is by default what %s says, and the program has no such relation: the guide needs a rule for %s that fits the program", of, name, of)
	default:
		var known []string
		for name := range f.relations {
			known = append(known, name)
		}
		for _, r := range slices.Concat(datalog.Environment, language.Given) {
			known = append(known, r.Name)
		}
		for _, r := range f.rules {
			known = append(known, r.head)
		}
		slices.Sort(known)
		f.tell(name, t.Position, "the program has no relation %s%s", name, text.DidYouMean(name, known))
	}
}

// constants checks the kinds of messages and the processes that stand in columns.
func (f *fitting) constants(at specs.Position, columns []string, args []syntax.Expr, value bool) {
	for i, column := range columns {
		e, ok := args[i].(*syntax.Constant)
		if !ok || f.may(at) {
			continue
		}
		name := e.Value.Text()
		process := column == "Process" || column == "From" || column == "To"
		switch {
		case column == "Kind" && !slices.Contains(f.sent, name):
			f.tell("kind "+name, at, "the program sends no messages %s%s", e, text.DidYouMean(name, f.sent))
		case process && !slices.Contains(f.bounds.Processes, name):
			f.tell("process "+name, at, "there is no process %s%s: there are %s", e, text.DidYouMean(name, f.bounds.Processes), text.List(f.bounds.Processes, "and"))
		case process && value && f.program.ProcessValue(name) != e.Value:
			f.tell("process "+e.String(), at, "the program calls this process %s, and not %s", f.program.ProcessValue(name), e)
		}
	}
}

// may tells whether a place is in a rule that may never fire.
func (f *fitting) may(at specs.Position) bool {
	return at.Line <= len(f.lines) && f.ruleAt(at.Line).never
}

// tell reports something of a name once.
func (f *fitting) tell(name string, at specs.Position, format string, args ...any) {
	if !f.told[name] {
		f.told[name] = true
		f.report(at, "%s", fmt.Sprintf(format, args...))
	}
}
