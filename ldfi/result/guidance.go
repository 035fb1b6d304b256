package result

import "github.com/lineage-driven/ldfi/specs"

// Guidance is what guided the executions of a search, and what came of it.
type Guidance struct {
	File       string `json:"file"`
	Rules      int    `json:"rules"`
	Fired      int    `json:"fired"`      // how often rules decided something
	Executions int    `json:"executions"` // that were guided
	Prevented  int    `json:"prevented"`  // of these had a schedule that the guide does not allow

	States    List[Reached] `json:"states,omitempty"`    // of the automaton, in the order of the file
	Waypoints List[Reached] `json:"waypoints,omitempty"` // the last one is the target
	Target    *Reached      `json:"target,omitempty"`    // the good states, or else the last waypoint; nil if the guide has none

	// Nearest says, if the target was never reached, what was reached last, and what the next
	// rule lacked.
	Nearest List[string] `json:"nearest,omitempty"`

	Findings List[specs.Warning] `json:"findings,omitempty"` // about the guide: rules that contradict each other
	Vacuous  List[specs.Warning] `json:"vacuous,omitempty"`  // rules that never fired, and states and waypoints that were never reached
}

// Reached is in how many executions a state or a waypoint was reached.
type Reached struct {
	Name       string `json:"name"`
	Executions int    `json:"executions"`
}
