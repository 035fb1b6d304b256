package dedalus

import (
	"strconv"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// numeral says how a program writes an integer, with or without quotes, and
// whether in a first column, where locations stand.
type numeral struct {
	quoted                 bool
	placed, placedInQuotes bool
}

// ProcessValue returns the value that stands for the process called name in the
// program's facts: the name as a string, unless it is a decimal integer such as 7. Then
// it is the string "7" if the program has that string in a first column; else the
// integer, if the program has it in a first column; else the string, if the program has
// it anywhere; else the integer.
func (p *Program) ProcessValue(name string) specs.Value {
	n, err := strconv.ParseInt(name, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != name {
		return specs.String(name)
	}
	if seen := p.numerals[name]; seen.placedInQuotes || seen.quoted && !seen.placed {
		return specs.String(name)
	}
	return specs.Int(n)
}

// numerals remembers the integers of the program for ProcessValue.
func (c *checker) numerals() {
	for _, a := range c.atoms {
		for i, e := range a.Args {
			c.numeralsIn(e, i == 0)
		}
	}
	c.numeralsOfChoices()
	for _, r := range c.program.Rules {
		for _, t := range r.Body {
			if t.Test != nil {
				c.numeralsIn(t.Test, false)
			}
		}
	}
}

func (c *checker) numeralsIn(e syntax.Expr, first bool) {
	syntax.Walk(e, func(part syntax.Expr) {
		k, ok := part.(*syntax.Constant)
		if !ok {
			return
		}
		seen := c.program.numerals[k.Value.Text()]
		seen.quoted = seen.quoted || !k.Value.IsInt()
		seen.placed = seen.placed || first && k.Value.IsInt()
		seen.placedInQuotes = seen.placedInQuotes || first && !k.Value.IsInt()
		c.program.numerals[k.Value.Text()] = seen
	})
}
