package causality

import (
	"cmp"
	"errors"
	"slices"
)

// spanOrder finds the rounds in which spans begin and end: every one as early as what came
// before it allows. It is a graph of moments, with the rounds that lie between them.
type spanOrder struct {
	after [][]precedence // by moment
	into  []int          // how many edges end there
	round []int
}

type precedence struct{ to, rounds int }

// Each span has two moments.
func spanBegins(n *spanNode) int { return 2 * (n.number - 1) }
func spanEnds(n *spanNode) int   { return 2*(n.number-1) + 1 }

// newOrder returns the rounds of a trace.
func newSpanOrder(t *Trace) (*spanOrder, error) {
	o := &spanOrder{}
	for range 2 * len(t.nodes) {
		o.moment()
	}
	for _, n := range t.nodes {
		o.add(spanBegins(n), spanEnds(n), n.lasts())
		if n.parent != nil {
			o.call(n)
		}
		for _, from := range n.from {
			o.add(spanBegins(from), spanBegins(n), spanDistance(from, n))
		}
		o.siblings(n)
	}
	return o, o.walk()
}

// lasts is how many rounds a span takes by itself: who gives up on a call has waited for
// it, so that another attempt comes later.
func (n *spanNode) lasts() int {
	if n.Kind == Client && n.Failed {
		return 1
	}
	return 0
}

// spanDistance is how many rounds a message takes from one span to another.
func spanDistance(a, b *spanNode) int {
	if a.process == b.process {
		return 0
	}
	return 1
}

// call orders a span and the one that led to it.
func (o *spanOrder) call(n *spanNode) {
	o.add(spanBegins(n.parent), spanBegins(n), spanDistance(n.parent, n))
	switch {
	case n.remote() && n.answered():
		o.add(spanEnds(n), spanEnds(n.parent), 1)
	case !n.remote() && n.End <= n.parent.End:
		o.add(spanEnds(n), spanEnds(n.parent), 0)
	}
}

// siblings orders the children of a span that were recorded by its own service, by the
// clock of that: who begins when another has ended comes after it. A chain of moments
// stands for the time between, so that there are few edges.
func (o *spanOrder) siblings(n *spanNode) {
	var own []*spanNode
	for _, c := range n.children {
		if !c.remote() {
			own = append(own, c)
		}
	}
	byEnd := slices.SortedStableFunc(slices.Values(own), func(a, b *spanNode) int { return cmp.Compare(a.End, b.End) })
	last, next := -1, 0
	for _, c := range own { // by beginnings
		for ; next < len(byEnd) && byEnd[next].End <= c.Start && byEnd[next] != c; next++ {
			m := o.moment()
			o.add(spanEnds(byEnd[next]), m, 0)
			if last >= 0 {
				o.add(last, m, 0)
			}
			last = m
		}
		if last >= 0 {
			o.add(last, spanBegins(c), 0)
		}
	}
}

func (o *spanOrder) moment() int {
	o.after, o.into, o.round = append(o.after, nil), append(o.into, 0), append(o.round, 1)
	return len(o.after) - 1
}

func (o *spanOrder) add(from, to, rounds int) {
	o.after[from] = append(o.after[from], precedence{to, rounds})
	o.into[to]++
}

// walk goes through the moments in an order in which each comes after all before it.
func (o *spanOrder) walk() error {
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
