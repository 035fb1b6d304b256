package dedalus

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// Limits of one expression, so that nobody who walks through it has to fear
// for the stack.
const (
	maxDepth     = 200
	maxOperators = 1000
)

// aggregates are the functions that a head may have.
var aggregates = []string{"avg", "count", "max", "min", "sum"}

func isOperator(t token) bool { return t.kind == symbol && syntax.Precedence(t.text) > 0 }

// wholeExpression parses an argument or a test.
func (p *parser) wholeExpression() (syntax.Expr, bool) {
	p.size, p.depth, p.folding = 0, 0, ""
	return p.expression(1)
}

// expression parses operators that bind at least as tightly as given.
func (p *parser) expression(least int) (syntax.Expr, bool) {
	left, ok := p.operand()
	for ok && isOperator(p.peek(0)) && syntax.Precedence(p.peek(0).text) >= least {
		op := p.take()
		if p.size++; p.size > maxOperators {
			return nil, p.fail(op.at, "this expression is too long (at most %d operators)", maxOperators)
		}
		var right syntax.Expr
		right, ok = p.expression(syntax.Precedence(op.text) + 1)
		left = &syntax.Binary{Op: op.text, Left: left, Right: right, Position: op.at}
	}
	return left, ok
}

// operand parses a constant, a variable, a wildcard, an aggregate or an
// expression in parentheses.
func (p *parser) operand() (syntax.Expr, bool) {
	switch t := p.peek(0); {
	case t.kind == quoted:
		p.take()
		return &syntax.Constant{Value: specs.String(t.text), Position: t.at}, true
	case t.is("-"):
		return p.negative()
	case t.is("("):
		return p.parenthesised()
	case t.kind == word && t.text[0] >= '0' && t.text[0] <= '9':
		p.take()
		return p.integer(t.at, t.text)
	case t.kind == word && p.aggregateAhead():
		return p.aggregate()
	case t.kind == word && slices.Contains(aggregates, t.text) && p.peek(1).is("<") && p.peek(2).kind == word && p.aggregateTo(","):
		return nil, p.fail(p.peek(3).at, "unexpected ',': an aggregate is over one variable, and what else tells rows apart stands behind ';', as in %s<%s; %s>",
			t.text, p.peek(2).text, p.peek(4).text)
	case t.kind == word && slices.Contains(aggregates, t.text) && p.peek(1).is("<"):
		p.folding = t.text // unless it is a comparison
		p.take()
		return &syntax.Variable{Name: t.text, Position: t.at}, true
	case t.kind == word && t.text == "_":
		p.take()
		return &syntax.Wildcard{Position: t.at}, true
	case t.kind == word:
		p.take()
		return &syntax.Variable{Name: t.text, Position: t.at}, true
	}
	return nil, p.unexpected("an integer, a string or a variable")
}

func (p *parser) parenthesised() (syntax.Expr, bool) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.peek(0).at, "parentheses are nested too deeply (at most %d)", maxDepth)
	}
	p.take()
	e, ok := p.expression(1)
	p.depth--
	if !ok {
		return nil, false
	}
	return e, p.expect(")", "')'")
}

func (p *parser) negative() (syntax.Expr, bool) {
	minus := p.take()
	t := p.peek(0)
	if t.kind != word || t.text[0] < '0' || t.text[0] > '9' {
		return nil, p.unexpected("a number behind '-' (the opposite of X is 0 - X)")
	}
	p.take()
	return p.integer(minus.at, "-"+t.text)
}

// integer reads a number with its sign.
func (p *parser) integer(at specs.Position, text string) (syntax.Expr, bool) {
	if isNumber(strings.TrimPrefix(strings.TrimSuffix(text, "."), "-")) && endsInDot(text) {
		return nil, p.dotted(token{at: at}, text)
	}
	if digits := text; !isNumber(digits) && !(digits[0] == '-' && isNumber(digits[1:])) {
		return nil, p.fail(at, "%s is no number and no variable (a number has only digits, a variable does not begin with one)",
			syntax.Shorten("'"+text+"'"))
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, p.fail(at, "%s does not fit in 64 bits", syntax.Shorten(text))
	}
	return &syntax.Constant{Value: specs.Int(n), Position: at}, true
}

func isNumber(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// aggregateAhead tells whether the next tokens are name<name> or name<name; name,
// name> with nothing behind that could make them two comparisons.
func (p *parser) aggregateAhead() bool {
	if !p.peek(1).is("<") || p.peek(2).kind != word {
		return false
	}
	return p.aggregateTo(";")
}

// aggregateTo is the same where this separates the first name from the others.
func (p *parser) aggregateTo(separator string) bool {
	at := 3
	for ; p.peek(at).is(separator) && p.peek(at+1).kind == word; separator = "," {
		at += 2
	}
	if !p.peek(at).is(">") {
		return false
	}
	behind := p.peek(at + 1)
	return behind.kind != word && behind.kind != quoted && !behind.is("(") && !behind.is("-")
}

func (p *parser) aggregate() (syntax.Expr, bool) {
	name := p.take()
	if !slices.Contains(aggregates, name.text) {
		return nil, p.fail(name.at, "there is no aggregate %s<...>%s; there are avg, count, max, min and sum",
			syntax.Shorten(name.text), text.DidYouMean(name.text, aggregates))
	}
	a := &syntax.Aggregate{Func: name.text, Position: name.at}
	for !p.accept(">") {
		p.take() // < or ; or ,
		v := p.take()
		if c := v.text[0]; c >= '0' && c <= '9' || v.text == "_" {
			return nil, p.fail(v.at, "%s<...> needs a variable", name.text)
		}
		variable := &syntax.Variable{Name: v.text, Position: v.at}
		if a.Variable == nil {
			a.Variable = variable
		} else {
			a.Per = append(a.Per, variable)
		}
	}
	return a, true
}
