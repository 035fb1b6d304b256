package diagram

import (
	"strings"
	"unicode"
)

// paint is how a cell of a diagram is dressed.
type paint int

const (
	plain paint = iota
	faint
	fault
	strong
)

// canvas is one row of cells, each one character wide.
type canvas []canvasCell

type canvasCell struct {
	text  string // empty behind a character that is two cells wide
	paint paint
}

// set writes text from a cell on. Cells left of the canvas are lost; on the
// right it grows.
func (c *canvas) set(at int, text string, p paint) {
	for _, r := range text {
		width := runeWidth(r)
		for len(*c) < at+width {
			*c = append(*c, canvasCell{" ", plain})
		}
		switch {
		case at < 0:
		case width == 0 && at > 0:
			(*c)[at-1].text += string(r)
		default:
			for i := range width {
				(*c)[at+i] = canvasCell{"", p}
			}
			(*c)[at].text = string(r)
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

// clean replaces what would break a row.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// shorten cuts a text that is wider than most.
func shorten(text string, most int) string {
	if textWidth(text) <= most {
		return text
	}
	width := 1
	for i, r := range text {
		if width += runeWidth(r); width > most {
			return text[:i] + "…"
		}
	}
	return text
}

func textWidth(text string) int {
	width := 0
	for _, r := range text {
		width += runeWidth(r)
	}
	return width
}

// runeWidth returns how many cells of a terminal a character takes.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		r >= 0xff01 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff:
		return 2
	default:
		return 1
	}
}
