package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Waypoints are facts that every execution with a target fact has before it: what to reach on the way.
type Waypoints struct {
	Fact     string          `json:"fact"`              // the target
	Answer   Possibility     `json:"answer"`            // whether a schedule within the bounds reaches it
	Schedule rounds.Schedule `json:"schedule,omitzero"` // a smallest one, executed and confirmed
	Round    int             `json:"round,omitempty"`   // in which it reaches the target

	Waypoints List[Waypoint] `json:"waypoints"` // in the order in which they are reached
	Others    int            `json:"others"`    // further facts that hold before the target whenever it is reached, and are not proposed
	Alone     *Gain          `json:"alone,omitempty"`
	All       *Gain          `json:"all,omitempty"` // with all waypoints one after the other
	Better    string         `json:"better"`        // a sentence: what gains most, and whether more are better

	Limit    *Limit              `json:"limit,omitempty"` // what ended the search before its end
	Warnings List[specs.Warning] `json:"warnings"`        // what looks wrong in the program
	Scope    Scope               `json:"scope"`
}

// Waypoint is a fact to reach on the way to another.
type Waypoint struct {
	Fact  string `json:"fact"`  // with _ where columns differ
	Rule  string `json:"rule"`  // as a guide has it
	First int    `json:"first"` // no schedule reaches it before this round
	Drawn int    `json:"drawn"` // how many of the drawn schedules reach it
	Of    int    `json:"of"`    // the number of drawn schedules
	Gain  *Gain  `json:"gain,omitempty"`
}

// Gain is how many drawn executions it takes to reach a target, over some seeds.
type Gain struct {
	Mean      float64 `json:"mean"`      // of the numbers of executions; where a seed did not reach the target, all that it made count
	Deviation float64 `json:"deviation"` // the standard deviation of these numbers
	Reached   int     `json:"reached"`   // how many seeds reached the target
	Seeds     int     `json:"seeds"`     // how many there are
	Most      int     `json:"most"`      // executions that each may make
}
