package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Repairs are suggestions how to make a protocol survive what breaks its promise.
type Repairs struct {
	Suggestions List[Repair] `json:"suggestions"`    // what helps most first; each was checked
	Ends        List[Repair] `json:"ends,omitempty"` // not suggested: the promise would survive more, but something that the protocol is for would end
	Good        int          `json:"good"`           // how many executions there are in which the promise holds, without faults or with a single one: by what these lose suggestions are ranked; 0 if there are no suggestions
	Tried       int          `json:"tried"`          // how many were checked
	Undecided   int          `json:"undecided"`      // of how many of these it is not known whether they help, at the limits on each
	Vain        int          `json:"vain"`           // of how many of these the promise is about something else without faults, or kept in vain
	Note        string       `json:"note,omitempty"` // why there are none, that none is enough, or that there may be more

	// Present is what must not be and is there all the same, with the rules that give it:
	// from the first fact that there is not without faults to what the promise forbids.
	// Empty where the promise lacks something.
	Present List[Derived] `json:"present,omitempty"`

	Kinds   List[TriedKind] `json:"kinds"`             // what was tried, by kind
	Resists *Resists        `json:"resists,omitempty"` // of no suggestions: what stands in the way of most changes
	Fewer   List[Fewer]     `json:"fewer,omitempty"`   // of no suggestions: without which kinds of faults the promise holds, as the program is or with a change
}

// TriedKind is how many repairs of a kind were tried. One of several parts counts for each
// of its kinds.
type TriedKind struct {
	Kind  string `json:"kind"`  // as of a repair
	Tried int    `json:"tried"` // how many
}

// Resists is a fault set that breaks the promise whatever is changed.
type Resists struct {
	Schedule rounds.Schedule `json:"schedule"` // the faults
	Breaks   int             `json:"breaks"`   // with how many of those tried it does
}

// Fewer is what is known of the same bounds without faults of one kind.
type Fewer struct {
	Kind   string  `json:"kind"`             // the setting that is 0 then: crashes
	Repair *Repair `json:"repair,omitempty"` // with which the promise holds then; none if it does as the program is
}

// Derived is a fact with the rule that gives it.
type Derived struct {
	Fact recording.Fact `json:"fact"`
	Derivation
}

// Repair is a suggestion: what to change in a program, and what that buys.
type Repair struct {
	Text    string           `json:"text"`    // what it does, a phrase
	Kinds   List[string]     `json:"kinds"`   // resend, relay, everybody, copy, remember, durable, threshold, constant, without, acknowledge
	Rules   List[string]     `json:"rules"`   // to be added, as a program has them; none if rules are only left out
	Instead List[Derivation] `json:"instead"` // rules that are left out, or that these take the place of; none if they are only added
	Durable List[string]     `json:"durable"` // the value of the setting durable then; none if it stays

	Buys     string          `json:"buys"`              // in words, compared with the program as it is
	Verdict  Verdict         `json:"verdict"`           // of the program with it, within the same bounds
	Size     int             `json:"size"`              // the fewest faults that break the promise then; 0 if none do
	Schedule rounds.Schedule `json:"schedule,omitzero"` // of a smallest set that does

	// Gone is what a repair of the kinds threshold and without costs: what the protocol
	// derives by the rules that do less under the faults that broke the promise, and does
	// not any more, each in its first round.
	Gone List[recording.Fact] `json:"gone,omitempty"`

	Loses List[Forgone] `json:"loses,omitempty"` // what good executions lose by it, what most of them lose first
	Ends  List[Forgone] `json:"ends,omitempty"`  // relations that the promise speaks about, and that no process takes over from another one any more with it; not empty where it is not suggested
}

// Forgone is a relation of which a process has facts in good executions, and none with a
// repair.
type Forgone struct {
	Relation   string          `json:"relation"`          // its name
	Process    string          `json:"process,omitempty"` // none if its first column names none, and where it is about all processes
	Executions int             `json:"executions"`        // how many good executions lose it
	Schedule   rounds.Schedule `json:"schedule"`          // of the first of them
}

// Derivation is a rule of a program, and where it stands.
type Derivation struct {
	Rule string `json:"rule"` // as the program has it
	specs.Position
}
