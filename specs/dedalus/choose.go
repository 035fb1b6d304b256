package dedalus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// chooseAhead tells whether a choice begins: a relation can be called choose too.
func (p *parser) chooseAhead() bool {
	return p.peek(0).kind == word && p.peek(0).text == "choose" && !p.peek(1).is("(")
}

// choose parses choose one coin(each, 0 | 1)@each.
func (p *parser) choose(c *clause) bool {
	p.take()
	made := &syntax.Choose{Position: c.at}
	var ok bool
	if made.Mode, ok = p.mode(); !ok {
		return false
	}
	if p.peek(0).kind != word || p.peek(0).text == "notin" {
		return p.unexpected("the relation that the environment chooses from, as in choose " + made.Mode + " coin(each, 0 | 1)@1")
	}
	name := p.take()
	made.Relation, made.Name = name.text, name.at
	if !p.expect("(", "'(' behind the name of a relation") {
		return false
	}
	for !p.accept(")") {
		if len(made.Columns) > 0 && !p.expect(",", "'|', ',' or ')'") {
			return false
		}
		column, ok := p.options()
		if !ok {
			return false
		}
		made.Columns = append(made.Columns, column)
	}
	if made.Rounds, ok = p.roundsOfChoice(); !ok {
		return false
	}
	c.choose = made
	return true
}

// mode parses how many of the alternatives there are.
func (p *parser) mode() (string, bool) {
	modes := text.List(syntax.Modes, "or")
	t := p.peek(0)
	switch {
	case t.kind == word && slices.Contains(syntax.Modes, t.text) && !p.peek(1).is("("):
		p.take()
		return t.text, true
	case t.kind == word && p.peek(1).is("("):
		return "", p.fail(t.at, "expected %s behind 'choose', as in choose one %s(...): how many of the alternatives hold", modes, syntax.Shorten(t.text))
	case t.kind == word:
		return "", p.fail(t.at, "unexpected '%s'%s, expected %s behind 'choose': how many of the alternatives hold",
			syntax.Shorten(t.text), text.DidYouMean(t.text, syntax.Modes), modes)
	}
	return "", p.unexpected(modes + " behind 'choose'")
}

// options parses the alternatives of a column: each, any, or constants and ranges
// with '|' between them.
func (p *parser) options() (syntax.Options, bool) {
	o := syntax.Options{Position: p.peek(0).at}
	for {
		t := p.peek(0)
		if t.kind == word && (t.text == syntax.Each || t.text == syntax.Any) {
			p.take()
			if len(o.Ranges) > 0 || p.peek(0).is("|") {
				return o, p.fail(t.at, "'%s' stands alone in a column: it is all processes", t.text)
			}
			o.Word = t.text
			return o, true
		}
		r, ok := p.alternative()
		r.Position = t.at
		if !ok || !p.distinct(t, o.Ranges, r) {
			return o, false
		}
		o.Ranges = append(o.Ranges, r)
		if !p.accept("|") {
			return o, true
		}
	}
}

// distinct reports an alternative that is there twice.
func (p *parser) distinct(t token, before []syntax.Range, r syntax.Range) bool {
	for _, old := range before {
		if r.First.IsInt() == old.First.IsInt() && r.First.Compare(old.Last) <= 0 && old.First.Compare(r.Last) <= 0 {
			return p.fail(t.at, "%s is an alternative already", syntax.Shorten(slices.MaxFunc([]specs.Value{r.First, old.First}, specs.Value.Compare).String()))
		}
	}
	return true
}

// alternative parses a constant, or a range of integers.
func (p *parser) alternative() (syntax.Range, bool) {
	t := p.peek(0)
	switch {
	case t.kind == quoted:
		p.take()
		return syntax.Range{First: specs.String(t.text), Last: specs.String(t.text)}, true
	case t.is("-"), t.kind == word && startsNumber(t.text):
		return p.integers(t, p.numbers())
	case t.kind == word:
		return syntax.Range{}, p.fail(t.at, "a choice has constants, ranges such as 1..3, each and any, and '%s' is none%s%s",
			syntax.Shorten(t.text), text.DidYouMean(t.text, []string{syntax.Each, syntax.Any}), asString(t.text))
	}
	return syntax.Range{}, p.unexpected("an integer, a string, 'each' or 'any'")
}

func startsNumber(text string) bool { return text[0] >= '0' && text[0] <= '9' || text[0] == '.' }

