package solver

import (
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/inter"
	"github.com/go-air/gini/z"
)

// cnf is a gini solver with some of the gates of a circuit, namely those needed so far and
// those they depend on, each as a variable with clauses that define it.
//
// Gini must never find its clauses contradictory in themselves: a later call could then end
// the whole process. So every asserted clause has the negation of a selector in it, and
// every call assumes the selector. The definitions of gates cannot contradict each other.
type cnf struct {
	circuit  *Circuit
	encoding encoding
	gini     *gini.Gini
	control  inter.Solve // of the calls of gini; the same for all
	selector z.Lit
	vars     []z.Lit // by node: its variable, LitNull while it has none
	users    []uint8 // by node: how it is used by the gates that are being defined

	cone, stack  []uint32 // reused buffers
	clauseBuffer []z.Lit
}

// encoding is which gates have a variable of their own.
type encoding int

const (
	dissolved encoding = iota // all but those that are used once, without negation
	plain                     // all
)

func newCNF(c *Circuit, e encoding) *cnf {
	g := gini.New()
	control := g.GoSolve()
	control.Wait()
	f := &cnf{circuit: c, encoding: e, gini: g, control: control, selector: g.Lit()}
	f.grow()
	f.vars[0] = f.selector.Not() // False
	return f
}

// grow makes room for the nodes that the circuit has by now.
func (f *cnf) grow() {
	if n := len(f.circuit.nodes) - len(f.vars); n > 0 {
		f.vars = append(f.vars, make([]z.Lit, n)...)
		f.users = append(f.users, make([]uint8, n)...)
	}
}

// assert makes l hold whenever the selector does.
func (f *cnf) assert(l Lit) {
	for _, leaf := range f.circuit.conjuncts(l) {
		f.clause(f.selector.Not(), f.lit(leaf))
	}
}

// assertAny makes at least one of lits hold whenever the selector does.
func (f *cnf) assertAny(lits []Lit) {
	clause := []z.Lit{f.selector.Not()}
	for _, l := range lits {
		clause = append(clause, f.lit(l))
	}
	f.clause(clause...)
}

func (f *cnf) clause(lits ...z.Lit) {
	for _, m := range lits {
		f.gini.Add(m)
	}
	f.gini.Add(z.LitNull)
}

// lit returns gini's literal for l, and first defines the cone of l if necessary.
func (f *cnf) lit(l Lit) z.Lit {
	f.grow()
	if f.vars[l.node()] == z.LitNull {
		f.define(l.node())
	}
	m := f.vars[l.node()]
	if l.negated() {
		return m.Not()
	}
	return m
}

// define gives variables and clauses to root and all that it depends on. A gate that is used once,
// and plainly, is not worth a variable where questions are easy: it is dissolved into its user. That
// can make hard questions ten times harder, as nothing can be learnt about it.
func (f *cnf) define(root uint32) {
	f.collect(root)
	for _, n := range f.cone {
		if f.users[n] != inside {
			f.vars[n] = f.gini.Lit()
		}
	}
	for _, n := range f.cone {
		if f.users[n] != inside && f.circuit.nodes[n].a != isInput {
			f.defineGate(n)
		}
	}
	for _, n := range f.cone {
		f.users[n] = 0
	}
}

// The marks in cnf.users: a gate has exactly one user and is not negated there, or it is needed.
const (
	inside = 1
	needed = 2
)

// collect fills f.cone with the nodes without a variable that root depends on, and marks each in
// f.users.
func (f *cnf) collect(root uint32) {
	f.cone = append(f.cone[:0], root)
	f.users[root] = needed
	for i := 0; i < len(f.cone); i++ {
		g := f.circuit.nodes[f.cone[i]]
		if g.a == isInput {
			continue
		}
		for _, l := range [2]Lit{g.a, g.b} {
			n := l.node()
			if f.vars[n] != z.LitNull {
				continue
			}
			if f.users[n] == 0 {
				f.cone = append(f.cone, n)
				if f.encoding == dissolved && !l.negated() && f.circuit.nodes[n].a != isInput {
					f.users[n] = inside
					continue
				}
			}
			f.users[n] = needed
		}
	}
}

// defineGate says that gate n is true when and only when all its leaves are.
func (f *cnf) defineGate(n uint32) {
	m := f.vars[n]
	all := append(f.clauseBuffer[:0], m)
	stack := append(f.stack[:0], n)
	for len(stack) > 0 {
		g := f.circuit.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		for _, l := range [2]Lit{g.b, g.a} {
			k := l.node()
			if f.vars[k] == z.LitNull {
				stack = append(stack, k)
				continue
			}
			leaf := f.vars[k]
			if l.negated() {
				leaf = leaf.Not()
			}
			f.clause(m.Not(), leaf)
			all = append(all, leaf.Not())
		}
	}
	f.clause(all...)
	f.stack, f.clauseBuffer = stack, all
}

// known is gini's literal for l, or LitNull if it has none.
func (f *cnf) known(l Lit) z.Lit {
	if int(l.node()) >= len(f.vars) {
		return z.LitNull
	}
	return f.vars[l.node()]
}

// solve answers as gini does: 1 for satisfiable, -1 for unsatisfiable, and 0 if the context
// ended or gini has worked for the given number of ticks.
//
// Gini's own time limit cannot be used: it changes later answers. But every 20,000
// propagations, a tick, gini checks whether it is to pause. Neither the check nor the
// number of pauses changes later answers.
func (f *cnf) solve(ctx context.Context, ticks int, assumed []z.Lit) (result, spent int) {
	f.gini.Assume(f.selector)
	f.gini.Assume(assumed...)
	f.gini.GoSolve()
	for ; spent < ticks && ctx.Err() == nil; spent++ {
		if result, paused := f.control.Pause(); !paused {
			return result, spent
		}
		f.control.Unpause()
	}
	return f.control.Stop(), spent
}
