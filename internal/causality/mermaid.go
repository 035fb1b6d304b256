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

// WriteMermaid writes the graph of WriteDOT as a flowchart of Mermaid.
func WriteMermaid(out io.Writer, d *result.Difference, b rounds.Bounds) error {
	g := graphOf(d, b)
	var buf strings.Builder
	buf.WriteString("flowchart LR\n")
	for i, n := range g.nodes {
		open, closed := `["`, `"]`
		if n.kind == faulty {
			open, closed = `{{"`, `"}}`
		}
		class := n.kind
		if n.outcome {
			open, closed = `[["`, `"]]`
		}
		lines := make([]string, len(n.lines))
		for k, line := range n.lines {
			lines[k] = text.Mermaid(line)
		}
		fmt.Fprintf(&buf, "  n%d%s%s%s:::%s\n", i+1, open, strings.Join(lines, "<br>"), closed, class)
	}
	for _, e := range g.edges {
		label := ""
		if e.label != "" {
			label = `|"` + text.Mermaid(e.label) + `"|`
		}
		fmt.Fprintf(&buf, "  n%d -->%s n%d\n", slices.Index(g.nodes, e.from)+1, label, slices.Index(g.nodes, e.to)+1)
	}
	buf.WriteString("  classDef missing stroke-dasharray:6 4\n  classDef further stroke-width:3px\n  classDef shared stroke:#888,color:#888\n" +
		"  classDef neither stroke-dasharray:2 3\n  classDef fault stroke:#c00,color:#c00\n")
	_, err := io.WriteString(out, buf.String())
	return err
}
