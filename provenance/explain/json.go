package explain

import (
	"encoding/json"
	"io"

	"github.com/lineage-driven/ldfi/internal/plainjson"
)

// WriteJSON writes the explanation as one JSON object with the fields of
// [Explanation], and below it those of [Part], [Step], [Message] and so on. A pattern
// is written as in a program. A part names the node that explains it by its number,
// and the field nodes has all nodes:
//
//	node                   its number, from 1
//	fact                   the fact, or the facts that are absent, as text
//	relation, args         the same in pieces; an argument of null means any value
//	first, last            the rounds that it is about
//	phase                  what the bounds call that, if it is one round: phase 2, Ack
//	holds                  false for an absence
//	given                  file:line:column where the program states the fact
//	note, hidden, steps    as in [Node]
func (e *Explanation) WriteJSON(out io.Writer) error {
	type explanation Explanation
	document := struct {
		*explanation
		Nodes []jsonNode `json:"nodes"`
	}{explanation: (*explanation)(e)}
	nodes := e.nodes()
	for i, n := range nodes {
		n.number = i + 1
	}
	for _, n := range nodes {
		j := n.json()
		if n.First == n.Last {
			j.Phase = e.bounds.PhaseOf(n.First)
		}
		document.Nodes = append(document.Nodes, j)
	}
	return plainjson.Write(out, document)
}

// jsonNode is a node where it is explained.
type jsonNode struct {
	Node     int      `json:"node"`
	Fact     Pattern  `json:"fact"`
	Relation string   `json:"relation"`
	Args     []Column `json:"args"`
	First    int      `json:"first"`
	Last     int      `json:"last"`
	Phase    string   `json:"phase,omitempty"` // of a round of a phase with names
	Holds    bool     `json:"holds"`
	Given    string   `json:"given,omitempty"`
	Note     string   `json:"note,omitempty"`
	Hidden   int      `json:"hidden,omitempty"`
	Steps    []*Step  `json:"steps,omitempty"`
}

func (n *Node) json() jsonNode {
	j := jsonNode{
		Node: n.number, Fact: n.Pattern, Relation: n.Relation, Args: append([]Column{}, n.Columns...),
		First: n.First, Last: n.Last, Holds: n.Holds, Note: n.Note, Hidden: n.Hidden, Steps: n.Steps,
	}
	if n.Given != nil {
		j.Given = n.Given.Position.String()
	}
	return j
}

// MarshalJSON writes the number of the node.
func (n *Node) MarshalJSON() ([]byte, error) { return json.Marshal(n.number) }

// MarshalJSON writes the step, its rule as rule and place (file:line:column), and its
// bindings as an object with a field for each variable.
func (s *Step) MarshalJSON() ([]byte, error) {
	type step Step
	j := struct {
		Rule     string            `json:"rule,omitempty"`
		Place    string            `json:"place,omitempty"`
		Bindings map[string]Column `json:"bindings,omitempty"`
		*step
	}{step: (*step)(s), Bindings: map[string]Column{}}
	if s.Rule != nil {
		j.Rule, j.Place = s.Rule.String(), s.Rule.Position.String()
	}
	for _, b := range s.Bindings {
		j.Bindings[b.Name] = b.Value
	}
	return plainjson.Marshal(j)
}

// MarshalJSON writes the rounds and the fault as text.
func (l Loss) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(struct {
		First int    `json:"first"`
		Last  int    `json:"last"`
		Fault string `json:"fault"`
	}{l.First, l.Last, l.Fault.String()})
}
