package explain

import (
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
)

// reliable returns what the bounds say of a link on which only crashes lose
// messages, "" if they say nothing of it.
func (x *Explainer) reliable(from, to string) string {
	if from == to {
		return ""
	}
	return syntax.LinksMeant(x.Graph.Bounds.Reliable, from, to)
}

// sparing is what the isolation of a process does not lose.
func (x *Explainer) sparing(process string) string {
	var patterns []string
	for _, pattern := range x.Graph.Bounds.Reliable {
		for _, other := range x.Graph.Bounds.Processes {
			only := []string{pattern}
			if other != process && syntax.LinksMeant(only, process, other)+syntax.LinksMeant(only, other, process) != "" {
				patterns = append(patterns, pattern)
				break
			}
		}
	}
	if patterns == nil {
		return ""
	}
	return " but for " + text.List(patterns, "and")
}
