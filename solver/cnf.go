package solver

import (
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/inter"
	"github.com/go-air/gini/z"
)

// cnf is a gini solver that knows some of the gates of a circuit, namely those that were asked for
// and what they depend on, each as a variable with clauses that define it.
//
// Gini must never find its clauses contradictory in themselves: a later call could then end the
// whole process. So every asserted clause has the negation of a selector in it, and every call
// assumes the selector. The definitions of gates cannot contradict each other.
type cnf struct {
	circuit  *Circuit
	gini     *gini.Gini
	control  inter.Solve // of the calls to gini; the same for all of them
	selector z.Lit
	vars     []z.Lit // by node: its variable, LitNull while it has none
	users    []uint8 // by node: how it is used by the gates that are being defined

	cone, stack  []uint32 // reused buffers
	clauseBuffer []z.Lit
}

func newCNF(c *Circuit) *cnf {
	g := gini.New()
	control := g.GoSolve()
	control.Wait()
	f := &cnf{circuit: c, gini: g, control: control, selector: g.Lit()}
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

// lit is gini's literal for l, whose cone is defined first where it is not yet.
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
// and plainly, is not worth a variable: it is dissolved into its user.
func (f *cnf) define(root uint32) {
	f.collect(root)
	for _, n := range f.cone {
		if f.users[n] != dissolved {
			f.vars[n] = f.gini.Lit()
		}
	}
	for _, n := range f.cone {
		if f.users[n] != dissolved && f.circuit.nodes[n].a != isInput {
			f.defineGate(n)
		}
	}
	for _, n := range f.cone {
		f.users[n] = 0
	}
}

// The marks in cnf.users: a gate has exactly one user and is not negated there, or it is needed.
const (
	dissolved = 1
	needed    = 2
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
				if !l.negated() && f.circuit.nodes[n].a != isInput {
					f.users[n] = dissolved
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

// solve answers as gini does: 1 for satisfiable, -1 for unsatisfiable, and 0 if the context ended.
//
// Gini's own time limit cannot be used: it changes later answers. But gini looks every 20,000
// propagations whether Stop was called, and unless it was this has no influence on the answer. Stop
// returns when it has been handed a result, and only a call in the background hands one over. That
// is what a last call with contradictory assumptions is for, which ends at once.
func (f *cnf) solve(ctx context.Context, assumed []z.Lit) int {
	stopped := make(chan struct{})
	unregister := context.AfterFunc(ctx, func() {
		f.control.Stop()
		close(stopped)
	})
	f.gini.Assume(f.selector)
	f.gini.Assume(assumed...)
	result := f.gini.Solve()
	if unregister() {
		return result
	}
	f.gini.Assume(f.selector, f.selector.Not())
	f.gini.GoSolve()
	<-stopped
	return 0
}
