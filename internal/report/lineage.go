package report

import (
	"encoding/json"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
)

// AddLineage adds a graph.
func (p *Page) AddLineage(l Lineage) {
	l.Title = text.Safe(l.Title)
	for i := range l.Nodes {
		n := &l.Nodes[i]
		n.Text, n.Notes = text.Safe(n.Text), text.SafeEach(n.Notes)
	}
	for i := range l.Edges {
		l.Edges[i].Text = text.Safe(l.Edges[i].Text)
	}
	p.Lineages = append(p.Lineages, l)
}

// LineageBytes is about how many bytes the graphs take of the file.
func (p *Page) LineageBytes() int {
	data, _ := json.Marshal(p.Lineages) // which have nothing that cannot be written
	n := len(data)
	for _, l := range p.Lineages {
		n += len(l.Text)
	}
	return n
}

// AddRule adds a rule or a fact of a program and returns its number.
func (p *Page) AddRule(place, s string) int {
	r := Rule{text.Safe(place), text.SafeLines(s)}
	if i := slices.Index(p.Rules, r); i >= 0 {
		return i
	}
	p.Rules = append(p.Rules, r)
	return len(p.Rules) - 1
}

// Lineage is why a fact holds in an execution, or why it does not, as a graph.
type Lineage struct {
	Title string `json:"title"`
	Text  string `json:"-"`         // the same as a tree
	World int    `json:"execution"` // the execution that it is about
	Nodes []Node `json:"nodes"`     // the first is what was asked about
	Edges []Edge `json:"edges"`
	Cut   string `json:"cut,omitempty"` // why it is not all
}

// Node is a fact, the absence of facts, a step by a rule, or what a step needs besides.
type Node struct {
	Kind  string   `json:"kind"` // fact, absence, step, message, other
	Text  string   `json:"text"`
	Met   bool     `json:"met"`             // it holds, took place or arrived, or is as it has to be
	First int      `json:"first,omitempty"` // the rounds that it is about
	Last  int      `json:"last,omitempty"`
	Lost  bool     `json:"lost,omitempty"`  // of a message
	Notes []string `json:"notes,omitempty"` // what else is to be said
	Rule  int      `json:"rule"`            // by which it was derived, or could have been; -1: none
	When  *When    `json:"when,omitempty"`  // under which faults it holds

	// Of a message: the relation, and the processes.
	Relation int `json:"relation"`
	From     int `json:"from"`
	To       int `json:"to"`
}

// Edge leads from what needs to what is needed.
type Edge struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Text  string `json:"text,omitempty"`
	Since int    `json:"since,omitempty"` // the fact at its end persisted from this round on
	Until int    `json:"until,omitempty"` // to this one
	Rules []int  `json:"rules,omitempty"` // that kept it
	When  *When  `json:"when,omitempty"`  // under which faults it holds in that round
}

// When says under which schedules within the bounds a fact holds.
type When struct {
	Word  string   `json:"word"`            // always, never, unless, when; large if it is too large to be written out
	Terms []string `json:"terms,omitempty"` // any of these: faults joined by and
	More  int      `json:"more,omitempty"`  // further terms
}
