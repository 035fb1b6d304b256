package search

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Lens is the part of an execution that some properties depend on: facts of some
// relations, and of these some columns, the last of which is the round. Executions with
// the same part satisfy the same properties.
type Lens struct {
	all     bool              // all facts, for the sake of a function
	ever    bool              // all facts, but not in which round
	columns map[string][]bool // by relation: whether a column makes a difference
}

// NewLens returns the lens of properties. It returns an error if a property reads
// something that processes do not report.
func NewLens(properties []property.Property) (*Lens, error) {
	l := &Lens{columns: map[string][]bool{}}
	for _, p := range properties {
		c, err := property.Compile(p)
		if err != nil {
			return nil, err
		}
		rules := c.Rules()
		switch {
		case rules == nil:
			l.all = true
		case rules.Program == nil: // no telling which columns matter
			l.all = true
			if err := unseen(rules.Read); err != nil {
				return nil, err
			}
		default:
			for _, r := range rules.Program.Slice("violation", "pre", "post").Rules {
				l.rule(r)
			}
		}
	}
	if err := unseen(func(relation string) bool { return l.columns[relation] != nil }); err != nil {
		return nil, err
	}
	return l, nil
}

// unseen returns an error if a relation is read that has no facts of reports.
func unseen(reads func(string) bool) error {
	for _, r := range datalog.Environment {
		if r.About != datalog.TableScope && reads(r.Name) {
			return fmt.Errorf("a property reads %s, but this strategy sees only facts that processes report: use a strategy that draws schedules", r.Name)
		}
	}
	return nil
}

// rule adds the columns that a rule reads.
func (l *Lens) rule(r *syntax.Rule) {
	uses := map[string]int{}
	for _, arg := range r.Head.Args {
		mentions(arg, uses)
	}
	for _, t := range r.Body {
		if t.Atom == nil {
			mentions(t.Test, uses)
			continue
		}
		for _, arg := range t.Atom.Args {
			mentions(arg, uses)
		}
	}
	for _, t := range r.Body {
		if t.Atom == nil {
			continue
		}
		columns := l.columns[t.Atom.Relation]
		if columns == nil {
			columns = make([]bool, len(t.Atom.Args))
			l.columns[t.Atom.Relation] = columns
		}
		for i, arg := range t.Atom.Args {
			v, variable := arg.(*syntax.Variable)
			_, wildcard := arg.(*syntax.Wildcard)
			columns[i] = columns[i] || !wildcard && (!variable || uses[v.Name] > 1)
		}
	}
}

// mentions counts the variables of an expression.
func mentions(e syntax.Expr, uses map[string]int) {
	switch e := e.(type) {
	case *syntax.Variable:
		uses[e.Name]++
	case *syntax.Aggregate:
		for _, v := range append([]*syntax.Variable{e.Variable}, e.Per...) {
			uses[v.Name] += 2
		}
	case *syntax.Binary:
		mentions(e.Left, uses)
		mentions(e.Right, uses)
	}
}

// See returns the part of f that the lens shows, as a text, and whether the lens shows
// f at all.
func (l *Lens) See(f recording.Fact) (string, bool) {
	switch {
	case l.ever:
		return recording.Fact{Relation: f.Relation, Args: f.Args}.String(), true
	case l.all:
		return f.String(), true
	}
	columns, ok := l.columns[datalog.TableName(f.Relation)]
	if !ok || len(columns) != len(f.Args)+1 {
		return "", false
	}
	var b strings.Builder
	b.WriteString(f.Relation)
	for i, v := range f.Args {
		if columns[i] {
			fmt.Fprintf(&b, " %d:%s", i, v)
		}
	}
	if columns[len(f.Args)] {
		fmt.Fprintf(&b, "@%d", f.Round)
	}
	return b.String(), true
}

// All tells whether all facts make a difference, for the sake of a property that
// is a function.
func (l *Lens) All() bool { return l.all }

// Everything returns the lens that shows all facts, but not in which round.
func Everything() *Lens { return &Lens{ever: true} }
