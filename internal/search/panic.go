package search

import (
	"errors"
	"fmt"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
)

// NoPanic is the name of the property that every system has to satisfy besides its own.
const NoPanic = "no panic"

// Died is the relation of the fact of a violation of NoPanic or NoExit if only that
// process ended, and the others went on to the end of the execution.
const Died = "died"

// Panics tells whether err says that a process panicked in an execution, or ended its
// program. A panic in a method that only searches call, to name or to save a state,
// does not count.
func Panics(err error) bool {
	var failed *system.Error
	if !errors.As(err, &failed) || !errors.As(err, new(*system.PanicError)) {
		return false
	}
	switch failed.Call {
	case "Fingerprint", "Snapshot", "Restore":
		return false
	}
	return true
}

// panicViolation returns the violation of NoPanic by a panic, or of NoExit by an exit.
func panicViolation(err error) result.Violation {
	var failed *system.Error
	var panicked *system.PanicError
	errors.As(err, &failed)
	errors.As(err, &panicked)
	when := fmt.Sprintf("in round %d", failed.Round)
	if failed.Round == 0 {
		when = "before the first round"
	}
	property, relation, does := NoPanic, "panic", "panics"
	if panicked.Exit {
		property, does = NoExit, "ends its program"
	}
	if panicked.Hangs {
		property, does = NoHang, "does not come to rest"
	}
	if panicked.Alone {
		relation = Died
	}
	return result.Violation{
		Property: property,
		Text:     fmt.Sprintf("process %s %s %s: %s", failed.Process, does, when, panicked.Text),
		Fact:     recording.Fact{Relation: relation, Args: []specs.Value{specs.String(failed.Process), specs.String(panicked.Text)}, Round: max(failed.Round, 1)},
		Stack:    panicked.Stack,
	}
}

// Ends returns the round in which the violation v ended the execution or a process, and
// how, as a phrase; 0 if it ended none.
func Ends(v result.Violation) (round int, how string) {
	who := "the host"
	if len(v.Fact.Args) > 0 && v.Fact.Args[0].Text() != "" {
		who = "process " + v.Fact.Args[0].Text()
	}
	switch {
	case v.Fact.Relation == Died && v.Property == NoPanic:
		return v.Fact.Round, who + " panics, and the others go on"
	case v.Fact.Relation == Died && v.Property == NoExit:
		return v.Fact.Round, who + " ends its program, and the others go on"
	}
	if v.Fact.Relation == Died && v.Property == NoHang {
		return v.Fact.Round, who + " does not come to rest: nothing is recorded from here on"
	}
	switch v.Property {
	case NoPanic:
		return v.Fact.Round, who + " panics, and the execution ends"
	case NoHang:
		return v.Fact.Round, who + " does not come back: nothing is recorded"
	case NoExit:
		return v.Fact.Round, who + " ends: nothing is recorded"
	}
	return 0, ""
}

// Alike tells whether v and w violate the same property and, if they are panics, at the
// same place.
func Alike(v, w result.Violation) bool {
	return v.Property == w.Property && (len(v.Stack) == 0 || len(w.Stack) == 0 || v.Stack[0] == w.Stack[0])
}
