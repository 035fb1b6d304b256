package limits

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// UndefinedError reports a fact that depends on its own absence, so that no
// evaluation of the program can say whether it holds.
type UndefinedError struct {
	Cycle    []recording.Fact // each depends on the next, the last on the first
	Schedule rounds.Schedule  // under which it happens
}

func (e *UndefinedError) Error() string {
	if len(e.Cycle) == 0 {
		return "a fact depends on its own absence"
	}
	texts := make([]string, 0, len(e.Cycle)+1)
	for _, f := range e.Cycle {
		texts = append(texts, f.String())
	}
	texts = append(texts, texts[0])
	under := "without faults"
	if e.Schedule.String() != "" {
		under = "under " + e.Schedule.String()
	}
	return fmt.Sprintf("%s depends on its own absence %s: %s", texts[0], under, strings.Join(texts, " <- "))
}

// RunawayError reports a rule that keeps making new facts within one round, for
// more turns than a recursion may take.
type RunawayError struct {
	Relation string         // of the head of the rule; empty if that is not known
	Position specs.Position // of the rule
	Turns    int            // after which it was stopped
}

func (e *RunawayError) Error() string {
	if e.Relation == "" {
		return "a rule makes new facts without end"
	}
	return fmt.Sprintf("%s: %s", e.Position, e.Says())
}

// Says returns the error of a known rule without its place.
func (e *RunawayError) Says() string {
	return fmt.Sprintf("the rule for %s still makes new facts in one round after %d steps, perhaps without end; bound the values that it makes", e.Relation, e.Turns)
}

// WorkError reports an evaluation that takes more steps than it may.
type WorkError struct {
	Relation string         // of the head of the rule that was evaluated last
	Position specs.Position // of the rule
	Steps    int            // that it may take
}

func (e *WorkError) Error() string {
	return fmt.Sprintf("%s: %s", e.Position, e.Says())
}

// Says returns the error without its place.
func (e *WorkError) Says() string {
	return fmt.Sprintf("the rule for %s is evaluated when all rules have taken %d steps, the most that they may: let its body have fewer relations that do not share a variable", e.Relation, e.Steps)
}

// The limits on an evaluation where the user gives none.
const (
	DefaultMaxFacts = 1_000_000
	DefaultMaxGates = 10_000_000
)

// LimitError reports that an evaluation was stopped because it grew too large.
type LimitError struct {
	What     string // what was counted: "facts", "gates"; or Memory
	Relation string // the relation that was being evaluated, if known
	Count    int    // how many there were
	Round    int    // in which round; 0: in none

	Growth []recording.Growth // the relations with most facts, the largest first, if known

	memory MemoryCount // what was counted, where What is Memory
}

func (e *LimitError) Error() string {
	what := fmt.Sprintf("%d %s", e.Count, e.What)
	if e.What == Memory {
		what = fmt.Sprintf("facts that take %s, as much as one evaluation may of %s (--memory)", e.memory.Most(), e.memory.Whole())
	}
	text := "stopped"
	if e.Round > 0 {
		text += fmt.Sprintf(" in round %d", e.Round)
	}
	text += " with " + what
	if e.Relation != "" {
		if e.What == Memory {
			text += ","
		}
		text += " at relation " + e.Relation
	}
	return text
}

// OfMemory returns that an evaluation was stopped because its facts take more memory than
// it may.
func OfMemory(c MemoryCount, relation string, round int) *LimitError {
	return &LimitError{What: Memory, Relation: relation, Round: round, memory: c}
}
