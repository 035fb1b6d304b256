package diagram

import "github.com/lineage-driven/ldfi/internal/text"

// shorten cuts a text that is wider than most, between two characters as people
// see them.
func shorten(s string, most int) string {
	if text.Width(s) <= most {
		return s
	}
	return text.CutHead(s, most-1) + "…"
}
