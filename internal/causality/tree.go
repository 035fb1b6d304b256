package causality

import (
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// mostInTree limits the changes of a tree.
const mostInTree = 25

// WriteTree writes all changes as a tree, from the broken promise down to the faults. It
// writes nothing if the chain has all changes already, or if there are very many.
func WriteTree(out io.Writer, d *result.Difference, b rounds.Bounds) error {
	if len(d.Changes) <= len(d.Chain) || len(d.Changes) > mostInTree {
		return nil
	}
	t := &treeWriter{&writer{d, b}, map[int]bool{}}
	top := &text.Tree{}
	t.change(top, d.Outcome)
	return top.Items[0].Write(out)
}

type treeWriter struct {
	*writer
	seen map[int]bool
}

// change adds a change and its causes.
func (t *treeWriter) change(o *text.Tree, number int) {
	c := t.Changes[number-1]
	item := o.Add(t.writer.change(c) + place(c))
	if t.seen[number] {
		item.Text += " (see above)"
		return
	}
	t.seen[number] = true
	for _, f := range c.Shared {
		item.Note("with " + t.fact(f))
	}
	for _, cause := range c.Causes {
		if cause.Change > 0 {
			t.change(item, cause.Change)
		} else {
			item.Add("✗ " + t.cause(c, cause))
		}
	}
}
