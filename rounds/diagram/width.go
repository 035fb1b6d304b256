package diagram

import "github.com/lineage-driven/ldfi/internal/columns"

// shorten cuts a text that is wider than most, between two characters as people
// see them.
func shorten(text string, most int) string {
	if columns.Width(text) <= most {
		return text
	}
	return columns.Head(text, most-1) + "…"
}
