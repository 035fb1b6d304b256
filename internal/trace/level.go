package trace

import (
	"cmp"
	"errors"
	"slices"
)

// order finds the rounds in which spans begin and end: every one as early as what came
// before it allows. It is a graph of moments, with the rounds that lie between them.
type order struct {
	after [][]edge // by moment
	into  []int    // how many edges end there
	round []int
}

type edge struct{ to, rounds int }

// Each span has two moments.
func begins(n *node) int { return 2 * (n.number - 1) }
func ends(n *node) int   { return 2*(n.number-1) + 1 }

// newOrder returns the rounds of a trace.
func newOrder(t *Trace) (*order, error) {
	o := &order{}
	for range 2 * len(t.nodes) {
		o.moment()
	}
	for _, n := range t.nodes {
		o.add(begins(n), ends(n), n.lasts())
		if n.parent != nil {
			o.call(n)
		}
		for _, from := range n.from {
			o.add(begins(from), begins(n), between(from, n))
		}
		o.siblings(n)
	}
	return o, o.walk()
}

// lasts is how many rounds a span takes by itself: who gives up on a call has waited for
// it, so that another attempt comes later.
func (n *node) lasts() int {
	if n.Kind == Client && n.Failed {
		return 1
	}
	return 0
}

// between is how many rounds a message takes from one span to another.
func between(a, b *node) int {
	if a.process == b.process {
		return 0
	}
	return 1
}

// call orders a span and the one that led to it.
func (o *order) call(n *node) {
	o.add(begins(n.parent), begins(n), between(n.parent, n))
	switch {
	case n.remote() && n.answered():
		o.add(ends(n), ends(n.parent), 1)
	case !n.remote() && n.End <= n.parent.End:
		o.add(ends(n), ends(n.parent), 0)
	}
}

// siblings orders the children of a span that were recorded by its own service, by the
// clock of that: who begins when another has ended comes after it. A chain of moments
// stands for the time between, so that there are few edges.
func (o *order) siblings(n *node) {
	var own []*node
	for _, c := range n.children {
		if !c.remote() {
			own = append(own, c)
		}
	}
	byEnd := slices.SortedStableFunc(slices.Values(own), func(a, b *node) int { return cmp.Compare(a.End, b.End) })
	last, next := -1, 0
	for _, c := range own { // by beginnings
		for ; next < len(byEnd) && byEnd[next].End <= c.Start && byEnd[next] != c; next++ {
			m := o.moment()
			o.add(ends(byEnd[next]), m, 0)
			if last >= 0 {
				o.add(last, m, 0)
			}
			last = m
		}
		if last >= 0 {
			o.add(last, begins(c), 0)
		}
	}
}

func (o *order) moment() int {
	o.after, o.into, o.round = append(o.after, nil), append(o.into, 0), append(o.round, 1)
	return len(o.after) - 1
}

func (o *order) add(from, to, rounds int) {
	o.after[from] = append(o.after[from], edge{to, rounds})
	o.into[to]++
}

// walk goes through the moments in an order in which each comes after all before it.
func (o *order) walk() error {
	var ready []int
	for m, n := range o.into {
		if n == 0 {
			ready = append(ready, m)
		}
	}
	seen := 0
	for ; len(ready) > 0; seen++ {
		m := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, e := range o.after[m] {
			o.round[e.to] = max(o.round[e.to], o.round[m]+e.rounds)
			if o.into[e.to]--; o.into[e.to] == 0 {
				ready = append(ready, e.to)
			}
		}
	}
	if seen < len(o.after) {
		return errors.New("the spans contradict each other: by parents, links and times some come before themselves")
	}
	return nil
}
