package explain

import (
	"encoding/json"
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
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
	d := document{Explanation: *e}
	nodes := e.nodes()
	for i, n := range nodes {
		n.number = i + 1
	}
	for _, n := range nodes {
		j := n.json()
		if n.First == n.Last {
			j.Phase = e.bounds.PhaseOf(n.First)
		}
		d.Nodes = append(d.Nodes, j)
	}
	return text.WriteJSON(out, d)
}

// document is an explanation, with what explains its parts.
type document struct {
	Explanation
	Nodes []jsonNode `json:"nodes"` // parts name them by their numbers
}

// jsonNode is a node where it is explained.
type jsonNode struct {
	Node     int      `json:"node"`             // its number, from 1
	Fact     Pattern  `json:"fact"`             // the fact, or the facts that are absent, as text
	Relation string   `json:"relation"`         // of the fact
	Args     []Column `json:"args"`             // its arguments; null means any value
	First    int      `json:"first"`            // the first of the rounds that it is about
	Last     int      `json:"last"`             // the last one
	Phase    string   `json:"phase,omitempty"`  // of a round of a phase with names
	Holds    bool     `json:"holds"`            // false for an absence
	Given    string   `json:"given,omitempty"`  // where the program states the fact: file:line:column
	Note     string   `json:"note,omitempty"`   // what else there is to say
	Hidden   int      `json:"hidden,omitempty"` // how many further steps are not shown
	Steps    []*Step  `json:"steps,omitempty"`  // the rule instances that gave it, or that could have
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

// stepJSON is the JSON form of Step.
type stepJSON struct {
	Rule     string            `json:"rule,omitempty"`     // as a program has it; none for a fact kept by a process that has stopped
	Place    string            `json:"place,omitempty"`    // of the rule: file:line:column
	Bindings map[string]Column `json:"bindings,omitempty"` // the variables of the rule, and their values
	step
}

// step has the fields and no methods.
type step Step

// MarshalJSON writes the step, its rule as rule and place (file:line:column), and its
// bindings as an object with a field for each variable.
func (s *Step) MarshalJSON() ([]byte, error) {
	j := stepJSON{step: step(*s), Bindings: map[string]Column{}}
	if s.Rule != nil {
		j.Rule, j.Place = s.Rule.String(), s.Rule.Position.String()
	}
	for _, b := range s.Bindings {
		j.Bindings[b.Name] = b.Value
	}
	return text.MarshalJSON(j)
}

// MarshalJSON writes the rounds and the fault as text.
func (l Loss) MarshalJSON() ([]byte, error) {
	return text.MarshalJSON(lossJSON{l.First, l.Last, l.Fault.String()})
}

// lossJSON is the JSON form of Loss.
type lossJSON struct {
	First int    `json:"first"` // the first round in which it does
	Last  int    `json:"last"`  // the last one
	Fault string `json:"fault"` // the fault
}
