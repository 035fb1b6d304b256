package explain

import (
	"bufio"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/printable"
)

// tree is a line of text with notes on it and lines below it.
type tree struct {
	text  string
	notes []string
	items []*tree
}

func (o *tree) add(text string) *tree {
	item := &tree{text: text}
	o.items = append(o.items, item)
	return item
}

func (o *tree) note(text string) { o.notes = append(o.notes, text) }

// write draws the tree.
func (o *tree) write(out io.Writer) error {
	buffer := bufio.NewWriter(out)
	o.draw(buffer, "", "")
	return buffer.Flush()
}

// draw writes the line after one prefix, and what belongs to it after another.
func (o *tree) draw(out *bufio.Writer, prefix, below string) {
	line := func(before, text string) { fmt.Fprintf(out, "%s%s\n", before, printable.Line(text)) }
	line(prefix, o.text)
	bar := "│ "
	if len(o.items) == 0 {
		bar = "  "
	}
	for _, note := range o.notes {
		line(below+bar, note)
	}
	for i, item := range o.items {
		if i == len(o.items)-1 {
			item.draw(out, below+"└─ ", below+"   ")
		} else {
			item.draw(out, below+"├─ ", below+"│  ")
		}
	}
}
