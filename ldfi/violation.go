package ldfi

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// sentence is a violation in words, without a full stop, process names without
// quotes: post(c, "hello") is missing at round 6 while pre(c, "hello") holds.
func sentence(v result.Violation, processes []string) string {
	fact := recording.Display(v.Fact, processes)
	switch {
	case v.While != nil:
		return fmt.Sprintf("%s is missing at round %d while %s holds", fact, v.Fact.Round, recording.Display(*v.While, processes))
	case v.Missing:
		return fmt.Sprintf("%s is missing at round %d", fact, v.Fact.Round)
	default:
		return fmt.Sprintf("%s holds at round %d", fact, v.Fact.Round)
	}
}

// describe puts violations into words.
func describe(broken []result.Violation, processes []string) string {
	if len(broken) == 0 {
		return "the promise holds"
	}
	texts := make([]string, len(broken))
	for i, v := range broken {
		texts[i] = sentence(v, processes)
	}
	return strings.Join(texts, "; ")
}
