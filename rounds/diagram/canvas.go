package diagram

import (
	"strings"

	"github.com/rivo/uniseg"
)

// paint is how a cell of a diagram is dressed.
type paint int

const (
	plain paint = iota
	faint
	fault
	strong
)

// canvas is one row of cells.
type canvas []canvasCell

type canvasCell struct {
	text  string // a character as people see it; empty behind one that is several cells wide
	paint paint
}

// set writes text from a cell on. Cells left of the canvas are lost; on the
// right it grows.
func (c *canvas) set(at int, text string, p paint) {
	for all := uniseg.NewGraphemes(text); all.Next(); {
		width := all.Width()
		for len(*c) < at+width {
			*c = append(*c, canvasCell{" ", plain})
		}
		switch {
		case at < 0:
		case width == 0 && at > 0:
			(*c)[at-1].text += all.Str()
		default:
			for i := range width {
				(*c)[at+i] = canvasCell{"", p}
			}
			(*c)[at].text = all.Str()
		}
		at += width
	}
}

// render returns the row, its runs of equal paint dressed.
func (c canvas) render(s Style) string {
	var out, run strings.Builder
	p := plain
	flush := func() {
		out.WriteString(s.dress(run.String(), p))
		run.Reset()
	}
	for _, cell := range c {
		if cell.paint != p {
			flush()
			p = cell.paint
		}
		run.WriteString(cell.text)
	}
	flush()
	return out.String()
}

// dress applies the style's function for a paint.
func (s Style) dress(text string, p paint) string {
	f := [...]func(string) string{plain: nil, faint: s.Faint, fault: s.Fault, strong: s.Strong}[p]
	if f == nil || text == "" {
		return text
	}
	return f(text)
}
