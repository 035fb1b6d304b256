package explain

import (
	"encoding/json"
	"io"

	"github.com/lineage-driven/ldfi/specs"
)

// WriteJSON writes the explanation as one JSON object:
//
//	query     the fact that was asked for, as text
//	schedule  the faults, as text
//	holds     whether a fact that was asked for holds
//	roots     what answers the question: parts, as in a step
//	more      how many further facts match the query and hold
//	nodes     every fact and absence that is explained, numbered from 1:
//	  node      its number
//	  fact      the fact, or the facts that are absent, as text
//	  relation, args (null: any value), first, last: the same in pieces
//	  holds     false for an absence
//	  given     file:line:column where the program states it
//	  note      what else there is to say
//	  hidden    the number of steps left out
//	  steps     the rule instances that gave it, or that could have:
//	    rule, place (file:line:column), fired, first, last (the rounds), bindings,
//	    parts     what it needs, each with met, negated, and one of
//	                fact (text), with node (its number) if explained, and since
//	                (the round) if it persisted, and from (text) if it was
//	                another fact then, and meanwhile (parts) if it took the
//	                absence of something
//	                message: from, to, first, last, losses (first, last, fault)
//	                text
//	    rows      of an aggregate, each like a step
func (e *Explanation) WriteJSON(out io.Writer) error {
	j := &jsonNodes{processes: e.processes, numbers: map[*Node]int{}}
	document := jsonExplanation{
		Query:    e.Query.text(e.processes),
		Schedule: e.Schedule.String(),
		Holds:    e.Holds,
		Roots:    j.parts(e.Roots),
		More:     e.More,
	}
	for i := 0; i < len(j.order); i++ {
		document.Nodes = append(document.Nodes, j.node(j.order[i]))
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

type jsonExplanation struct {
	Query    string     `json:"query"`
	Schedule string     `json:"schedule"`
	Holds    bool       `json:"holds"`
	Roots    []jsonPart `json:"roots"`
	More     int        `json:"more,omitempty"`
	Nodes    []jsonNode `json:"nodes"`
}

type jsonNode struct {
	Node     int        `json:"node"`
	Fact     string     `json:"fact"`
	Relation string     `json:"relation"`
	Args     []any      `json:"args"`
	First    int        `json:"first"`
	Last     int        `json:"last"`
	Holds    bool       `json:"holds"`
	Given    string     `json:"given,omitempty"`
	Note     string     `json:"note,omitempty"`
	Hidden   int        `json:"hidden,omitempty"`
	Steps    []jsonStep `json:"steps,omitempty"`
}

type jsonStep struct {
	Rule     string         `json:"rule,omitempty"`
	Place    string         `json:"place,omitempty"`
	Fired    bool           `json:"fired"`
	First    int            `json:"first"`
	Last     int            `json:"last"`
	Bindings map[string]any `json:"bindings,omitempty"`
	Parts    []jsonPart     `json:"parts,omitempty"`
	Rows     []jsonStep     `json:"rows,omitempty"`
}

type jsonPart struct {
	Met       bool         `json:"met"`
	Negated   bool         `json:"negated,omitempty"`
	Fact      string       `json:"fact,omitempty"`
	Node      int          `json:"node,omitempty"`
	Since     int          `json:"since,omitempty"`
	From      string       `json:"from,omitempty"`
	Meanwhile []jsonPart   `json:"meanwhile,omitempty"`
	Instead   bool         `json:"instead,omitempty"`
	Message   *jsonMessage `json:"message,omitempty"`
	Text      string       `json:"text,omitempty"`
}

type jsonMessage struct {
	From   string     `json:"from"`
	To     string     `json:"to"`
	First  int        `json:"first"`
	Last   int        `json:"last"`
	Losses []jsonLoss `json:"losses,omitempty"`
}

type jsonLoss struct {
	First int    `json:"first"`
	Last  int    `json:"last"`
	Fault string `json:"fault"`
}

// jsonNodes numbers nodes in the order in which they are mentioned.
type jsonNodes struct {
	processes []string
	numbers   map[*Node]int
	order     []*Node
}

func (j *jsonNodes) number(n *Node) int {
	if n == nil {
		return 0
	}
	number, known := j.numbers[n]
	if !known {
		j.order = append(j.order, n)
		number = len(j.order)
		j.numbers[n] = number
	}
	return number
}

func (j *jsonNodes) node(n *Node) jsonNode {
	out := jsonNode{
		Node: j.number(n), Fact: n.text(j.processes), Relation: n.Relation, Args: []any{},
		First: n.First, Last: n.Last, Holds: n.Holds, Note: n.Note, Hidden: n.Hidden, Steps: j.steps(n.Steps),
	}
	for _, c := range n.Columns {
		if c.Open {
			out.Args = append(out.Args, nil)
		} else {
			out.Args = append(out.Args, jsonValue(c.Value))
		}
	}
	if n.Given != nil {
		out.Given = n.Given.Position.String()
	}
	return out
}

func (j *jsonNodes) steps(all []*Step) []jsonStep {
	var out []jsonStep
	for _, s := range all {
		step := jsonStep{Fired: s.Fired, First: s.First, Last: s.Last, Parts: j.parts(s.Parts), Rows: j.steps(s.Rows)}
		if s.Rule != nil {
			step.Rule, step.Place = s.Rule.String(), s.Rule.Position.String()
		}
		for _, b := range s.Bindings {
			if step.Bindings == nil {
				step.Bindings = map[string]any{}
			}
			step.Bindings[b.Name] = jsonValue(b.Value)
		}
		out = append(out, step)
	}
	return out
}

func (j *jsonNodes) parts(all []*Part) []jsonPart {
	out := []jsonPart{}
	for _, p := range all {
		part := jsonPart{Met: p.Met, Negated: p.Negated, Instead: p.Instead, Text: p.Text, Node: j.number(p.Node)}
		if p.Atom != nil {
			part.Fact = p.Atom.text(j.processes)
		}
		if p.Kept != nil {
			part.Since = p.Kept.Since
			if p.Kept.From != nil {
				part.From = p.Kept.From.text(j.processes)
			}
			part.Meanwhile = j.parts(p.Kept.Absent)
		}
		if m := p.Message; m != nil {
			part.Message = &jsonMessage{From: m.From, To: m.To, First: m.First, Last: m.Last}
			for _, loss := range m.Losses {
				part.Message.Losses = append(part.Message.Losses, jsonLoss{loss.First, loss.Last, loss.Fault.String()})
			}
		}
		out = append(out, part)
	}
	return out
}

// jsonValue is a value as a JSON number or string.
func jsonValue(v specs.Value) any {
	if v.IsInt() {
		return v.Int()
	}
	return v.Text()
}
