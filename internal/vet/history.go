package vet

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// state has the facts that a process keeps in a round, without the round, sorted.
type state []recording.Fact

// String returns the facts.
func (s state) String() string {
	texts := make([]string, len(s))
	for i, f := range s {
		texts[i] = recording.Display(f, nil)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func (s state) equal(t state) bool {
	return slices.EqualFunc(s, t, func(f, g recording.Fact) bool { return f.Compare(g) == 0 })
}

// history is the states of a process, without repetitions.
type history []state

func (h history) equal(g history) bool { return slices.EqualFunc(h, g, state.equal) }

// String returns the states, one after the other.
func (h history) String() string {
	texts := make([]string, len(h))
	for i, s := range h {
		texts[i] = s.String()
	}
	return strings.Join(texts, " ")
}

// histories returns the histories of all processes, in the order of the bounds.
func (f *finder) histories(run *lockstep.Run) []history {
	all := make([]history, len(f.bounds.Processes))
	for i, name := range f.bounds.Processes {
		here := f.program.ProcessValue(name)
		for round := 1; round <= f.bounds.EOT; round++ {
			s := f.stateAt(run, here, round)
			if n := len(all[i]); n == 0 || !all[i][n-1].equal(s) {
				all[i] = append(all[i], s)
			}
		}
	}
	return all
}

func (f *finder) stateAt(run *lockstep.Run, here specs.Value, round int) state {
	var s state
	for _, relation := range f.relations {
		for _, args := range run.Facts(relation, round) {
			if len(args) > 0 && args[0] == here {
				s = append(s, recording.Fact{Relation: relation, Args: args})
			}
		}
	}
	return s
}

func sameHistories(a, b []history) bool { return slices.EqualFunc(a, b, history.equal) }
