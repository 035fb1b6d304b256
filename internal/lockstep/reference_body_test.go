package lockstep_test

import (
	"math/big"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// firing is one binding for which a rule fires: its head without what
// aggregates, and the values that this ranges over.
type firing struct {
	head   row
	values []refMember
	sender string
}

// refMember is a value that an aggregate ranges over, once for each per.
type refMember struct {
	value specs.Value
	per   string
}

// bindings is a stack of variables and their values.
type bindings []struct {
	name  string
	value specs.Value
}

func (b bindings) get(name string) (specs.Value, bool) {
	for _, v := range b {
		if v.name == name {
			return v.value, true
		}
	}
	return specs.Value{}, false
}

func (b bindings) with(name string, v specs.Value) bindings {
	return append(b[:len(b):len(b)], struct {
		name  string
		value specs.Value
	}{name, v})
}

// fire returns all firings of an instance, where positive atoms read one set
// and negated ones another; all: every fact of the component counts there.
func (r *reference) fire(x refInstance, pos, neg set, all bool) []firing {
	var found []firing
	if x.rule == nil {
		for _, f := range pos[node{x.frozen, x.round}] {
			if name, ok := r.values[f[0]]; ok && r.stopped(name, x.round) {
				found = append(found, firing{head: f})
			}
		}
		return found
	}
	var positive []syntax.Term
	for _, t := range x.rule.Body {
		if t.Atom != nil && !t.Negated {
			positive = append(positive, t)
		}
	}
	r.join(x, positive, pos, nil, func(b bindings) {
		destinations := []bindings{b}
		if head := x.rule.Head; x.rule.Kind == syntax.Async {
			if v, ok := head.Args[0].(*syntax.Variable); ok {
				if _, bound := b.get(v.Name); !bound {
					destinations = nil
					for _, p := range r.names {
						destinations = append(destinations, b.with(v.Name, p))
					}
				}
			}
		}
		for _, d := range destinations {
			if f, ok := r.complete(x, d, b, pos, neg, all); ok {
				found = append(found, f)
			}
		}
	})
	return found
}

// join binds the variables that are columns of positive atoms.
func (r *reference) join(x refInstance, atoms []syntax.Term, pos set, b bindings, yield func(bindings)) {
	if len(atoms) == 0 {
		yield(b)
		return
	}
rows:
	for _, f := range pos[x.reads(atoms[0])] {
		r.work++
		next := b
		for i, e := range atoms[0].Atom.Args {
			switch e := e.(type) {
			case *syntax.Constant:
				if e.Value != f[i] {
					continue rows
				}
			case *syntax.Variable:
				if v, bound := next.get(e.Name); !bound {
					next = next.with(e.Name, f[i])
				} else if v != f[i] {
					continue rows
				}
			}
		}
		r.join(x, atoms[1:], pos, next, yield)
	}
}

// complete checks everything about a binding that is not a column of a positive
// atom: b with the destination, before without.
func (r *reference) complete(x refInstance, b, before bindings, pos, neg set, all bool) (firing, bool) {
	f := firing{}
	located := false
	for _, t := range x.rule.Body {
		if t.Atom == nil {
			if !compare(t.Test, b) {
				return f, false
			}
			continue
		}
		if !located {
			located = true
			if !r.located(x, t, b, before, &f) {
				return f, false
			}
		}
		if t.Negated && (all && r.inside[x.reads(t)] || r.matches(t, neg[x.reads(t)], b)) {
			return f, false
		}
		if t.Negated && r.all && !r.inside[x.reads(t)] && r.matches(t, r.facts[x.reads(t)], b) {
			return f, false
		}
		if !t.Negated && !r.exists(t, pos[x.reads(t)], b) {
			return f, false
		}
	}
	for _, e := range x.rule.Head.Args {
		if a, ok := e.(*syntax.Aggregate); ok {
			v, _ := b.get(a.Variable.Name)
			member := refMember{value: v}
			for _, per := range a.Per {
				k, _ := b.get(per.Name)
				member.per += k.String() + "|"
			}
			f.head, f.values = append(f.head, specs.Value{}), append(f.values, member)
			continue
		}
		v, ok := evaluate(e, b)
		if !ok {
			return f, false
		}
		f.head = append(f.head, v)
	}
	return f, true
}

// located applies the location rule to the first atom of the body.
func (r *reference) located(x refInstance, t syntax.Term, b, before bindings, f *firing) bool {
	if len(t.Atom.Args) == 0 {
		return true
	}
	e := t.Atom.Args[0]
	if _, wild := e.(*syntax.Wildcard); wild {
		return true
	}
	if v, ok := e.(*syntax.Variable); ok {
		if _, bound := before.get(v.Name); !bound {
			return true
		}
	}
	v, ok := evaluate(e, b)
	if !ok {
		return false
	}
	name, ok := r.values[v]
	f.sender = name
	return ok && x.round >= r.b.Joins[name] && (x.rule.Kind == syntax.Deductive || !r.stopped(name, x.round))
}

// exists checks the arguments of a positive atom that are arithmetic.
func (r *reference) exists(t syntax.Term, rows map[string]row, b bindings) bool {
	for _, e := range t.Atom.Args {
		if _, ok := e.(*syntax.Binary); ok {
			return r.matches(t, rows, b)
		}
	}
	return true
}

// matches tells whether a row is there for an atom; for a negated one also if
// an argument has no value.
func (r *reference) matches(t syntax.Term, rows map[string]row, b bindings) bool {
	for _, e := range t.Atom.Args {
		if _, ok := e.(*syntax.Binary); ok {
			if _, ok := evaluate(e, b); !ok {
				return t.Negated
			}
		}
	}
rows:
	for _, f := range rows {
		r.work++
		local := b
		for i, e := range t.Atom.Args {
			if _, wild := e.(*syntax.Wildcard); wild {
				continue
			}
			if v, ok := e.(*syntax.Variable); ok {
				if _, bound := local.get(v.Name); !bound {
					local = local.with(v.Name, f[i])
					continue
				}
			}
			if v, _ := evaluate(e, local); v != f[i] {
				continue rows
			}
		}
		return true
	}
	return false
}

// evaluate computes in big integers.
func evaluate(e syntax.Expr, b bindings) (specs.Value, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		return e.Value, true
	case *syntax.Variable:
		return b.get(e.Name)
	case *syntax.Binary:
		v, ok := evaluate(e.Left, b)
		w, ok2 := evaluate(e.Right, b)
		if !ok || !ok2 || !v.IsInt() || !w.IsInt() {
			return specs.Value{}, false
		}
		return compute(e.Op, big.NewInt(v.Int()), big.NewInt(w.Int()))
	}
	return specs.Value{}, false
}

func compute(op string, a, b *big.Int) (specs.Value, bool) {
	c := new(big.Int)
	switch {
	case op == "+":
		c.Add(a, b)
	case op == "-":
		c.Sub(a, b)
	case op == "*":
		c.Mul(a, b)
	case b.Sign() == 0:
		return specs.Value{}, false
	case op == "/":
		c.Quo(a, b)
	case op == "%":
		c.Rem(a, b)
	}
	return specs.Int(c.Int64()), c.IsInt64()
}

// compare tells whether a comparison holds.
func compare(e syntax.Expr, b bindings) bool {
	test := e.(*syntax.Binary)
	v, ok := evaluate(test.Left, b)
	w, ok2 := evaluate(test.Right, b)
	if !ok || !ok2 {
		return false
	}
	switch test.Op {
	case "==":
		return v == w
	case "!=":
		return v != w
	}
	if v.IsInt() != w.IsInt() {
		return false
	}
	c := strings.Compare(v.Text(), w.Text())
	if v.IsInt() {
		c = big.NewInt(v.Int()).Cmp(big.NewInt(w.Int()))
	}
	return map[string]bool{"<": c < 0, ">": c > 0, "<=": c <= 0, ">=": c >= 0}[test.Op]
}
