package provenance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// reasonLines is how many lines a Reason has at most.
const reasonLines = 6

// Reason says in a few lines why a fact is missing, or why it holds, as far as
// the messages and the faults of the schedule decide it: which messages it
// would have come by and what lost each; or which messages it came by, and
// which losses made it possible.
func (w *World) Reason(f rounds.Fact) []string {
	e := w.explain(patternOf(f.Relation, f.Args, f.Round), Limits{Facts: 60, Absent: 20, Steps: 4})
	r := &reason{processes: e.processes, needed: map[*Node]string{}}
	for _, root := range e.Roots {
		r.mention(root, "")
	}
	for i := 0; i < len(r.queue); i++ {
		for _, s := range r.queue[i].Steps {
			r.step(r.queue[i], s)
		}
	}
	var lines []string
	if e.Holds {
		lines = append(lines, r.origin(e.Roots[0]))
		if len(r.arrivals) > 0 {
			lines = append(lines, "arrived: "+enumerate(r.arrivals, 8))
		}
	}
	lines = append(lines, r.losses...)
	if len(r.losses) == 0 && !e.Holds {
		lines = append(lines, r.lacks...)
	}
	if len(lines) > reasonLines {
		rest := len(lines) - reasonLines + 1
		lines = append(lines[:reasonLines-1], fmt.Sprintf("and %d more such losses", rest))
	}
	return lines
}

// reason collects what an explanation has to say about messages, nearest to the
// question first.
type reason struct {
	processes []string
	queue     []*Node
	needed    map[*Node]string // what needs a node, by what was mentioned

	arrivals []string // messages that came
	losses   []string // messages that were lost, and facts that stood in the way
	lacks    []string // anything else that was lacking
}

// mention puts what explains a part on the list of what to look at.
func (r *reason) mention(p *Part, by string) {
	if p.Node == nil {
		return
	}
	if _, known := r.needed[p.Node]; !known {
		r.needed[p.Node] = by
		r.queue = append(r.queue, p.Node)
	}
}

// step collects what a step of a node tells.
func (r *reason) step(n *Node, s *Step) {
	for _, p := range s.Parts {
		r.mention(p, r.name(n))
		switch {
		case p.Message != nil && p.Met && s.Fired:
			r.arrivals = appendNew(r.arrivals, fmt.Sprintf("%s>%s@%s", p.Message.From, p.Message.To, roundRange(p.Message.First, p.Message.Last)))
		case p.Message != nil && !p.Met:
			r.losses = appendNew(r.losses, r.subject(n)+" was to come by "+p.Message.short())
		case !p.Met && p.Negated:
			r.losses = appendNew(r.losses, fmt.Sprintf("%s rules out %s", p.Atom.text(r.processes), r.subject(n)))
		case !p.Met && p.Atom != nil:
			r.lacks = appendNew(r.lacks, fmt.Sprintf("%s lacks %s", r.subject(n), p.Atom.text(r.processes)))
		case !p.Met:
			r.lacks = appendNew(r.lacks, fmt.Sprintf("%s: %s", r.subject(n), p.Text))
		}
	}
	for _, row := range s.Rows {
		r.step(n, row)
	}
}

// name names a node; its rounds only where it is about one.
func (r *reason) name(n *Node) string {
	if n.First == n.Last {
		return n.text(r.processes)
	}
	return n.atom(r.processes)
}

// subject names a node with what needs it.
func (r *reason) subject(n *Node) string {
	if by := r.needed[n]; by != "" {
		return r.name(n) + ", which " + by + " needs,"
	}
	return r.name(n)
}

// origin says what a fact that holds comes from.
func (r *reason) origin(root *Part) string {
	text := root.Atom.text(r.processes) + root.Kept.text()
	if root.Node.Given != nil {
		return text + " is given at " + place(root.Node.Given.Position)
	}
	if len(root.Node.Steps) == 0 || root.Node.Steps[0].Rule == nil {
		return text + " holds"
	}
	s := root.Node.Steps[0]
	t := textTree{processes: r.processes}
	var from []string
	for _, p := range s.Parts {
		if p.Atom != nil {
			from = append(from, t.line(p))
		}
	}
	for _, row := range s.Rows {
		if row.Fired {
			from = append(from, "the row"+t.bindings(row.Bindings, " "))
		}
	}
	return fmt.Sprintf("%s comes from %s (%s)", text, enumerate(from, 6), place(s.Rule.Position))
}

// short says by whom a message was to come and what lost it in each round.
func (m *Message) short() string {
	losses := make([]string, len(m.Losses))
	for i, loss := range m.Losses {
		switch {
		case loss.Fault.Kind == rounds.Crash && loss.Fault.Process == m.From:
			losses[i] = fmt.Sprintf("from round %d on %s is silent (%s)", loss.First, m.From, loss.Fault)
		default:
			losses[i] = fmt.Sprintf("lost in %s (%s)", roundsText(loss.First, loss.Last), loss.Fault)
		}
	}
	return fmt.Sprintf("%s>%s in %s: %s", m.From, m.To, roundsText(m.First, m.Last), strings.Join(losses, ", "))
}

func appendNew(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// enumerate joins texts with commas, the first few of many.
func enumerate(all []string, most int) string {
	if len(all) > most {
		all = append(slices.Clone(all[:most]), fmt.Sprintf("%d more", len(all)-most))
	}
	return strings.Join(all, ", ")
}
