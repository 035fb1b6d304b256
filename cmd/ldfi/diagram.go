package main

import (
	"io"

	"github.com/fatih/color"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// drawExecution draws an execution, with what it breaks noted in its rounds.
func drawExecution(w io.Writer, e *recording.Execution, violations []result.Violation) error {
	var notes []diagram.Note
	for _, v := range violations {
		if e.System != "" { // its properties speak of whole executions
			if round, how := search.Ends(v); round > 0 {
				notes = append(notes, diagram.Note{Round: round, Text: how})
			}
			continue
		}
		text := recording.Display(v.Fact, e.Bounds.Processes)
		if v.Missing {
			text = "no " + text
		}
		notes = append(notes, diagram.Note{Round: v.Fact.Round, Text: text})
	}
	return diagram.Write(w, e, diagram.Options{
		Notes: notes,
		Style: diagram.Style{Fault: paint(color.FgRed), Strong: paint(color.Bold), Faint: paint(color.Faint)},
	})
}

func paint(attribute color.Attribute) func(string) string {
	return func(text string) string { return color.New(attribute).Sprint(text) }
}
