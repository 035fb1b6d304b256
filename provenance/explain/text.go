package explain

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// WriteText writes the explanation as a tree for people to read. What was
// explained before is referred to as "see above".
func (e *Explanation) WriteText(out io.Writer) error {
	t := &textWriter{seen: map[*Node]bool{}, bounds: e.bounds}
	for _, root := range e.Roots {
		top := &text.Tree{}
		t.part(top, root, false)
		if err := top.Items[0].Write(out); err != nil {
			return err
		}
	}
	if e.More == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "and %d more that match %s\n", e.More, text.Safe(e.Query.String()))
	return err
}

// textWriter turns nodes into lines.
type textWriter struct {
	seen   map[*Node]bool
	bounds rounds.Bounds
}

// part adds the line of a part to a tree, and its explanation. A part of a step that did
// not take place is marked as met or not.
func (t *textWriter) part(o *text.Tree, p *Part, marked bool) {
	mark := ""
	if marked && !p.Met {
		mark = "✗ "
	}
	text := mark + p.text()
	if p.Atom != nil && p.Atom.First == p.Atom.Last {
		if phase := t.bounds.PhaseOf(p.Atom.First); phase != "" {
			text += " (" + phase + ")"
		}
	}
	item := o.Add(text)
	if p.Node == nil {
		return
	}
	if p.Node.Given != nil {
		item.Text += ", given at " + place(p.Node.Given.Position)
	}
	t.node(item, p)
}

// text describes the part.
func (p *Part) text() string {
	switch {
	case p.Message != nil:
		return p.Message.text()
	case p.Atom == nil:
		return p.Text
	case p.Instead:
		text := "it gave " + p.Atom.String() + " instead"
		if p.Text != "" {
			text += ": " + p.Text
		}
		return text
	case p.Met && p.Negated, !p.Met && !p.Negated:
		return "no " + p.Atom.String()
	case !p.Met:
		return p.Atom.String() + " holds, and must not" + p.Kept.text()
	default:
		return p.Atom.String() + p.Kept.text()
	}
}

// node adds the explanation of a part.
func (t *textWriter) node(o *text.Tree, p *Part) {
	n := p.Node
	if n.Note != "" {
		o.Text += " (" + n.Note + ")"
	}
	if t.seen[n] && len(n.Steps) > 0 {
		o.Text += " (see above)"
		return
	}
	t.seen[n] = true
	if p.Kept != nil {
		t.meanwhile(o, p.Kept)
	}
	for _, s := range n.Steps {
		below := o
		if len(n.Steps) == 1 {
			o.Note(stepText(s))
		} else {
			below = o.Add(stepText(s))
		}
		t.parts(below, s)
	}
	if n.Hidden > 0 {
		o.Add(fmt.Sprintf("and %d more of the kind", n.Hidden))
	}
}

// meanwhile adds the absences that a persisting fact needed.
func (t *textWriter) meanwhile(o *text.Tree, k *Persistence) {
	for _, with := range k.With {
		o.Note("while there is " + with.Atom.String())
	}
	for _, absent := range k.Absent {
		if absent.Node == nil {
			o.Note("while there is no " + absent.Atom.String())
			continue
		}
		t.part(o, absent, false)
		item := o.Items[len(o.Items)-1]
		item.Text = "meanwhile " + item.Text
	}
}

// stepText names the rule of a step, its position, and its bindings.
func stepText(s *Step) string {
	if s.Rule == nil {
		return "kept, because the process has stopped"
	}
	by := "by "
	if !s.Fired {
		by = "not by "
	}
	return by + s.Rule.String() + "   " + place(s.Rule.Position) + bindingsText(s.Bindings, "  ")
}

// bindingsText writes X=a, Y=1 after a separator, or nothing.
func bindingsText(all []Binding, separator string) string {
	if len(all) == 0 {
		return ""
	}
	texts := make([]string, len(all))
	for i, b := range all {
		texts[i] = b.Name + "=" + b.Value.String()
	}
	return separator + strings.Join(texts, " ")
}

// parts adds the needs of a step. For a step that did not take place, the needs that were
// met are one line.
func (t *textWriter) parts(o *text.Tree, s *Step) {
	var met []string
	for _, p := range s.Parts {
		if !s.Fired && p.Met && !p.Instead {
			met = append(met, p.text())
		}
	}
	if len(met) > 0 {
		o.Add("✓ " + strings.Join(met, ", "))
	}
	for _, p := range s.Parts {
		if s.Fired || !p.Met || p.Instead {
			t.part(o, p, !s.Fired)
		}
	}
	for _, row := range s.Rows {
		t.row(o, row)
	}
}

// row adds a row of an aggregate.
func (t *textWriter) row(o *text.Tree, row *Step) {
	text := "row"
	if !row.Fired {
		text = "✗ no row"
	}
	t.parts(o.Add(text+bindingsText(row.Bindings, " ")), row)
}

// text says since when a fact has held, if it came about earlier.
func (k *Persistence) text() string {
	if k == nil {
		return ""
	}
	text := k.since()
	if k.From != nil {
		text = ", from " + k.From.String()
	}
	for i, r := range k.Rules {
		switch {
		case r == nil:
			text += " (kept by a process that has stopped)"
		case i == 0:
			text += " (by " + place(r.Position) + ")"
		default:
			text += " (and " + place(r.Position) + ")"
		}
	}
	return text
}

// since says since when.
func (k *Persistence) since() string {
	if len(k.Turns) > 0 {
		return fmt.Sprintf(", in turns with %s since round %d", strings.Join(k.Turns, ", "), k.Since)
	}
	return fmt.Sprintf(", since round %d", k.Since)
}

// way writes from>to.
func (m *Message) way() string {
	if m.From == "" {
		return "to " + m.To
	}
	return m.From + ">" + m.To
}

// text describes the fate of a message in each of its rounds.
func (m *Message) text() string {
	name := "message " + m.way()
	if len(m.Losses) == 0 {
		text := name + " " + m.arrives()
		if m.Reliable != "" {
			text += fmt.Sprintf(" (%s is reliable)", m.Reliable)
		}
		return text
	}
	losses := make([]string, len(m.Losses))
	for i, loss := range m.Losses {
		losses[i] = loss.text()
	}
	return name + " " + strings.Join(losses, ", ")
}

// place writes file:line, the file without its directory.
func place(p specs.Position) string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }
