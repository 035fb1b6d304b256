package explain

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
)

// builder makes the nodes of an explanation, breadth first, so that its limits cut off the
// nodes farthest from the question. Facts come before absences.
type builder struct {
	x                                 *Explainer
	limits                            Limits
	facts                             map[*provenance.Fact]*Node
	absences                          map[string][]*Node // by relation
	queue                             []*Node            // facts to explain
	later                             []*Node            // absences to explain
	factsExplained, absencesExplained int
}

func newBuilder(x *Explainer, l Limits) *builder {
	return &builder{x: x, limits: l.normal(), facts: map[*provenance.Fact]*Node{}, absences: map[string][]*Node{}}
}

// run explains everything that was mentioned, within the limits.
func (b *builder) run() {
	for len(b.queue)+len(b.later) > 0 {
		if len(b.queue) > 0 {
			n := b.queue[0]
			b.queue = b.queue[1:]
			b.explainFact(n)
			continue
		}
		n := b.later[0]
		b.later = b.later[1:]
		b.explainAbsence(n)
	}
}

const notShown = "not shown, the explanation is long enough"

// fact mentions a fact that holds; it will be explained where it came about.
func (b *builder) fact(f *provenance.Fact) *Part {
	p := b.x.factPattern(f)
	origin, kept := b.x.origin(f)
	part := &Part{Met: true, Atom: &p, Kept: kept, Node: b.factNode(origin)}
	if kept != nil {
		for _, absent := range kept.Absent {
			if absent.possible && absent.Atom.Relation != syntax.Crash {
				absent.Node = b.absentNode(*absent.Atom, b.limits.Depth/2)
			}
		}
	}
	return part
}

func (b *builder) factNode(f *provenance.Fact) *Node {
	n := b.facts[f]
	if n == nil {
		n = &Node{Pattern: b.x.factPattern(f), Holds: true, fact: f}
		b.facts[f] = n
		b.queue = append(b.queue, n)
	}
	return n
}

// absent mentions that no fact of a pattern holds, which is not explained if
// its depth is beyond the limit.
func (b *builder) absent(p Pattern, depth int) *Part {
	return &Part{Met: true, Negated: true, Atom: &p, Node: b.absentNode(p, depth)}
}

func (b *builder) absentNode(p Pattern, depth int) *Node {
	for _, n := range b.absences[p.Relation] {
		if n.sameColumns(p) && n.First <= p.First && p.Last <= n.Last {
			return n
		}
	}
	n := &Node{Pattern: b.x.absentSince(p), depth: depth}
	b.absences[p.Relation] = append(b.absences[p.Relation], n)
	b.later = append(b.later, n)
	return n
}
