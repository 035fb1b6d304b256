package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// Notes on facts that the environment chooses.
const (
	chosenNote    = "chosen by the environment"
	byDefaultNote = "chosen by the environment, by default"
)

// choiceNote says that a firing is a choice of the environment.
func choiceNote(firing *provenance.Firing) string {
	if _, unless, _ := firing.Choice(); unless != nil {
		return byDefaultNote
	}
	return chosenNote
}

// choicesShown limits the alternatives that a note names.
const choicesShown = 3

// notChosen names the facts of a pattern that the environment could have chosen; "" if
// there is none.
func (x *Explainer) notChosen(p Pattern) string {
	var all []string
	for round := p.First; round <= p.Last; round++ {
		for _, f := range x.facts(p.Relation, round) {
			if !p.matches(f.Args()) {
				continue
			}
			for _, firing := range f.Firings() {
				if firing.Chosen() && !x.Fires(firing) {
					chosen := x.factPattern(f)
					all = append(all, chosen.String())
				}
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	if more := len(all) - choicesShown; more > 0 {
		all = append(slices.Clone(all[:choicesShown]), fmt.Sprintf("%d more", more))
	}
	return "not chosen by the environment: " + strings.Join(all, ", ")
}

// chosen describes a choice of the environment in the schedule.
func (x *Explainer) chosen(f rounds.Fault) string {
	relation, args := f.Fact()
	p := x.patternOf(relation, args, f.Round)
	return "the environment chooses " + p.String()
}
