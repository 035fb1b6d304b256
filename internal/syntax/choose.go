package syntax

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/specs"
)

// Choose is a statement of facts that the environment picks from:
// choose one coin(each, 0 | 1)@each;
type Choose struct {
	Mode     string // of the alternatives one holds, "maybe" one, or "some"
	Relation string
	Columns  []Options
	Rounds   Options
	Position specs.Position
	Name     specs.Position // of the name of the relation
}

// The modes of a choice: of its alternatives one holds, at most one, or any
// number.
const (
	One   = "one"
	Maybe = "maybe"
	Some  = "some"
)

// Modes are all modes.
var Modes = []string{One, Maybe, Some}

// Each and Any are the words for all processes in a column, and for all rounds:
// a choice of its own for each of them, or alternatives of one choice.
const (
	Each = "each"
	Any  = "any"
)

// Options are what a column of a choice has, or its rounds: a word, or ranges. The
// ranges of a column are alternatives. Those of the rounds are alternatives if they
// are several or single; from 2 to 5 alone there is a choice of its own in each.
type Options struct {
	Word     string // Each, Any, or ""
	Ranges   []Range
	Position specs.Position
}

// Range is a value, or all integers between two.
type Range struct {
	First, Last specs.Value
	Position    specs.Position
}

// Len returns how many values the range has, at most as many as it may have.
func (r Range) Len(most int) int {
	if !r.First.IsInt() {
		return 1
	}
	if n := uint64(r.Last.Int()) - uint64(r.First.Int()); n < uint64(most) {
		return int(n) + 1
	}
	return most
}

// String returns the range as it is written in a program.
func (r Range) String() string {
	if r.First == r.Last {
		return r.First.String()
	}
	return r.First.String() + ".." + r.Last.String()
}

// text writes the options with something between the alternatives.
func (o Options) text(between string) string {
	if o.Word != "" {
		return o.Word
	}
	texts := make([]string, len(o.Ranges))
	for i, r := range o.Ranges {
		texts[i] = r.String()
	}
	return strings.Join(texts, between)
}

// Separate tells whether there is a choice of its own in each of the rounds.
func (c *Choose) Separate() bool {
	return c.Rounds.Word == Each || len(c.Rounds.Ranges) == 1
}

// String returns the statement as it is written in a program.
func (c *Choose) String() string {
	columns := make([]string, len(c.Columns))
	for i, o := range c.Columns {
		columns[i] = o.text(" | ")
	}
	return fmt.Sprintf("choose %s %s(%s)@%s;", c.Mode, c.Relation, strings.Join(columns, ", "), c.Rounds.text("|"))
}

// Rounds returns the first and the last round of a range of rounds.
func (r Range) Rounds() (first, last int) { return int(r.First.Int()), int(r.Last.Int()) }

// FactText returns a fact without its round, as a schedule has it.
func FactText(relation string, args []specs.Value) string {
	var b strings.Builder
	b.WriteString(relation + "(")
	for i, v := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
	b.WriteByte(')')
	return b.String()
}

// QuotedText returns a string as it is written in a program.
func QuotedText(s string) string { return specs.String(s).String() }

// RoundText writes the number of a round behind a fact.
func RoundText(fact string, round int) string { return fact + "@" + strconv.Itoa(round) }
