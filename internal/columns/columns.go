// Package columns aligns texts by the width that they take on a screen, which is
// neither that in bytes nor that in characters.
package columns

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/printable"
	"github.com/rivo/uniseg"
)

// Width is the number of columns that a text in one line takes.
func Width(text string) int { return uniseg.StringWidth(text) }

// Pad appends spaces up to a width.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-Width(text), 0))
}

// Table writes rows of as many cells each, aligned and two spaces apart. A cell is
// one line, whatever is in it.
func Table(b *bytes.Buffer, indent string, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = printable.Line(row[i])
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
	name = printable.Line(name)
	for _, line := range lines {
		fmt.Fprintln(b, strings.TrimRight(indent+Pad(name, width)+printable.Line(line), " "))
		name = ""
	}
}
