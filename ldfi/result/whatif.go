package result

import "github.com/lineage-driven/ldfi/specs"

// Possibility tells whether some fault set within the bounds has the effect that is
// asked for.
type Possibility string

// The possibilities.
const (
	Possible   Possibility = "possible"     // a fault set was executed and had the effect, or no fault is needed
	Impossible Possibility = "impossible"   // no schedule within the bounds has the effect
	Unknown    Possibility = "inconclusive" // stopped before either was known
)

// Wanted is a fact that faults are to make appear, or vanish.
type Wanted struct {
	Fact   string `json:"fact"`   // the fact, such as leader(b, 2)@6; a bare word is a string, _ is anything, and without a round it is a fact of any round
	Absent bool   `json:"absent"` // the fact is to vanish: it must not hold in that round, or in any round

	// Assumptions about the schedules: of what matches a pattern, something is
	// required, or everything is forbidden.
	Require List[string] `json:"require"` // patterns of faults; of what matches, something is required
	Forbid  List[string] `json:"forbid"`  // patterns of faults; everything that matches is forbidden
}

// WhatIf is the answer to the question which faults make a fact appear, or vanish.
type WhatIf struct {
	Wanted
	Holds  bool        `json:"holds"` // the fact holds without faults
	Answer Possibility `json:"answer"`

	// Sets are the smallest fault sets that make the fact appear, or vanish; one empty
	// set if no fault is needed. The Violations of a set are the facts that it makes
	// appear or vanish.
	Sets     List[Counterexample] `json:"sets"`
	Complete bool                 `json:"complete"` // there is no further minimal fault set

	AtLeast  int                 `json:"at_least,omitempty"` // if a limit ended the search: no set with fewer faults does it
	Limit    *Limit              `json:"limit,omitempty"`    // what ended the search before its end
	Conflict *Conflict           `json:"conflict,omitempty"` // why no fault set meets all assumptions, if none does
	Vacuity  string              `json:"vacuity,omitempty"`  // a sentence, if no schedule meets the assumptions, or no rule can give a constant of the fact
	Warnings List[specs.Warning] `json:"warnings"`           // what looks wrong in the program
	Scope    Scope               `json:"scope"`
	Search   *Search             `json:"search,omitempty"` // for a system: how its fault sets were found
	Stats    Stats               `json:"stats,omitzero"`
}
