package result

import "github.com/lineage-driven/ldfi/specs"

// Possibility is whether some fault set within the bounds does what is asked for.
type Possibility string

// The possibilities.
const (
	Possible   Possibility = "possible"     // a fault set was executed and did it; or it is so without faults
	Impossible Possibility = "impossible"   // no schedule within the bounds does it
	Unknown    Possibility = "inconclusive" // stopped before either was known
)

// Wanted is a fact of which it is asked what it would take.
type Wanted struct {
	Fact   string `json:"fact"`   // such as leader(b, 2)@6, in which a bare word is a string and _ is anything; without a round it is one of any round
	Absent bool   `json:"absent"` // it is to vanish: not to hold in that round, or in no round

	// Assumptions about the schedules that are looked at: of what matches, something is
	// required, or everything is forbidden.
	Require List[string] `json:"require"` // patterns of faults; of what matches, something is required
	Forbid  List[string] `json:"forbid"`  // patterns of faults; everything that matches is forbidden
}

// WhatIf is what is known of the question which faults make a fact appear, or vanish.
type WhatIf struct {
	Wanted
	Holds  bool        `json:"holds"` // it holds without faults
	Answer Possibility `json:"answer"`

	// The smallest fault sets that do it, the first of those with the fewest faults first;
	// one without faults if it is so anyway. What a set brings about stands where one that
	// breaks a promise has its violations.
	Sets     List[Counterexample] `json:"sets"`
	Complete bool                 `json:"complete"` // no further minimal fault set exists

	AtLeast  int                 `json:"at_least,omitempty"` // where a limit ended the search: no set with fewer faults does it
	Limit    *Limit              `json:"limit,omitempty"`    // what ended the search before its end
	Conflict *Conflict           `json:"conflict,omitempty"` // why no fault set meets all assumptions, if none does
	Vacuity  string              `json:"vacuity,omitempty"`  // a sentence, if no schedule meets the assumptions, or no rule can give a constant of the fact
	Warnings List[specs.Warning] `json:"warnings"`           // what looks wrong in the program
	Scope    Scope               `json:"scope"`
	Search   *Search             `json:"search,omitempty"` // of a system: how its fault sets were found
	Stats    Stats               `json:"stats,omitzero"`
}
