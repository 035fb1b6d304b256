package vet

import (
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// sequentialized says which of the five conditions of sequentialization are met.
func (a *analysis) sequentialized(tagged result.Condition, used usage) []result.Condition {
	of := func(name, why string) result.Condition {
		return result.Condition{Group: result.GroupSequentialization, Name: name, Met: result.MetYes, Needed: true, Why: why}
	}
	stamped := tagged
	stamped.Group, stamped.Name = result.GroupSequentialization, "(2) what is sent carries the phase and round of its sender"
	return []result.Condition{
		forgetting(of("(1) phase and round only grow", a.clocks()), a.Bounds),
		stamped,
		used.condition(of("(3) no rule takes messages of earlier rounds", "each rule that reads one is for messages of the round before"), used.late),
		used.condition(of("(4) what is read of messages is of the current round", "each rule that reads one is for messages of the round before"), used.late, used.early),
		of("(5) a round sends, receives, and then ends", "in one round a process reads all that has arrived, and sends for the next"),
	}
}
