package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/specs"
)

// Column is one argument of a Pattern: a value, or open, which any value meets. Open
// columns of the same name have to have equal values.
type Column struct {
	Open  bool
	Name  string // of an open column that is not the only one of its name
	Value specs.Value

	process bool // the value is the name of a process, written without quotes
}

// MarshalJSON writes a number, a string, or null for an open column.
func (c Column) MarshalJSON() ([]byte, error) {
	if c.Open {
		return []byte("null"), nil
	}
	return c.Value.MarshalJSON()
}

// String writes the column as in a program, but a process by its bare name.
func (c Column) String() string {
	switch {
	case c.Open && c.Name != "":
		return c.Name
	case c.Open:
		return "_"
	case c.process:
		return c.Value.Text()
	default:
		return c.Value.String()
	}
}

// column is a column that has a value.
func (x *Explainer) column(v specs.Value) Column {
	return Column{Value: v, process: !v.IsInt() && slices.Contains(x.Graph.Bounds.Processes, v.Text())}
}

// Pattern stands for the facts of one relation that have the given values in its columns,
// in the rounds First..Last.
type Pattern struct {
	Relation    string
	Columns     []Column
	First, Last int
}

// patternOf is the pattern that only the facts with the arguments args meet.
func (x *Explainer) patternOf(relation string, args []specs.Value, round int) Pattern {
	p := Pattern{Relation: relation, First: round, Last: round}
	for _, v := range args {
		p.Columns = append(p.Columns, x.column(v))
	}
	return p
}

// factPattern is the pattern that only this one fact meets.
func (x *Explainer) factPattern(f *provenance.Fact) Pattern {
	return x.patternOf(f.Relation(), f.Args(), f.Round())
}

// during is the same pattern in other rounds.
func (p Pattern) during(first, last int) Pattern {
	p.First, p.Last = first, last
	return p
}

// matches tells whether values meet the columns of the pattern.
func (p Pattern) matches(args []specs.Value) bool {
	return len(args) == len(p.Columns) && p.fits(func(i int) specs.Value { return args[i] })
}

// fits tells whether arguments, given by column, meet the pattern.
func (p Pattern) fits(arg func(column int) specs.Value) bool {
	for i, c := range p.Columns {
		switch {
		case !c.Open && c.Value != arg(i):
			return false
		case c.Name != "" && arg(p.firstNamed(c.Name)) != arg(i):
			return false
		}
	}
	return true
}

// firstNamed is the first column of a name.
func (p Pattern) firstNamed(name string) int {
	return slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })
}

// sameColumns tells whether two patterns differ in nothing but their rounds.
func (p Pattern) sameColumns(q Pattern) bool {
	return p.Relation == q.Relation && slices.Equal(p.Columns, q.Columns)
}

// atomPattern is the pattern of a body atom under a binding. Variables without a value
// leave their columns open.
func (x *Explainer) atomPattern(a *syntax.Atom, env assignment, round int) Pattern {
	p := Pattern{Relation: a.Relation, First: round, Last: round}
	for _, e := range a.Args {
		c := Column{Open: true}
		if v, ok := env.value(e); ok {
			c = x.column(v)
		} else if v, ok := e.(*syntax.Variable); ok && occurrences(a, v.Name) > 1 {
			c.Name = v.Name
		}
		p.Columns = append(p.Columns, c)
	}
	return p
}

// occurrences counts the columns of an atom that are a certain variable.
func occurrences(a *syntax.Atom, name string) int {
	n := 0
	for _, e := range a.Args {
		if v, ok := e.(*syntax.Variable); ok && v.Name == name {
			n++
		}
	}
	return n
}

// atom writes relation(args).
func (p Pattern) atom() string {
	texts := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		texts[i] = c.String()
	}
	return fmt.Sprintf("%s(%s)", p.Relation, strings.Join(texts, ", "))
}

// String writes relation(args)@round, or @first..last.
func (p Pattern) String() string { return p.atom() + "@" + roundRange(p.First, p.Last) }

// MarshalText returns the text of String.
func (p Pattern) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// roundRange writes a range of rounds: 3 or 1..5.
func roundRange(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d..%d", first, last)
}

// roundsText writes "round 3" or "rounds 1..5".
func roundsText(first, last int) string {
	if first == last {
		return fmt.Sprintf("round %d", first)
	}
	return "rounds " + roundRange(first, last)
}
