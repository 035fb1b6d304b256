package report

import (
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Notes returns what an execution breaks, as remarks of a diagram.
func Notes(e *recording.Execution, broken []result.Violation) []diagram.Note {
	var notes []diagram.Note
	for _, v := range broken {
		if e.System != "" { // its properties speak of whole executions
			if round, how := search.Ends(v); round > 0 {
				notes = append(notes, diagram.Note{Round: round, Text: how})
			}
			continue
		}
		text := recording.Display(v.Fact, e.Bounds.Processes)
		switch {
		case v.Missing && len(v.Fact.Args) == 0: // it holds nowhere, so that there is no fact to name
			text = v.Text
		case v.Missing:
			text = "no " + text
		}
		notes = append(notes, diagram.Note{Round: v.Fact.Round, Text: text})
	}
	return notes
}
