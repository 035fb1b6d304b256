package text

import (
	"bufio"
	"fmt"
	"io"
)

// Tree is a line of text with notes on it and lines below it.
type Tree struct {
	Text  string
	Notes []string
	Items []*Tree
}

// Add adds a line below and returns it.
func (o *Tree) Add(text string) *Tree {
	item := &Tree{Text: text}
	o.Items = append(o.Items, item)
	return item
}

// Note adds a note.
func (o *Tree) Note(text string) { o.Notes = append(o.Notes, text) }

// Write draws the tree.
func (o *Tree) Write(out io.Writer) error {
	buffer := bufio.NewWriter(out)
	o.draw(buffer, "", "")
	return buffer.Flush()
}

// draw writes the line after one prefix, and what belongs to it after another.
func (o *Tree) draw(out *bufio.Writer, prefix, below string) {
	line := func(before, text string) { fmt.Fprintf(out, "%s%s\n", before, Safe(text)) }
	line(prefix, o.Text)
	bar := "│ "
	if len(o.Items) == 0 {
		bar = "  "
	}
	for _, note := range o.Notes {
		line(below+bar, note)
	}
	for i, item := range o.Items {
		if i == len(o.Items)-1 {
			item.draw(out, below+"└─ ", below+"   ")
		} else {
			item.draw(out, below+"├─ ", below+"│  ")
		}
	}
}
