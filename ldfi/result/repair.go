package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Repairs are suggested changes that make a protocol survive the faults that break its
// promise.
type Repairs struct {
	Suggestions List[Repair] `json:"suggestions"`    // suggested repairs, the most helpful first; each was checked
	Ends        List[Repair] `json:"ends,omitempty"` // repairs that are not suggested: the promise would survive more faults, but something that the protocol is for would end
	Good        int          `json:"good"`           // the number of executions without faults, or with one, in which the promise holds: suggestions are ranked by what these lose; 0 if there are no suggestions
	Tried       int          `json:"tried"`          // the number of repairs that were checked
	Undecided   int          `json:"undecided"`      // the number of these that reached a limit, so that it is not known whether they help
	Vain        int          `json:"vain"`           // the number of these with which the promise is about something else without faults, or kept in vain
	Note        string       `json:"note,omitempty"` // why there are no suggestions, that none is enough, or that there may be more

	// Present are the facts, with the rules that give them, that lead to a fact that
	// the promise forbids, from the first one that is not there without faults. Empty
	// where the promise lacks something.
	Present List[Derived] `json:"present,omitempty"`

	Kinds   List[TriedKind] `json:"kinds"`             // the number of repairs that were tried, by kind
	Resists *Resists        `json:"resists,omitempty"` // without suggestions: the fault set that defeats most repairs
	Fewer   List[Fewer]     `json:"fewer,omitempty"`   // without suggestions: the kinds of faults without which the promise holds, for the program as it is or with a repair
}

// TriedKind is the number of repairs of one kind that were tried. A repair of several
// parts counts for each of its kinds.
type TriedKind struct {
	Kind  string `json:"kind"`  // one of the Kinds of a Repair
	Tried int    `json:"tried"` // how many
}

// Resists is a fault set that breaks the promise with most of the repairs that were
// tried.
type Resists struct {
	Schedule rounds.Schedule `json:"schedule"` // the faults
	Breaks   int             `json:"breaks"`   // the number of repairs with which it breaks the promise
}

// Fewer is the result within the same bounds without faults of one kind.
type Fewer struct {
	Kind   string  `json:"kind"`             // the setting of the kind, which is set to 0: crashes
	Repair *Repair `json:"repair,omitempty"` // the repair with which the promise holds then; none if the program needs no repair
}

// Derived is a fact with the rule that gives it.
type Derived struct {
	Fact recording.Fact `json:"fact"`
	Derivation
}

// Repair is a suggested change to a program, with its effect.
type Repair struct {
	Text    string           `json:"text"`    // what the repair does, a phrase
	Kinds   List[string]     `json:"kinds"`   // resend, relay, everybody, copy, remember, durable, threshold, constant, without, acknowledge
	Rules   List[string]     `json:"rules"`   // the rules to add, as in a program; none if rules are only left out
	Instead List[Derivation] `json:"instead"` // rules that are left out, or replaced by Rules; none if rules are only added
	Durable List[string]     `json:"durable"` // the new value of the setting durable; none if it stays

	Buys     string          `json:"buys"`              // the effect, in words, compared with the program as it is
	Verdict  Verdict         `json:"verdict"`           // the verdict on the program with the repair, within the same bounds
	Size     int             `json:"size"`              // the fewest faults that break the promise with the repair; 0 if none do
	Schedule rounds.Schedule `json:"schedule,omitzero"` // a smallest fault set that breaks the promise then

	// Gone is the cost of a repair of the kinds threshold, constant and without: facts that the
	// weakened rules derive under the faults that broke the promise, and do not derive
	// any more, each in its first round.
	Gone List[recording.Fact] `json:"gone,omitempty"`

	Loses List[Forgone] `json:"loses,omitempty"` // what good executions lose by the repair; first what most of them lose
	Ends  List[Forgone] `json:"ends,omitempty"`  // relations of the promise that no process takes over from another one any more; if there are any, the repair is not suggested
}

// Forgone is a relation of which a process has facts in good executions, but no facts
// after a repair.
type Forgone struct {
	Relation   string          `json:"relation"`          // its name
	Process    string          `json:"process,omitempty"` // the process; none if the first column names no process, and where all processes are meant
	Executions int             `json:"executions"`        // the number of good executions that lose it
	Schedule   rounds.Schedule `json:"schedule"`          // the schedule of the first of these executions
}

// Derivation is a rule of a program, and its position.
type Derivation struct {
	Rule string `json:"rule"` // the text of the rule in the program
	specs.Position
}