// numbers takes the tokens of a number or a range, as in -1..1 or 1 .. 3.
func (p *parser) numbers() string {
	text := ""
	for {
		t := p.peek(0)
		joined := text == "" || strings.HasSuffix(text, "-") || strings.HasSuffix(text, "..") || t.kind == word && strings.HasPrefix(t.text, "..")
		if !joined || !t.is("-") && (t.kind != word || !startsNumber(t.text)) {
			return text
		}
		text += p.take().text
	}
}

// integers reads a number or a range.
func (p *parser) integers(t token, text string) (r syntax.Range, ok bool) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	var values [2]specs.Value
	for i, digits := range []string{first, last} {
		if !isNumber(strings.TrimPrefix(digits, "-")) {
			return r, p.fail(t.at, "%s is no number and no range (a range is written 1..3)", syntax.Shorten("'"+text+"'"))
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return r, p.fail(t.at, "%s does not fit in 64 bits", syntax.Shorten(digits))
		}
		values[i] = specs.Int(n)
	}
	r = syntax.Range{First: values[0], Last: values[1]}
	if r.Last.Int() < r.First.Int() {
		return r, p.fail(t.at, "the range %s runs backwards", r)
	}
	return r, true
}

// roundsOfChoice parses @3, @2..5, @each, @any or @2|3|4.
func (p *parser) roundsOfChoice() (o syntax.Options, ok bool) {
	t := p.peek(0)
	if t.kind != word || t.text[0] != '@' {
		return o, p.unexpected("the rounds of a choice such as '@1', '@2..5', '@each', '@any' or '@2|3'")
	}
	o.Position = t.at
	if p.take(); t.text != "@" { // what stands behind @ is a token of its own
		t.text = t.text[1:]
		p.ahead = slices.Insert(p.ahead, 0, t)
	}
	t = p.peek(0)
	if t.kind == word && !startsNumber(t.text) && t.text != syntax.Each && t.text != syntax.Any {
		return o, p.fail(t.at, "unexpected '@%s'%s, expected the rounds of a choice such as '@1', '@2..5', '@each', '@any' or '@2|3'",
			syntax.Shorten(t.text), text.DidYouMean(t.text, []string{syntax.Each, syntax.Any}))
	}
	position := o.Position
	if o, ok = p.options(); !ok {
		return o, false
	}
	o.Position = position
	for _, r := range o.Ranges {
		if !p.roundsIn(r, len(o.Ranges) > 1, t) {
			return o, false
		}
	}
	return o, true
}

// roundsIn reports a range that is not of rounds.
func (p *parser) roundsIn(r syntax.Range, several bool, t token) bool {
	switch {
	case !r.First.IsInt():
		return p.fail(t.at, "%s is no round", syntax.Shorten(r.First.String()))
	case several && r.First != r.Last:
		return p.fail(t.at, "'@%s' is a choice of its own in each of these rounds, and no alternative; write the rounds with '|' between them", r)
	}
	for _, end := range []specs.Value{r.First, r.Last} {
		if _, ok := p.round(token{text: end.String(), at: t.at}); !ok {
			return false
		}
	}
	return true
}

// choose adds a choice to the program.
func (c *checker) choose(made *syntax.Choose) {
	a := &syntax.Atom{Relation: made.Relation, Position: made.Position}
	for _, o := range made.Columns {
		var e syntax.Expr = &syntax.Wildcard{Position: o.Position}
		if o.Word == "" {
			e = &syntax.Constant{Value: o.Ranges[0].First, Position: o.Position}
		}
		a.Args = append(a.Args, e)
	}
	c.atoms = append(c.atoms, a)
	c.builtin(a)
	c.program.Choices = append(c.program.Choices, made)
}

// choose gathers what a choice says of the columns of its relation.
func (t *typing) choose(made *syntax.Choose) {
	if !t.fits(made.Relation, len(made.Columns)) {
		return
	}
	for i, o := range made.Columns {
		for _, r := range o.Ranges {
			t.column(nil, made.Relation, i, 0, &syntax.Constant{Value: r.First, Position: r.Position})
		}
	}
}

// fewNumerals of a range are looked at.
const fewNumerals = 100

// numeralsOfChoices remembers the integers of choices for ProcessValue.
func (c *checker) numeralsOfChoices() {
	for _, made := range c.program.Choices {
		for i, o := range made.Columns {
			for _, r := range o.Ranges {
				c.numeralsIn(&syntax.Constant{Value: r.First}, i == 0)
				for n := range r.Len(fewNumerals) - 1 {
					c.numeralsIn(&syntax.Constant{Value: specs.Int(r.First.Int() + int64(n) + 1)}, i == 0)
				}
			}
		}
	}
}
