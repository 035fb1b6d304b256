package diagram

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// WriteMermaid draws the execution as a sequence diagram in the language of
// Mermaid, which GitHub and GitLab show as a picture:
//
//	sequenceDiagram
//	    participant p1 as a
//	    participant p2 as b
//	    Note over p1,p2: round 1
//	    p1->>p2: log
//	    Note over p1,p2: round 2
//	    Note over p1: crash a@2
//	    p1-xp2: log, lost (crash a@2)
//
// It shows what Write shows, and leaves out the same rounds. Where an execution has
// more messages or facts than the renderers accept, the rest is left out; faults and
// notes are always there. Highlight and Style are ignored.
func WriteMermaid(w io.Writer, e *recording.Execution, o Options) error {
	m := &mermaid{model: newModel(e, o)}
	m.header()
	for _, r := range m.rounds {
		m.round(r)
	}
	m.flush()
	if text := m.latencies(); text != "" {
		m.banner(text)
	}
	if text := m.apart(); text != "" {
		m.banner(text)
	}
	if e.Inexact != "" {
		m.banner("not exact: " + e.Inexact)
	}
	if _, err := io.WriteString(w, m.out.String()); err != nil {
		return fmt.Errorf("writing the diagram: %w", err)
	}
	return nil
}

// The limits up to which rounds are drawn. Those of Mermaid are 500 arrows and
// 50,000 characters.
const (
	mostArrows = 200
	mostBytes  = 30_000
)

// longestText is the number of cells after which a text in a Mermaid diagram, and
// what clients ask and are told in any, is cut.
const longestText = 80

// mermaid collects the lines of a sequence diagram.
type mermaid struct {
	*model
	out     strings.Builder
	arrows  int   // so far
	alike   span  // rounds that are left out because they are like the one before
	undrawn span  // rounds whose messages are left out because there are too many
	missed  tally // what clients do in those
}

// span is a run of rounds; an empty one begins in round 0.
type span struct{ first, last int }

func (m *mermaid) header() {
	m.line("sequenceDiagram")
	for i, name := range m.processes {
		m.line("    participant p%d as %s", i+1, mermaidText(name))
	}
	for i, name := range m.clients {
		m.line("    participant p%d as %s", len(m.processes)+i+1, mermaidText("client of "+name))
	}
	if m.columns() == 0 {
		m.line("    participant p1 as nobody")
	}
}

func (m *mermaid) line(format string, args ...any) {
	fmt.Fprintf(&m.out, format+"\n", args...)
}

// note writes a remark over some columns.
func (m *mermaid) note(first, last int, text string) { m.line("%s", noteLine(first, last, text)) }

func noteLine(first, last int, text string) string {
	over := fmt.Sprintf("p%d", first+1)
	if last > first {
		over += fmt.Sprintf(",p%d", last+1)
	}
	return fmt.Sprintf("    Note over %s: %s", over, mermaidText(text))
}

// banner writes a remark over all columns.
func (m *mermaid) banner(text string) { m.note(0, max(m.columns()-1, 0), text) }

// round writes one round, if there is anything to see in it.
func (m *mermaid) round(r round) {
	drawing := m.operationsOf(r, false)
	for _, a := range r.arrows {
		drawing = append(drawing, m.arrow(a))
	}
	drawing = append(drawing, m.operationsOf(r, true)...)
	if states := m.statesOf(r); m.reports {
		drawing = append(drawing, states...)
	} else {
		drawing = append(states, drawing...)
	}
	many := m.arrows+len(drawing) > mostArrows || m.out.Len()+totalLength(drawing) > mostBytes
	switch {
	case r.repeats:
		m.skip(&m.alike, r.number)
		return
	case many && len(r.starts)+len(r.faults)+len(r.crashes)+len(r.remarks) == 0:
		m.skip(&m.undrawn, r.number)
		m.miss(&m.missed, r)
		return
	}
	m.flush()
	banner := fmt.Sprintf("round %d", r.number)
	if phase := m.bounds.PhaseOf(r.number); phase != "" {
		banner += ", " + phase
	}
	m.banner(banner)
	for _, p := range r.starts {
		m.note(p, p, m.processes[p]+" starts")
	}
	m.begins(r.faults)
	if many {
		var missed tally
		m.miss(&missed, r)
		m.tooMany("too many "+m.things()+" to draw", missed)
	} else {
		m.arrows += len(drawing)
		m.out.WriteString(strings.Join(drawing, ""))
	}
	m.begins(r.crashes)
	for _, text := range r.remarks {
		m.banner(text)
	}
}

