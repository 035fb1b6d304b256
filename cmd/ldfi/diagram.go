package main

import (
	"io"

	"github.com/fatih/color"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
)

// drawExecution draws an execution, with what it breaks noted in its rounds.
func drawExecution(w io.Writer, e *rounds.Execution, violations []ldfi.Violation) error {
	var notes []rounds.DiagramNote
	for _, v := range violations {
		text := v.Goal(e.Bounds.Processes)
		if v.Missing {
			text = "no " + text
		}
		notes = append(notes, rounds.DiagramNote{Round: v.Fact.Round, Text: text})
	}
	return e.WriteDiagram(w, rounds.DiagramOptions{
		Notes: notes,
		Style: rounds.DiagramStyle{Fault: paint(color.FgRed), Strong: paint(color.Bold), Faint: paint(color.Faint)},
	})
}

func paint(attribute color.Attribute) func(string) string {
	return func(text string) string { return color.New(attribute).Sprint(text) }
}
