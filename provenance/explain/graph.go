package explain

import (
	"bufio"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance"
)

// WriteDOT writes the lineage as a directed graph in the DOT language: facts as boxes,
// firings of rules as ellipses, with edges from a fact or firing to those that need it.
// Absences that a firing needs are on dashed edges, the rows of an aggregate on dotted
// ones, and an ellipse with a message that can be lost is red.
func (l *Lineage) WriteDOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	names := map[*provenance.Fact]int{}
	rows := map[*provenance.Firing]int{}
	fmt.Fprintf(out, "digraph lineage {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n")
	l.visit(visitor{
		fact: func(f *provenance.Fact) {
			names[f] = len(names) + 1
			style := ""
			if f.Given() {
				style = ", style=bold"
			}
			fmt.Fprintf(out, "  n%d [label=%s%s];\n", names[f], text.DOT(f.String()), style)
		},
		firing: func(number int, f *provenance.Firing, gives *provenance.Fact) {
			rows[f] = number
			label := []string{rulePlace(f.Rule())}
			if f.Chosen() {
				label[0] = "chosen"
			}
			style := ""
			if d := f.Delivery(); d != nil {
				label = append(label, fmt.Sprintf("%s to %s in round %d", d.From, d.To, d.Round))
				if d.Arrival > d.Round {
					label = append(label, fmt.Sprintf("arrives in round %d", d.Arrival))
				}
			}
			if len(f.LostBy()) > 0 {
				style = ", color=red"
			}
			fmt.Fprintf(out, "  s%d [label=%s, shape=ellipse%s];\n", number, text.DOT(label...), style)
			if gives != nil {
				fmt.Fprintf(out, "  n%d -> s%d;\n", names[gives], number)
			}
		},
	})
	l.edges(out, names, rows)
	fmt.Fprintln(out, "}")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the graph: %w", err)
	}
	return nil
}

// edges writes the needs of firings. All nodes have names by now: facts of a recursion need
// each other.
func (l *Lineage) edges(out io.Writer, names map[*provenance.Fact]int, numbers map[*provenance.Firing]int) {
	l.visit(visitor{
		fact: func(*provenance.Fact) {},
		firing: func(number int, f *provenance.Firing, _ *provenance.Fact) {
			for _, used := range f.Positive() {
				fmt.Fprintf(out, "  s%d -> n%d;\n", number, names[used])
			}
			for _, absence := range f.Negative() {
				for _, absent := range absence.Facts {
					fmt.Fprintf(out, "  s%d -> n%d [style=dashed];\n", number, names[absent])
				}
			}
			for _, row := range f.Rows() {
				fmt.Fprintf(out, "  s%d -> s%d [style=dotted];\n", number, numbers[row])
			}
		},
	})
}
