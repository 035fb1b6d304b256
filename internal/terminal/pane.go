package terminal

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// pane is what is below the grid: the diagram.
type pane struct {
	*screen
	top, left int // where it is scrolled to
	text      []string
}

// refresh draws what is known now.
func (p *pane) refresh() {
	in := p.shown()
	if in == nil || in.Execution == nil {
		if p.ran == nil {
			return
		}
		in = p.ran // that of the schedule before
	}
	p.text = p.diagram(in)
}

func (p *pane) diagram(in *result.Injection) []string {
	var all []string
	for i, because := range in.Because {
		name := ""
		if i == 0 {
			name = "because"
		}
		all = append(all, pad(name, 11)+line(because))
	}
	var drawing bytes.Buffer
	if err := p.options.Draw(&drawing, in); err != nil {
		return []string{line(err.Error())}
	}
	return append(all, strings.Split(strings.TrimRight(drawing.String(), "\n"), "\n")...)
}

// scroll moves what is seen.
func (p *pane) scroll(down, right int) {
	p.top = max(min(p.top+down, len(p.text)-1), 0)
	p.left = max(p.left+right, 0)
}

// lines are so many of the pane.
func (p *pane) lines(height int) []string {
	all := []string{"── diagram " + strings.Repeat("─", max(p.width-11, 0))}
	p.top = max(min(p.top, len(p.text)-height), 0)
	for _, text := range p.text[p.top:min(p.top+height, len(p.text))] {
		all = append(all, ansi.TruncateLeft(text, p.left, ""))
	}
	return all
}
