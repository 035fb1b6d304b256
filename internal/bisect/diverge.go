package bisect

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Divergence is the first round in which two versions of a system do something
// different under the same schedule.
type Divergence struct {
	Round  int                 `json:"round"`
	Before result.List[string] `json:"before"` // what only one of them does
	After  result.List[string] `json:"after"`
}

// diverge compares two recordings.
func diverge(before, after *recording.Execution) *Divergence {
	if before == nil || after == nil {
		return nil
	}
	for round := 1; round <= max(before.Bounds.EOT, after.Bounds.EOT); round++ {
		b, a := events(before, round), events(after, round)
		d := &Divergence{Round: round, Before: subtract(b, a), After: subtract(a, b)}
		if len(d.Before)+len(d.After) > 0 {
			return d
		}
	}
	return nil
}

// events returns what happens in a round, messages first.
func events(e *recording.Execution, round int) []string {
	var all []string
	for _, m := range e.Messages {
		if m.Round == round {
			text := fmt.Sprintf("%s > %s: %s", m.From, m.To, recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args[min(1, len(m.Args)):]}, nil))
			if m.Lost {
				text += ", lost"
			}
			all = append(all, text)
		}
	}
	for _, f := range e.Facts {
		if f.Round == round {
			all = append(all, recording.Display(f, e.Bounds.Processes))
		}
	}
	return all
}

// subtract returns what is more often in one list than in another.
func subtract(list, other []string) []string {
	count := map[string]int{}
	for _, text := range other {
		count[text]++
	}
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool {
		count[text]--
		return count[text] >= 0
	})
}
