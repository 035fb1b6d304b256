package explore

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/rounds"
)

// view is the content of the lower part of the screen.
type view int

const (
	diagramView view = iota
	setsView
	factsView
	answerView
)

var viewNames = []string{diagramView: "1 diagram", setsView: "2 fault sets", factsView: "3 facts", answerView: "4 answer"}

// pane is the lower part of the screen.
type pane struct {
	*screen
	view      view
	focused   bool // the arrows are for the list that it shows
	top, left int  // where a text is scrolled to
	seenLines int  // the number of its lines that were visible last
	cut       bool // the reason above the diagram is not seen whole
	unfolded  bool // it is to be
	drawn     []string
	because   []string
	answer    []string          // the text of the last answer
	title     string            // of the answer
	about     *string           // the schedule that it is about; nil: it is about all of them
	offered   []rounds.Schedule // that it names
	next      int               // the index of the schedule that enter tries

	sets  sets
	facts facts
}

// show turns to a view, with the arrows on it if it is a list.
func (p *pane) show(v view) {
	p.view, p.focused, p.top, p.left, p.unfolded = v, v == setsView || v == factsView, 0, 0, false
}

// refresh draws the present state.
func (p *pane) refresh() {
	in := p.shown()
	if in == nil || in.Execution == nil {
		in = p.ran // that of the schedule before
	}
	if in == nil {
		return
	}
	p.because = nil
	for _, because := range in.Because {
		p.because = append(p.because, line(because))
	}
	p.drawn = written(func(w io.Writer) error {
		return answertext.Draw(w, in.Execution, in.Violations, answertext.Drawing{Style: p.options.Style})
	})
	p.facts.stale = true
}

// written returns the lines that write writes. It must have made foreign text visible, and
// may use colours.
func written(write func(io.Writer) error) []string {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return []string{line(err.Error())}
	}
	return strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
}

// say shows a text as the answer to a question.
func (p *pane) say(title string, lines []string) {
	p.title, p.answer, p.about, p.offered = title, lines, nil, nil
	p.show(answerView)
}

// sayOf shows an answer that is about one schedule.
func (p *pane) sayOf(schedule rounds.Schedule, title string, lines []string) {
	p.say(title, lines)
	text := schedule.String()
	p.about = &text
}

// answerHead returns the lines above an answer, which do not scroll: a note if the answer
// is not about the current faults, and its question, which names its faults.
func (p *pane) answerHead() []string {
	head := wrapped([]string{p.title}, p.width)
	if p.about == nil || *p.about == p.explore.Schedule().String() {
		return append(head, "")
	}
	return append([]string{"OLD: not of the faults above, ask again"}, head...)
}

// answerLines returns height lines of the answer.
func (p *pane) answerLines(height int) []string {
	if p.answer == nil {
		return p.seen(wrapped([]string{"nothing was asked yet: v how it differs from the run without faults, w why, t which faults change a fact"}, p.width), height)
	}
	head := p.answerHead()
	head = head[:min(len(head), max(height/2, 1))]
	return append(head, p.seen(wrapped(p.answer, p.width), height-len(head))...)
}

// hasList tells whether there is something to choose.
func (p *pane) hasList() bool { return p.view == setsView || p.view == factsView }

// move moves in the list.
func (p *pane) move(down, right int) {
	if p.view == factsView {
		if p.facts.move(down, len(p.current().seen)); down != 0 {
			p.facts.round = 0
		}
		if right != 0 {
			p.turnRound(right)
		}
		return
	}
	rows := p.sets.rows()
	p.sets.move(down, len(rows))
	if p.sets.found != nil && len(rows) > 0 && right != 0 {
		p.sets.open[rows[p.sets.at].group] = right > 0
	}
}

// page scrolls by most of the visible part.
func (p *pane) page(by int) {
	switch {
	case p.view == diagramView && by > 0 && p.cut:
		p.unfolded = true
		return
	case p.view == diagramView && by < 0 && p.top == 0:
		p.unfolded = false
	}
	by *= max(p.seenLines-2, 1)
	if p.hasList() {
		p.move(by, 0)
		return
	}
	p.scroll(by, 0)
}

// scroll moves the visible part.
func (p *pane) scroll(down, right int) {
	p.top, p.left = max(p.top+down, 0), max(p.left+right, 0)
}

