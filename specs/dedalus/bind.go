package dedalus

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
)

// bindings checks that every variable that needs a value gets one: those of the
// head, of comparisons, and of computations in the columns of body atoms.
func (c *checker) bindings(r *syntax.Rule) {
	bound := r.Bound()
	known := map[string]bool{}
	for _, name := range bound {
		known[name] = true
	}
	need := func(e syntax.Expr, where string) {
		syntax.EachVariable(e, func(v *syntax.Variable) {
			if !known[v.Name] {
				known[v.Name] = true
				c.fail(v.Position, "variable %s of %s has no value: no positive atom of the body has it as a column%s",
					syntax.Shorten(v.Name), where, c.hint(v.Name, bound))
			}
		})
	}
	for _, e := range r.Head.Args {
		need(e, "the head")
	}
	for _, t := range r.Body {
		if t.Atom == nil {
			need(t.Test, "this comparison")
			continue
		}
		for _, e := range t.Atom.Args {
			if b, ok := e.(*syntax.Binary); ok {
				need(b, "this computation")
			}
		}
	}
}

// maxSuggestions is the number of errors after which nothing is suggested:
// whoever has more has another problem, and looking for suggestions takes long.
const maxSuggestions = 100

// hint says what a variable without a value was probably meant to be.
func (c *checker) hint(name string, bound []string) string {
	if len(c.errors) > maxSuggestions {
		return ""
	}
	if s := text.DidYouMean(name, bound); s != "" {
		return s
	}
	return asString(name)
}
