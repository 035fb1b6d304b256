package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/symbols"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
)

// rules are rules that have been read and checked.
type rules struct {
	*source
	clauses  []*ordered
	defined  map[string]int // the columns of each relation that the rules derive
	reads    map[string]int // the columns of each relation of the recording that they read
	declared map[string]int // the columns of each relation that has a Decl
	*surroundings
}

// parseRules reads and checks rules; the error has everything that is wrong.
func parseRules(name, text string) (*rules, error) { return parseIn(name, text, ofRecordings) }

func parseIn(name, text string, around *surroundings) (*rules, error) {
	s, clauses, declarations, err := read(name, text)
	if err != nil {
		return nil, err
	}
	if len(clauses) == 0 {
		return nil, s.fail(place{}, "there are no rules")
	}
	r := &rules{source: s, defined: map[string]int{}, reads: map[string]int{}, declared: map[string]int{}, surroundings: around}
	for _, d := range declarations {
		r.columns(r.declared, d.Atom, d.at)
	}
	for i := range clauses {
		r.head(&clauses[i], i)
	}
	for i := range clauses {
		r.body(&clauses[i])
	}
	for i := range clauses {
		r.clauses = append(r.clauses, r.order(&clauses[i]))
	}
	r.promise()
	r.lineage()
	r.stratify()
	return r, r.err()
}

// compile returns rules that have been checked: with a program where there is
// one, and else with Mangle as their engine.
func (r *rules) compile() (*datalog.Compiled, error) {
	c := &datalog.Compiled{Name: r.name, Derives: r.defined, Reads: r.reads}
	if c.Program, c.NoProgram = r.program(); c.NoProgram == nil {
		return c, nil
	}
	r.errors = nil
	var err error
	c.Engine, err = newEngine(r)
	return c, err
}

// columns checks that a relation has the same number of columns everywhere.
func (r *rules) columns(list map[string]int, a ast.Atom, at place) {
	name, n := a.Predicate.Symbol, len(a.Args)
	if _, meant := r.environment[name]; name == "crash" && !meant {
		r.report(at, "there is no relation crash here: that of a system with this name is crash_, and crashed(Process, Round) is a fault")
		return
	}
	for _, known := range []map[string]int{r.declared, r.defined, r.reads, r.environment} {
		if have, ok := known[name]; ok && have != n {
			r.report(at, "%s has %s here, and %s elsewhere%s", name, text.Plural(n, "column"), text.Plural(have, "column"), r.signature(name))
			return
		}
	}
	if list != nil {
		list[name] = n
	}
}

// signature returns the columns of a relation of the environment.
func (r *rules) signature(name string) string {
	if text, ok := r.signatures[name]; ok {
		return ": " + text + "; a relation of the system with this name is " + name + "_"
	}
	return ""
}

// head checks what a rule derives.
func (r *rules) head(c *clause, number int) {
	name := c.Head.Predicate.Symbol
	switch _, given := r.environment[name]; {
	case r.heads[name]:
		r.columns(nil, c.Head, c.head)
		c.Head.Predicate.Symbol = datalog.Head(name, number)
		r.defined[c.Head.Predicate.Symbol] = len(c.Head.Args)
	case c.Head.Predicate.IsBuiltin() || strings.Contains(name, ":"):
		r.report(c.head, "%s cannot be the name of a relation: it may have letters, digits, _ and . in it", name)
	case given:
		r.report(c.head, "%s is what the recording says of the environment; call this relation something else", name)
	default:
		r.columns(r.defined, c.Head, c.head)
	}
	for _, arg := range c.Head.Args {
		if v, ok := arg.(ast.Variable); ok && v.Symbol == "_" {
			r.report(c.head, "there is no value for _ in the head of a rule")
		}
	}
}

// body checks the relations that a rule reads.
func (r *rules) body(c *clause) {
	for i, premise := range c.Premises {
		switch p := premise.(type) {
		case ast.Atom:
			r.relation(p, c.premises[i])
		case ast.NegAtom:
			if p.Atom.Predicate.IsBuiltin() {
				r.report(c.premises[i], "a comparison or built-in predicate cannot be negated: write its opposite, or negate a relation that a rule derives by it")
			}
			r.relation(p.Atom, c.premises[i])
		}
	}
}

// relation checks a relation in the body of a rule.
func (r *rules) relation(a ast.Atom, at place) {
	name := a.Predicate.Symbol
	switch {
	case a.Predicate.IsBuiltin():
		return
	case has(r.defined, name):
		r.columns(nil, a, at)
		return
	}
	r.columns(r.reads, a, at)
	if len(r.declared) == 0 || has(r.declared, name) || has(r.environment, name) {
		return
	}
	known := slices.Concat(slices.Sorted(maps.Keys(r.declared)), slices.Sorted(maps.Keys(r.defined)), slices.Sorted(maps.Keys(r.environment)))
	r.report(at, "there is no relation %s%s: it has no Decl, and no rule derives it", name, text.DidYouMean(name, known))
}

func has(m map[string]int, name string) bool { _, ok := m[name]; return ok }

// promise checks the relations that say what is wrong.
func (r *rules) promise() {
	pre, hasPre := r.defined["pre"]
	post, hasPost := r.defined["post"]
	if hasPre && hasPost && pre != post {
		r.report(r.derived("post"), "post has %s and pre has %s: they must have the same, since post must hold for whatever pre holds for", text.Plural(post, "column"), text.Plural(pre, "column"))
	}
}

// derived returns the place of the first rule that derives a relation.
func (r *rules) derived(name string) place {
	for _, c := range r.clauses {
		if c.Head.Predicate.Symbol == name {
			return c.head
		}
	}
	return place{}
}

// stratify refuses rules in which a relation depends on its own absence, or on
// an aggregate of itself.
func (r *rules) stratify() {
	var clauses []ast.Clause
	for _, c := range r.clauses {
		clauses = append(clauses, c.Clause)
	}
	layer := map[ast.PredicateSym]int{} // from 1
	for i, predicates := range layers(clauses) {
		for _, p := range predicates {
			layer[p] = i + 1
		}
	}
	for _, c := range r.clauses {
		head := c.Head.Predicate
		for i, premise := range c.Premises {
			read, negated := reads(premise)
			name := read.Symbol
			switch {
			case layer[read] != layer[head]:
			case negated:
				r.report(c.premises[i], "%[1]s depends here on the absence of %[2]s, which depends on %[1]s", head.Symbol, name)
			case c.fold != nil:
				r.report(c.premises[i], "%[1]s aggregates %[2]s here, which depends on %[1]s", head.Symbol, name)
			}
		}
	}
}

// comparisons are the built-in predicates that compare numbers.
var comparisons = map[ast.PredicateSym]string{
	symbols.Lt: "<", symbols.Le: "<=", symbols.Gt: ">", symbols.Ge: ">=",
}
