package ldfi

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// sentence is a violation in words, without a full stop, process names without
// quotes: post(c, "hello") is missing at round 6 while pre(c, "hello") holds.
func sentence(v result.Violation, b rounds.Bounds) string {
	fact := recording.Display(v.Fact, b.Processes)
	round := fmt.Sprintf("round %d", v.Fact.Round)
	if phase := b.PhaseOf(v.Fact.Round); phase != "" {
		round += " (" + phase + ")"
	}
	switch {
	case v.While != nil:
		return fmt.Sprintf("%s is missing at %s while %s holds", fact, round, recording.Display(*v.While, b.Processes))
	case v.Missing:
		return fmt.Sprintf("%s is missing at %s", fact, round)
	default:
		return fmt.Sprintf("%s holds at %s", fact, round)
	}
}

// describe puts violations into words.
func describe(broken []result.Violation, b rounds.Bounds) string {
	if len(broken) == 0 {
		return "the promise holds"
	}
	texts := make([]string, len(broken))
	for i, v := range broken {
		texts[i] = sentence(v, b)
	}
	return strings.Join(texts, "; ")
}