// lines returns height lines of the pane.
func (p *pane) lines(height int) []string {
	if height < 3 && !p.zoomed {
		p.seenLines = 0
		return []string{"too small here: z shows the rest"}
	}
	body := p.body(height - 1)
	return append([]string{p.tabs(body)}, body...)
}

// body are the lines below the tabs.
func (p *pane) body(height int) []string {
	p.seenLines = height
	switch p.view {
	case setsView:
		return p.setLines(height)
	case factsView:
		return p.factLines(height)
	case answerView:
		return p.answerLines(height)
	default:
		p.cut = false
		var text []string
		for i, because := range p.because {
			name := ""
			if i == 0 {
				name = "because"
			}
			text = append(text, field(name, because, p.width)...)
		}
		if most := max(height/4, 1); len(text) > most && len(text)+len(p.drawn) > height && !p.zoomed && !p.unfolded {
			text = append(text[:most], pad("", nameWidth)+"… pgdown: all of it")
			p.cut = true
		}
		return p.seen(append(text, p.drawn...), height)
	}
}

// seen is the part of a text that is scrolled to.
func (p *pane) seen(text []string, height int) []string {
	p.top = max(min(p.top, len(text)-height), 0)
	var all []string
	for _, text := range text[p.top:min(p.top+max(height, 0), len(text))] {
		all = append(all, ansi.TruncateLeft(text, p.left, ""))
	}
	if rest := len(text) - p.top - height; rest > 0 && len(all) > 0 {
		all[len(all)-1] = "↓ pgdown: there is more"
		if !p.zoomed {
			all[len(all)-1] += "   z whole screen"
		}
	}
	return all
}

// tabs returns the names of the views; if there is little room, only that of the current
// one. They tell whether the lines below continue to the right.
func (p *pane) tabs(body []string) string {
	text := p.named(func(name string) string { return name })
	if ansi.StringWidth(text) > p.width {
		text = p.named(func(name string) string { return name[:1] })
	}
	const more = " < > sideways ──"
	wider := slices.ContainsFunc(body, func(line string) bool { return ansi.StringWidth(line) > p.width })
	room := max(p.width-ansi.StringWidth(text), 0)
	if width := ansi.StringWidth(more); (wider || p.left > 0) && room >= width {
		return text + strings.Repeat("─", room-width) + more
	}
	return text + strings.Repeat("─", room)
}

// named returns the tabs; closed gives the names of those that are not open.
func (p *pane) named(closed func(name string) string) string {
	text := "──"
	for v, name := range viewNames {
		if view(v) == p.view {
			text += "[" + name + "]"
		} else {
			text += " " + closed(name) + " "
		}
	}
	return text
}

// nameWidth is that of the names of fields.
const nameWidth = 11

// field is a text with a name before it, in as many lines as it needs.
func field(name, text string, width int) []string {
	var all []string
	for i, part := range strings.Split(ansi.Wrap(text, max(width-nameWidth, 10), ""), "\n") {
		if i > 0 {
			name = ""
		}
		all = append(all, pad(name, nameWidth)+part)
	}
	return all
}

// wrapped returns a text in lines of a width. Continuation lines are indented like their
// first line, also in a tree.
func wrapped(text []string, width int) []string {
	var all []string
	for _, text := range text {
		indent, rest := indentation(text)
		parts := strings.Split(ansi.Wrap(text[len(indent):], max(width-ansi.StringWidth(rest), 10), ""), "\n")
		for i, part := range parts {
			if i > 0 {
				indent = rest
			}
			all = append(all, indent+part)
		}
	}
	return all
}

// indentation returns the beginning of a line before its text, and the beginning of its
// continuation lines.
func indentation(text string) (first, others string) {
	end := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(" │├└─", r) })
	if end < 0 {
		return "", ""
	}
	first = text[:end]
	others = strings.NewReplacer("├", "│", "└", " ", "─", " ").Replace(first)
	if m := strings.Index(text[end:], "  "); first == "  " && m > 0 && m < nameWidth { // a name before a column
		column := end + m + len(text[end+m:]) - len(strings.TrimLeft(text[end+m:], " "))
		return text[:column], strings.Repeat(" ", ansi.StringWidth(text[:column]))
	}
	return first, others
}
