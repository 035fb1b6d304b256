package causality

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// WriteDOT writes a difference as a directed graph in the DOT language, from the faults
// to the broken promise: missing facts are dashed, facts of only the bad execution
// bold, facts of both grey, facts that hold only without some fault dotted, and faults
// red.
func WriteDOT(out io.Writer, d *result.Difference, b rounds.Bounds) error {
	g := graphOf(d, b)
	var buf strings.Builder
	buf.WriteString("digraph difference {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n")
	for i, n := range g.nodes {
		fmt.Fprintf(&buf, "  n%d [label=%s%s];\n", i+1, text.DOT(n.lines...), n.style())
	}
	for _, e := range g.edges {
		label := ""
		if e.label != "" {
			label = fmt.Sprintf(" [label=%s, color=red, fontcolor=red]", text.DOT(e.label))
		}
		fmt.Fprintf(&buf, "  n%d -> n%d%s;\n", slices.Index(g.nodes, e.from)+1, slices.Index(g.nodes, e.to)+1, label)
	}
	buf.WriteString("}\n")
	_, err := io.WriteString(out, buf.String())
	return err
}

// style is how a node is drawn in DOT.
func (n *node) style() string {
	style := map[string]string{
		missing: ", style=dashed",
		further: ", style=bold",
		shared:  ", color=gray50, fontcolor=gray50",
		neither: ", style=dotted",
		faulty:  ", shape=octagon, color=red, fontcolor=red",
	}[n.kind]
	if n.outcome {
		style += ", peripheries=2"
	}
	return style
}
