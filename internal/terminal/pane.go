package terminal

import (
	"bytes"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// view is what the lower part of the screen shows.
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
	seenLines int  // how many lines of it were seen last
	drawn     []string
	because   []string
	answer    []string // the text of the last answer
	title     string   // of that

	sets  sets
	facts facts
}

// show turns to a view, with the arrows on it if it is a list.
func (p *pane) show(v view) {
	p.view, p.focused, p.top, p.left = v, v == setsView || v == factsView, 0, 0
}

// refresh draws what is known now.
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
	p.drawn = written(func(w io.Writer) error { return p.options.Draw(w, in) })
	p.facts.stale = true
}

// written returns the lines of a text, which has made foreign texts in it visible, and may
// have colours.
func written(write func(io.Writer) error) []string {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return []string{line(err.Error())}
	}
	return strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
}

// say shows a text as the answer to a question.
func (p *pane) say(title string, lines []string) {
	p.title, p.answer = title, lines
	p.show(answerView)
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

// page scrolls by most of what is seen.
func (p *pane) page(by int) {
	by *= max(p.seenLines-2, 1)
	if p.hasList() {
		p.move(by, 0)
		return
	}
	p.scroll(by, 0)
}

// scroll moves what is seen.
func (p *pane) scroll(down, right int) {
	p.top, p.left = max(p.top+down, 0), max(p.left+right, 0)
}

// lines are so many of the pane.
func (p *pane) lines(height int) []string {
	all := []string{p.tabs()}
	height--
	p.seenLines = height
	switch p.view {
	case setsView:
		return append(all, p.setLines(height)...)
	case factsView:
		return append(all, p.factLines(height)...)
	case answerView:
		text := []string{"nothing was asked yet: w why, t what would it take, v by what it differs from the run without faults"}
		if p.answer != nil {
			text = append([]string{p.title, ""}, p.answer...)
		}
		return append(all, p.seen(wrapped(text, p.width), height)...)
	default:
		var text []string
		for i, because := range p.because {
			name := ""
			if i == 0 {
				name = "because"
			}
			text = append(text, field(name, because, p.width)...)
		}
		if most := max(height/4, 1); len(text) > most && !p.zoomed {
			text = append(text[:most], pad("", nameWidth)+"… z shows all of it, w says why")
		}
		return append(all, p.seen(append(text, p.drawn...), height)...)
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

// tabs name what can be shown; where there is little room, only what is.
func (p *pane) tabs() string {
	text := p.named(func(name string) string { return name })
	if ansi.StringWidth(text) > p.width {
		text = p.named(func(name string) string { return name[:1] })
	}
	return text + strings.Repeat("─", max(p.width-ansi.StringWidth(text), 0))
}

// named are the tabs, those that are not open with a name of their own.
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

// wrapped is a text in lines of a width. What goes on is indented as what it belongs to,
// also in a tree.
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

// indentation returns what a line begins with before its text, and what the lines have
// there in which it goes on.
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
