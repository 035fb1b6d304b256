package text

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// Width is the number of columns that a text in one line takes.
func Width(text string) int { return uniseg.StringWidth(text) }

// Pad appends spaces up to a width.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-Width(text), 0))
}

// Cut returns a text of at most a width: of a longer one, the middle is left out.
func Cut(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	tail := (width - 1) / 2
	return CutHead(text, width-1-tail) + "…" + end(text, tail)
}

// CutAround is Cut for a text of which the part after so many bytes has to stay.
func CutAround(text string, width, at int) string {
	if Width(text) <= width {
		return text
	}
	const before = 8 // columns to know the place by
	first := CutHead(text, width/4)
	from := at - len(end(text[:at], before))
	if from <= len(first) {
		return CutHead(text, width-1) + "…"
	}
	rest := width - Width(first) - 1
	if Width(text[from:]) <= rest {
		return first + "…" + end(text, rest)
	}
	return first + "…" + CutHead(text[from:], rest-1) + "…"
}

// CutHead returns as much of the beginning of a text as fits into a width.
func CutHead(text string, width int) string {
	var all strings.Builder
	for state, rest := -1, text; rest != ""; {
		var character string
		var wide int
		character, rest, wide, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if width -= wide; width < 0 {
			break
		}
		all.WriteString(character)
	}
	return all.String()
}

// end returns as much of the end of a text as fits into a width.
func end(text string, width int) string {
	left := Width(text)
	for state := -1; left > width && text != ""; {
		var wide int
		_, text, wide, state = uniseg.FirstGraphemeClusterInString(text, state)
		left -= wide
	}
	return text
}

// Table writes rows of as many cells each, aligned and two spaces apart. A cell is
// one line, whatever is in it.
func Table(b *bytes.Buffer, indent string, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = Safe(row[i])
			widths[i] = max(widths[i], Width(row[i])+2)
		}
	}
	for _, row := range rows {
		line := indent
		for i, cell := range row {
			line += Pad(cell, widths[i])
		}
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
}

// Field writes lines behind a name, which takes so many columns; all but the first
// are indented below it. What is given as one line is one, whatever is in it.
// Without a text nothing is written.
func Field(b *bytes.Buffer, indent string, width int, name string, lines ...string) {
	if strings.Join(lines, "") == "" {
		return
	}
	name = Safe(name)
	for _, line := range lines {
		fmt.Fprintln(b, strings.TrimRight(indent+Pad(name, width)+Safe(line), " "))
		name = ""
	}
}
