package main

import (
	"io"

	"github.com/fatih/color"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// drawExecution draws an execution, with what it breaks noted in its rounds.
func drawExecution(w io.Writer, e *recording.Execution, violations []result.Violation, d drawing) error {
	return diagram.Write(w, e, diagram.Options{
		Hide:  d.hide,
		Show:  d.show,
		Notes: report.Notes(e, violations),
		Style: diagram.Style{Fault: paint(color.FgRed), Strong: paint(color.Bold), Faint: paint(color.Faint)},
	})
}

func paint(attribute color.Attribute) func(string) string {
	return func(text string) string { return color.New(attribute).Sprint(text) }
}
