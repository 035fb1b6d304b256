// Package columns aligns texts by the width that they take on a screen, which is
// neither that in bytes nor that in characters.
package columns

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

// Table writes rows of as many cells each, aligned and two spaces apart.
func Table(b *bytes.Buffer, indent string, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell)+2)
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

// Field writes a text behind its name, which takes so many columns; further
// lines of the text are indented below the first. Without a text nothing is
// written.
func Field(b *bytes.Buffer, indent string, width int, name, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(b, strings.TrimRight(indent+Pad(name, width)+line, " \n"))
		name = ""
	}
}
