package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// WriteDOT writes the explanation as a directed graph in the DOT language: facts as boxes,
// absences as dashed boxes, rule instances as ellipses, and lost messages in red.
func (e *Explanation) WriteDOT(out io.Writer) error {
	d := &dotGraph{numbers: map[*Node]int{}}
	d.line("digraph explanation {")
	d.line("  rankdir=LR;")
	d.line("  node [shape=box, fontname=%s];", text.DOT("monospace"))
	for _, root := range e.Roots {
		d.part("", root)
	}
	d.line("}")
	_, err := io.WriteString(out, d.out.String())
	return err
}

// dotGraph writes nodes as they are met. Names are letters and numbers; all
// that people read is in quoted labels.
type dotGraph struct {
	numbers map[*Node]int
	steps   int
	leaves  int
	out     strings.Builder
}

func (d *dotGraph) line(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

// part draws a need of a step, and the edge to it from the step.
func (d *dotGraph) part(from string, p *Part) {
	name := ""
	if p.Node != nil {
		name = d.node(p.Node)
	} else {
		d.leaves++
		name = fmt.Sprintf("l%d", d.leaves)
		d.line("  %s [label=%s%s];", name, text.DOT(p.text()), leafStyle(p))
	}
	if p.Kept != nil {
		for _, absent := range p.Kept.Absent {
			if absent.Node != nil {
				d.line("  %s -> %s [style=dashed];", name, d.node(absent.Node))
			}
		}
	}
	if from == "" {
		return
	}
	label := ""
	if p.Kept != nil {
		label = " [label=" + text.DOT(strings.TrimPrefix(p.Kept.text(), ", ")) + "]"
	}
	d.line("  %s -> %s%s;", from, name, label)
}

func leafStyle(p *Part) string {
	style := ", shape=plaintext"
	switch {
	case p.Atom != nil && p.Met == p.Negated:
		style = ", style=dashed"
	case p.Atom != nil:
		style = ""
	}
	if !p.Met {
		style += ", color=red, fontcolor=red"
	}
	return style
}

// node draws a fact or an absence and all below it, once, and returns its name.
func (d *dotGraph) node(n *Node) string {
	if number, drawn := d.numbers[n]; drawn {
		return fmt.Sprintf("n%d", number)
	}
	number := len(d.numbers) + 1
	d.numbers[n] = number
	name := fmt.Sprintf("n%d", number)
	label, style := []string{n.String()}, ""
	if !n.Holds {
		label[0], style = "no "+label[0], ", style=dashed"
	}
	if n.Given != nil {
		label = append(label, "given at "+place(n.Given.Position))
	}
	if n.Note != "" {
		label = append(label, n.Note)
	}
	d.line("  %s [label=%s%s];", name, text.DOT(label...), style)
	for _, s := range n.Steps {
		d.step(name, s)
	}
	return name
}

// step draws a rule instance below the node or step that it belongs to.
func (d *dotGraph) step(from string, s *Step) {
	d.steps++
	name := fmt.Sprintf("s%d", d.steps)
	style := ""
	if !s.Fired {
		style = ", color=red"
	}
	d.line("  %s [label=%s, shape=ellipse%s];", name, text.DOT(stepText(s)), style)
	d.line("  %s -> %s;", from, name)
	for _, p := range s.Parts {
		d.part(name, p)
	}
	for _, row := range s.Rows {
		d.step(name, row)
	}
}
