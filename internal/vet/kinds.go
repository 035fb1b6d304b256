package vet

import "github.com/lineage-driven/ldfi/internal/syntax"

// columnOf is a column of a relation. Its values are all integers or all strings,
// except in the first one.
type columnOf struct {
	relation string
	index    int
}

// kinds tells whether columns have integers (true) or strings, if the facts and heads of
// the program show it.
type kinds map[columnOf]bool

func (w *warner) kinds() kinds {
	k := kinds{}
	for _, f := range w.program.Facts {
		for i, v := range f.Args {
			if i > 0 {
				k[columnOf{f.Relation, i}] = v.IsInt()
			}
		}
	}
	for before := -1; before < len(k); {
		before = len(k)
		for _, r := range w.program.Rules {
			for i, e := range r.Head.Args {
				if isInt, known := k.of(r, e); known && i > 0 {
					k[columnOf{r.Head.Relation, i}] = isInt
				}
			}
		}
	}
	return k
}

// of tells whether an expression of a rule is an integer or a string, if that is
// known.
func (k kinds) of(r *syntax.Rule, e syntax.Expr) (isInt, known bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		return e.Value.IsInt(), true
	case *syntax.Binary:
		return true, true
	case *syntax.Aggregate:
		if e.Func == "min" || e.Func == "max" {
			return k.of(r, e.Variable)
		}
		return true, true
	case *syntax.Variable:
		return k.variable(r, e.Name)
	}
	return false, false
}

// variable looks for a column of the body that has the variable.
func (k kinds) variable(r *syntax.Rule, name string) (isInt, known bool) {
	for _, t := range r.Body {
		if t.Atom == nil || t.Negated {
			continue
		}
		for i, e := range t.Atom.Args {
			if v, ok := e.(*syntax.Variable); !ok || v.Name != name {
				continue
			}
			if isInt, known = k[columnOf{t.Atom.Relation, i}]; known {
				return isInt, true
			}
		}
	}
	return false, false
}
