package dedalus

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

const (
	endHint = "a statement ends with ';', not with '.'"
	notHint = "negation is written 'notin'"
)

// hint says what was most likely meant where a token is not expected, with ": "
// before it; nothing if that is not known.
func (p *parser) hint(t token) string {
	switch {
	case t.kind == word && t.text[0] == '.':
		return ": " + endHint
	case p.last.kind == word && p.last.text == "not" && (t.kind == word || t.is("(")):
		return ": " + notHint
	case p.last.kind == word && slices.Contains(aggregates, p.last.text) && t.is("("):
		return ": an aggregate is written " + p.last.text + "<X>"
	case p.folding != "" && (t.is(")") || t.is(",") || t.is("(")):
		return ": " + p.folding + "<...> needs a variable; let a rule of its own give what is to be aggregated as a column"
	}
	return ""
}

// endsInDot tells whether a word is one with a full stop behind it.
func endsInDot(text string) bool { return len(text) > 1 && strings.HasSuffix(text, ".") }

// dotted is the report of such a word.
func (p *parser) dotted(t token, word string) bool {
	return p.fail(t.at, "unexpected '.' behind %s: %s", syntax.Shorten("'"+strings.TrimSuffix(word, ".")+"'"), endHint)
}
