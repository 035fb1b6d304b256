package explain

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// Chart is an explanation as a graph to be drawn: facts and absences, the steps that gave
// them or could have, and the needs of these steps. An edge leads from a node to one that
// it needs.
type Chart struct {
	Nodes []ChartNode // the first is the subject of the question
	Edges []ChartEdge
}

// ChartNode is a node of a chart.
type ChartNode struct {
	Kind     string // fact, absence, step, message or other
	Text     string
	Met      bool // it holds or is absent as it has to be, took place, or arrived
	First    int  // the rounds that it is about
	Last     int
	Notes    []string
	Rule     *syntax.Rule   // by which it was derived, or could have been
	Stated   specs.Position // where the program states it
	When     *When          // under which faults there is such a fact; nil if not computed
	Relation string         // of a message
	Message  *Message
}

// ChartEdge is an edge between nodes, by their places.
type ChartEdge struct {
	From, To int
	Text     string
	Kept     *Persistence // the fact at its end persisted, or came from one that did
	Until    int          // to that round
	When     *When        // there is such a fact in that round
}

// Chart returns the explanation as a graph.
func (e *Explanation) Chart() *Chart {
	c := &chartBuilder{Chart: &Chart{}, explanation: e, places: map[*Node]int{}}
	if e.graph != nil {
		c.conditions = newConditions(e.graph)
	}
	for _, root := range e.Roots {
		c.part(-1, root, "")
	}
	return c.Chart
}

type chartBuilder struct {
	*Chart
	explanation *Explanation
	conditions  *conditions
	places      map[*Node]int
}

func (c *chartBuilder) add(n ChartNode) int {
	c.Nodes = append(c.Nodes, n)
	return len(c.Nodes) - 1
}

// part adds a need of a step, and the edge to it. The relation is that of the step's
// message.
func (c *chartBuilder) part(from int, p *Part, relation string) {
	edge := ChartEdge{From: from}
	switch {
	case p.Node != nil:
		edge.To = c.node(p.Node)
		edge.Kept = p.Kept
	case p.Message != nil:
		edge.To = c.add(ChartNode{Kind: "message", Text: p.text(), Met: p.Met, First: p.Message.First, Last: p.Message.Last, Message: p.Message, Relation: relation})
	case p.Atom != nil && p.Met == p.Negated:
		edge.To = c.add(ChartNode{Kind: "absence", Text: p.Atom.String(), Met: p.Met, First: p.Atom.First, Last: p.Atom.Last, When: c.conditions.of(*p.Atom)})
	case p.Atom != nil:
		edge.To = c.add(ChartNode{Kind: "fact", Text: p.Atom.String(), Met: p.Met, First: p.Atom.First, Last: p.Atom.Last, When: c.conditions.of(*p.Atom)})
	default:
		edge.To = c.add(ChartNode{Kind: "other", Text: p.text(), Met: p.Met})
	}
	if p.Kept != nil {
		edge.Text = strings.TrimPrefix(p.Kept.since(), ", ")
		edge.Until = p.Atom.Last
		edge.When = c.conditions.of(p.Atom.during(p.Atom.Last, p.Atom.Last))
		for _, absent := range p.Kept.Absent {
			if absent.Node != nil {
				c.Edges = append(c.Edges, ChartEdge{From: edge.To, To: c.node(absent.Node), Text: "meanwhile"})
			}
		}
	}
	if p.Instead {
		edge.Text = "instead"
	}
	if from >= 0 {
		c.Edges = append(c.Edges, edge)
	}
}

// node adds a fact or an absence with all below it, once. A single step that took place
// is part of its fact.
func (c *chartBuilder) node(n *Node) int {
	if place, known := c.places[n]; known {
		return place
	}
	kind := "fact"
	if !n.Holds {
		kind = "absence"
	}
	place := c.add(ChartNode{Kind: kind, Text: n.String(), Met: n.Holds, First: n.First, Last: n.Last, When: c.conditions.of(n.Pattern)})
	c.places[n] = place
	var notes []string
	if n.Note != "" {
		notes = append(notes, n.Note)
	}
	if n.Given != nil {
		c.Nodes[place].Stated = n.Given.Position
	}
	for _, s := range n.Steps {
		if s.Fired && len(n.Steps) == 1 {
			notes = append(notes, bindingsText(s.Bindings, ""))
			c.Nodes[place].Rule = s.Rule
			if s.Rule == nil {
				notes = append(notes, stepText(s))
			}
			c.below(place, s)
			continue
		}
		c.step(place, s)
	}
	c.Nodes[place].Notes = slices.DeleteFunc(notes, func(text string) bool { return text == "" })
	return place
}

// step adds a step of its own.
func (c *chartBuilder) step(from int, s *Step) {
	text := strings.TrimSpace(bindingsText(s.Bindings, ""))
	place := c.add(ChartNode{Kind: "step", Text: text, Met: s.Fired, First: s.First, Last: s.Last, Rule: s.Rule})
	if s.Rule == nil {
		c.Nodes[place].Notes = []string{stepText(s)}
	}
	c.Edges = append(c.Edges, ChartEdge{From: from, To: place})
	c.below(place, s)
}

// below adds the needs of a step, and the rows that it summarises.
func (c *chartBuilder) below(place int, s *Step) {
	relation := ""
	if s.Rule != nil {
		relation = s.Rule.Head.Relation
	}
	for _, p := range s.Parts {
		c.part(place, p, relation)
	}
	for _, row := range s.Rows {
		c.step(place, row)
	}
}
