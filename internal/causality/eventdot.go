package causality

import (
	"bufio"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// WriteEventDOT writes the events of an execution as a directed graph in the DOT language: a
// cluster for each process with its events one behind the other, and an edge for each
// message. Faults, and messages that are lost, are red.
func WriteEventDOT(w io.Writer, e *recording.Execution) error {
	out := bufio.NewWriter(w)
	events := Events(e)
	fmt.Fprintln(out, "digraph execution {")
	fmt.Fprintln(out, "  node [shape=box, fontsize=10];")
	for p, name := range e.Bounds.Processes {
		fmt.Fprintf(out, "  subgraph cluster_%d {\n    label=%s;\n", p, text.DOT(name))
		line := ""
		for i, event := range events {
			if event.Process != p {
				continue
			}
			fmt.Fprintf(out, "    e%d [label=%s%s];\n", i, text.DOT(fmt.Sprintf("round %d", event.Round), event.Text), event.colour())
			line += fmt.Sprintf(" -> e%d", i)
		}
		if line != "" {
			fmt.Fprintf(out, "    edge [style=dotted, arrowhead=none];\n    %s;\n", line[len(" -> "):])
		}
		fmt.Fprintln(out, "  }")
	}
	for i, event := range events {
		if event.From >= 0 {
			fmt.Fprintf(out, "  e%d -> e%d;\n", event.From, i)
		}
	}
	fmt.Fprintln(out, "}")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the graph: %w", err)
	}
	return nil
}

// colour is the colour of an event as an attribute of its node.
func (e Event) colour() string {
	if e.What == faultBegins || e.Lost() {
		return ", color=red"
	}
	return ""
}
