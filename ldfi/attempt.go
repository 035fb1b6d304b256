package ldfi

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// Two-phase commit promises that no process decides "commit" if a process votes "no"; the
// absence of such a fact does not show that nothing happens. So an atom whose constants no
// fact has can come about if its relation has other facts, and some rule could give these
// constants: each positive atom of its body, with the constants that the head passes on,
// has a fact or can come about in the same way.

// attempts are atoms, and which rules could give them.
type attempts struct {
	*underivable
	atoms map[string]*attempt // by their canonical texts
	order []*attempt
}

// attempt is an atom that can come about by one of its rules, all of whose atoms
// have to.
type attempt struct {
	alive bool
	rules [][]*attempt
}

// mostAttempts limits the atoms that are checked; beyond it every atom can come about.
const mostAttempts = 1000

// given tells whether rules could give the constants of an atom that has no fact.
func (u *underivable) given(ctx context.Context, a *syntax.Atom) (bool, error) {
	if !constants(a) {
		return false, nil
	}
	all := &attempts{underivable: u, atoms: map[string]*attempt{}}
	first, err := all.attempt(ctx, a)
	if err != nil {
		return false, err
	}
	for changed := true; changed; {
		changed = false
		for _, t := range all.order {
			if !t.alive && t.possible() {
				t.alive, changed = true, true
			}
		}
	}
	return first.alive || len(all.order) > mostAttempts, nil
}

func (t *attempt) possible() bool {
	for _, body := range t.rules {
		alive := true
		for _, b := range body {
			alive = alive && b.alive
		}
		if alive {
			return true
		}
	}
	return false
}

func (all *attempts) attempt(ctx context.Context, a *syntax.Atom) (*attempt, error) {
	a = canonical(a)
	key := a.String()
	if t := all.atoms[key]; t != nil {
		return t, nil
	}
	t := &attempt{}
	all.atoms[key] = t
	all.order = append(all.order, t)
	var err error
	if t.alive, err = all.somewhere(ctx, syntax.Term{Atom: a}); t.alive || err != nil || len(all.order) > mostAttempts {
		return t, err
	}
	if others, err := all.somewhere(ctx, syntax.Term{Atom: anyFact(a)}); !others || err != nil {
		return t, err
	}
	for _, r := range all.program.Rules {
		if r.Head.Relation != a.Relation {
			continue
		}
		passed, ok := pass(&r.Head, a)
		if !ok {
			continue
		}
		body := []*attempt{}
		for _, b := range r.Body {
			if b.Atom == nil || b.Negated {
				continue
			}
			next, err := all.attempt(ctx, substitute(b.Atom, passed))
			if err != nil {
				return t, err
			}
			body = append(body, next)
		}
		t.rules = append(t.rules, body)
	}
	return t, nil
}

// constants tells whether an atom has constants.
func constants(a *syntax.Atom) bool {
	for _, arg := range a.Args {
		if _, is := arg.(*syntax.Constant); is {
			return true
		}
	}
	return false
}

// anyFact is an atom that all facts of the relation have.
func anyFact(a *syntax.Atom) *syntax.Atom {
	all := &syntax.Atom{Relation: a.Relation, Position: a.Position}
	for range a.Args {
		all.Args = append(all.Args, &syntax.Wildcard{})
	}
	return all
}

// pass returns the values of the variables of a head that gives an atom, and false if it
// cannot give it. Variables of the atom are those that it has twice.
func pass(head, a *syntax.Atom) (map[string]syntax.Expr, bool) {
	passed := map[string]syntax.Expr{}
	for i, h := range head.Args {
		arg := a.Args[i]
		constant, is := arg.(*syntax.Constant)
		switch h := h.(type) {
		case *syntax.Constant:
			if is && constant.Value != h.Value {
				return nil, false
			}
		case *syntax.Variable:
			if _, wild := arg.(*syntax.Wildcard); wild {
				continue
			}
			before, known := passed[h.Name].(*syntax.Constant)
			if known && is && before.Value != constant.Value {
				return nil, false
			}
			if !known {
				passed[h.Name] = arg
			}
		}
	}
	return passed, true
}

// substitute replaces variables by the expressions in passed.
func substitute(a *syntax.Atom, passed map[string]syntax.Expr) *syntax.Atom {
	s := &syntax.Atom{Relation: a.Relation, Position: a.Position}
	for _, arg := range a.Args {
		if v, is := arg.(*syntax.Variable); is {
			if arg = passed[v.Name]; arg == nil {
				arg = &syntax.Variable{Name: "body " + v.Name} // a variable different from all passed ones
			}
		}
		s.Args = append(s.Args, arg)
	}
	return s
}

// canonical returns an atom in which variables are numbered, and are there only
// if they stand twice.
func canonical(a *syntax.Atom) *syntax.Atom {
	count := map[string]int{}
	for _, arg := range a.Args {
		if v, is := arg.(*syntax.Variable); is {
			count[v.Name]++
		}
	}
	c := &syntax.Atom{Relation: a.Relation, Position: a.Position}
	names := map[string]string{}
	for _, arg := range a.Args {
		switch v := arg.(type) {
		case *syntax.Constant:
			c.Args = append(c.Args, v)
		case *syntax.Variable:
			if count[v.Name] > 1 {
				if names[v.Name] == "" {
					names[v.Name] = fmt.Sprintf("V%d", len(names))
				}
				c.Args = append(c.Args, &syntax.Variable{Name: names[v.Name]})
				continue
			}
			c.Args = append(c.Args, &syntax.Wildcard{})
		default:
			c.Args = append(c.Args, &syntax.Wildcard{})
		}
	}
	return c
}
