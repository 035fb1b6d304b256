package result

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Guidance is what guided the executions of a search, and what came of it.
type Guidance struct {
	File       string `json:"file"`       // the name of the guide
	Rules      int    `json:"rules"`      // how many rules it has
	Fired      int    `json:"fired"`      // how often rules decided something
	Executions int    `json:"executions"` // that were guided
	Prevented  int    `json:"prevented"`  // of these had a schedule that the guide does not allow

	States    List[Reached] `json:"states,omitempty"`    // of the automaton, in the order of the file
	Waypoints List[Reached] `json:"waypoints,omitempty"` // the last one is the target
	Target    *Reached      `json:"target,omitempty"`    // the good states, or else the last waypoint; nil if the guide has none

	Held *Unharmed `json:"held,omitempty"` // what was left unharmed, if that was asked for

	// Nearest says, if some executions did not reach the target, what was reached last, and what
	// the next rule lacked.
	Nearest List[string] `json:"nearest,omitempty"`

	Findings List[specs.Warning] `json:"findings,omitempty"` // about the guide: rules that contradict each other
	Vacuous  List[specs.Warning] `json:"vacuous,omitempty"`  // rules that never fired, and states and waypoints that were never reached
}

// Unharmed is what a search leaves unharmed: of each waypoint that is reached a support.
type Unharmed struct {
	Waypoints int       `json:"waypoints"`      // so many are reached, from the first
	Ways      List[Way] `json:"ways,omitempty"` // to these, in their order; of a program those of the first counterexample

	// Beside is a schedule that breaks the promise and reaches fewer waypoints, if none that reaches them does.
	Beside *rounds.Schedule `json:"beside,omitempty"`
}

// Way is what led to a waypoint: with all of it the waypoint is reached.
type Way struct {
	Faults    List[string] `json:"faults,omitempty"`    // that happened
	Messages  List[string] `json:"messages,omitempty"`  // that arrived: "vote a>b@2"
	Processes List[string] `json:"processes,omitempty"` // that were up in a round: "a@3"
}

// OfGuide tells whether a counterexample only enters bad states of the guide, which an
// execution without the guide does not show.
func (a *Answer) OfGuide(c *Counterexample) bool {
	return a.Guidance != nil && !slices.ContainsFunc(c.Violations, func(v Violation) bool { return v.Property != a.Guidance.File })
}

// Missed tells whether some execution did not reach the target.
func (g *Guidance) Missed() bool {
	return g.Target != nil && g.Target.Executions < g.Executions-g.Prevented
}

// Of says in how many executions the target was reached: "reached in 41 of 100 executions".
func (g *Guidance) Of() string {
	return fmt.Sprintf("reached in %d of %s", g.Target.Executions, text.Plural(g.Executions-g.Prevented, "execution"))
}

// Reached is in how many executions a state or a waypoint was reached.
type Reached struct {
	Name       string `json:"name"`       // of the state, or the number of the waypoint
	Executions int    `json:"executions"` // in how many executions

	Never    bool             `json:"never,omitempty"`    // no schedule within the bounds of a program reaches it, which is a certificate
	Schedule *rounds.Schedule `json:"schedule,omitempty"` // of a program: that of the first, as it is executed without the guide
}