// begins writes faults that begin in a round.
func (m *mermaid) begins(faults []rounds.Fault) {
	for _, f := range faults {
		if column := slices.Index(m.processes, f.Process); column >= 0 {
			m.note(column, column, m.faultText(f))
		} else {
			m.banner(m.faultText(f))
		}
	}
}

// skip leaves out a round.
func (m *mermaid) skip(s *span, round int) {
	if s.first == 0 {
		m.flush()
		s.first = round
	}
	s.last = round
}

// flush says which rounds have been left out since the last one that was drawn.
func (m *mermaid) flush() {
	if m.alike.first > 0 {
		m.banner(m.alike.String() + " as the round before")
	}
	if m.undrawn.first > 0 {
		m.tooMany(m.undrawn.String()+" with too many "+m.things()+" to draw", m.missed)
	}
	m.alike, m.undrawn, m.missed = span{}, span{}, tally{}
}

// tooMany says that messages are left out, and what clients do among them.
func (m *mermaid) tooMany(text string, missed tally) {
	m.banner(text)
	if missed != (tally{}) {
		m.banner("among them " + missed.String() + " of clients")
	}
}

// miss counts what the clients with lanes do in a round that is left out.
func (m *mermaid) miss(missed *tally, r round) {
	for _, o := range r.operations {
		if o.lane >= 0 {
			missed.add(o)
		}
	}
}

func (s span) String() string {
	if s.first == s.last {
		return fmt.Sprintf("round %d", s.first)
	}
	return fmt.Sprintf("rounds %d to %d", s.first, s.last)
}

// arrow writes an arrow.
func (m *mermaid) arrow(a arrow) string {
	text := a.says
	if a.copies > 1 {
		text += fmt.Sprintf(" ×%d", a.copies)
	}
	head := "->>"
	if a.lost {
		head = "-x"
		text += fmt.Sprintf(", lost (%s)", a.cause)
		if a.losses != (losses{}) {
			text += ", " + a.losses.String()
		}
	}
	if a.coming != (coming{}) {
		text += ", " + m.comes(a.coming)
	}
	switch {
	case a.from < 0:
		return fmt.Sprintf("    Note over p%d: %s\n", max(a.to, 0)+1, mermaidText(text+" from nobody"))
	case a.to < 0:
		return fmt.Sprintf("    Note over p%d: %s\n", a.from+1, mermaidText(fmt.Sprintf("%s to %q, which is no process", text, a.target)))
	default:
		return fmt.Sprintf("    p%d%sp%d: %s\n", a.from+1, head, a.to+1, mermaidText(text))
	}
}

// operationsOf writes the requests or the replies of a round.
func (m *mermaid) operationsOf(r round, replies bool) []string {
	var lines []string
	shown, more := m.drawn(r, replies)
	for _, o := range shown {
		lines = append(lines, m.operation(o))
	}
	if more != (tally{}) {
		lines = append(lines, fmt.Sprintf("    Note over p%d,p%d: %s\n", len(m.processes)+1, m.columns(), mermaidText("left out: "+more.String())))
	}
	return lines
}

// operation writes a request or a reply. What is said about it is never cut.
func (m *mermaid) operation(o operation) string {
	s := o.text()
	if remark := m.remark(o); remark != "" {
		s = shorten(text.Safe(s), longestText/2) + ", " + remark
	}
	switch s = mermaidText(s); {
	case o.process < 0:
		return fmt.Sprintf("    Note over p%d: %s\n", o.lane+1, s)
	case o.isReply():
		return fmt.Sprintf("    p%d-->>p%d: %s\n", o.process+1, o.lane+1, s)
	default:
		return fmt.Sprintf("    p%d->>p%d: %s\n", o.lane+1, o.process+1, s)
	}
}

// totalLength is that of texts.
func totalLength(texts []string) (n int) {
	for _, text := range texts {
		n += len(text)
	}
	return n
}

// mermaidText writes a text so that Mermaid shows it as it is, on one line.
func mermaidText(s string) string {
	return text.Mermaid(shorten(text.Safe(s), longestText))
}
