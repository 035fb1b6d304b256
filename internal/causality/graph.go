package causality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// graph is that of a difference: the facts that differ, the facts beside them that hold in
// both executions, and the faults behind all.
type graph struct {
	*writer
	nodes []*node
	edges []edge
}

// node is a fact or a fault.
type node struct {
	name    string
	lines   []string
	kind    string
	change  *result.Change // of a fact that differs
	outcome bool
}

// The kinds of nodes.
const (
	missing = "missing" // only the good execution has the fact
	further = "further" // only the bad one has
	shared  = "shared"  // both have
	neither = "neither" // none has, but the bad one without some fault
	faulty  = "fault"
)

// edge leads from a cause to its effect.
type edge struct {
	from, to *node
	label    string
}

// graphOf makes the graph of a difference.
func graphOf(d *result.Difference, b rounds.Bounds) *graph {
	g := &graph{writer: &writer{d, b}}
	nodes := g.changes(d.Changes, "")
	if d.Outcome > 0 {
		nodes[d.Outcome-1].outcome = true
	}
	for _, u := range d.Without {
		g.changes(u.Changes, faults(u.Fault))
	}
	return g
}

// changes adds changes of facts, with their causes: changes between the two executions or,
// if without names faults, those without these faults.
func (g *graph) changes(all []result.Change, without string) []*node {
	nodes := make([]*node, len(all))
	for i := range all {
		nodes[i] = g.change(&all[i], without)
	}
	for i, c := range all {
		for _, cause := range c.Causes {
			if cause.Change > 0 {
				g.edge(nodes[cause.Change-1], nodes[i], "")
			} else if len(cause.Fault.Faults) > 0 {
				g.edge(g.node("fault "+cause.Fault.String(), faulty, cause.Fault.String()), nodes[i], g.effect(cause, cause.Fault.Faults[0]))
			} else {
				text := g.cause(c, cause)
				g.edge(g.node("version "+text, faulty, strings.Split(text, "; ")...), nodes[i], "")
			}
		}
		for _, f := range c.Shared {
			if without == "" {
				g.edge(g.node("shared "+f.String(), shared, g.fact(f)), nodes[i], "")
			}
		}
	}
	return nodes
}

// change returns the node of a change. A change that exists only without some fault may be
// part of another change.
func (g *graph) change(c *result.Change, without string) *node {
	for _, n := range g.nodes {
		if n.change != nil && n.change.Missing == c.Missing && n.change.Fact.Round <= c.Fact.Round && c.Fact.Round <= n.change.Until && same(n.change.Fact, c.Fact) {
			return n
		}
	}
	if n := g.find("shared " + c.Fact.String()); n != nil && without != "" {
		n.change, n.lines = c, append(n.lines, "not without "+without)
		return n
	}
	kind, lines := further, []string{g.writer.change(*c)}
	switch {
	case without != "" && c.Missing && c.Alike:
		kind, lines = neither, []string{g.rounds(*c), "only without " + without}
	case without != "" && !c.Missing:
		lines = []string{g.rounds(*c), "not without " + without}
	case c.Missing:
		kind = missing
	}
	if rule := place(*c); rule != "" {
		lines = append(lines, rule[1:])
	}
	n := g.node(fmt.Sprintf("%s %v %s", kind, c.Missing, c.Fact), kind, lines...)
	n.change = c
	return n
}

// same tells whether two facts differ at most in their rounds.
func same(f, g recording.Fact) bool {
	f.Round = g.Round
	return f.Compare(g) == 0
}

// node returns a node by its name.
func (g *graph) node(name, kind string, lines ...string) *node {
	n := g.find(name)
	if n == nil {
		n = &node{name: name, kind: kind, lines: lines}
		g.nodes = append(g.nodes, n)
	}
	return n
}

// find returns the node of a name, nil if there is none.
func (g *graph) find(name string) *node {
	if i := slices.IndexFunc(g.nodes, func(n *node) bool { return n.name == name }); i >= 0 {
		return g.nodes[i]
	}
	return nil
}

func (g *graph) edge(from, to *node, label string) {
	if e := (edge{from, to, label}); from != to && !slices.Contains(g.edges, e) {
		g.edges = append(g.edges, e)
	}
}
