package diagram

import (
	"github.com/rivo/uniseg"
)

// textWidth returns how many cells of a terminal a text takes.
func textWidth(text string) int { return uniseg.StringWidth(text) }

// shorten cuts a text that is wider than most, between two characters as people
// see them.
func shorten(text string, most int) string {
	if textWidth(text) <= most {
		return text
	}
	width := 1 // of the ellipsis
	for all := uniseg.NewGraphemes(text); all.Next(); {
		if width += all.Width(); width > most {
			from, _ := all.Positions()
			return text[:from] + "…"
		}
	}
	return text
}
