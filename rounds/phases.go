package rounds

import (
	"fmt"
	"slices"
	"strings"
)

// The keys of the settings about phases.
const (
	phaseKey = "phase"
	atKey    = "at"
)

// PhaseOf returns the phase of a round and the name of the round in it, as in "phase 2,
// Ack"; "" if rounds have no names.
func (b Bounds) PhaseOf(round int) string {
	if len(b.Phase) == 0 || round < 1 {
		return ""
	}
	return fmt.Sprintf("phase %d, %s", (round-1)/len(b.Phase)+1, b.Phase[(round-1)%len(b.Phase)])
}

// phaseProblems returns what is wrong with what the bounds say of phases.
func (b Bounds) phaseProblems() []problem {
	var all []problem
	for i, name := range b.Phase {
		if wrong := wrongName(name); wrong != "" {
			all = append(all, problem{phaseKey, strings.NewReplacer("a process with", "a round with", "process name", "round name").Replace(wrong)})
		} else if slices.Contains(b.Phase[:i], name) {
			all = append(all, problem{phaseKey, fmt.Sprintf("phase=%s: %s is named twice", strings.Join(b.Phase, ","), name)})
		}
	}
	if b.At != "" && b.At != phaseKey {
		all = append(all, problem{atKey, fmt.Sprintf("at=%s: expected phase (faults begin in the first round of a phase)", b.At)})
	}
	if b.At == "" {
		return all
	}
	for _, k := range []Kind{Omit, Delay, Duplicate, Order} {
		if b.Budget(k) != 0 {
			all = append(all, problem{atKey, fmt.Sprintf("at=phase: there are no %s, which strike single messages: use isolations, partitions or cuts", k.Setting())})
		}
	}
	if len(b.Joins) > 0 {
		all = append(all, problem{atKey, "at=phase does not go with join"})
	}
	if b.grants() {
		all = append(all, problem{atKey, "at=phase does not go with deliver and kernel, which speak about single rounds"})
	}
	return all
}
