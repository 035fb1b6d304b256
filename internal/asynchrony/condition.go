package asynchrony

import "github.com/lineage-driven/ldfi/specs"

// Met says whether a condition is met.
type Met string

// A condition is shown to be met, or not to be, or neither.
const (
	Yes     Met = "yes"
	No      Met = "no"
	Unknown Met = "unknown"
)

// Group is what a condition belongs to.
type Group string

// The groups, in the order in which they are shown.
const (
	Closure           Group = "communication closure"
	Leader            Group = "leader-based"
	Sequentialization Group = "sequentialization"
	Promise           Group = "promise"
	Bounds            Group = "bounds"
)

// Groups are all groups, with the place where their conditions are stated.
var Groups = []struct {
	Group  Group
	Source string
}{
	{Closure, "Dragoi et al. 2020, Def. 4.3"},
	{Leader, "Dragoi et al. 2020, Thm 5.3"},
	{Sequentialization, "Dragoi and Inzaghi Pronesti 2022, section 4.2"},
	{Promise, "what indistinguishable executions have in common"},
	{Bounds, "what stands for a late message"},
}

// Condition is a side condition.
type Condition struct {
	Group  Group  `json:"group"`
	Name   string `json:"name"`   // what is asked for, a phrase
	Met    Met    `json:"met"`    //
	Why    string `json:"why"`    // by what it is met, or is not, or what is not known
	Needed bool   `json:"needed"` // the sentence needs it

	// Where it is not met: in a program a position, in executions of a system a message,
	// the process that received it, and the round.
	Position *specs.Position `json:"position,omitempty"`
	Message  string          `json:"message,omitempty"` // that is used in another round
	Process  string          `json:"process,omitempty"` // that received it
	Round    int             `json:"round,omitempty"`   // in which it did
}

// Where returns why a condition is not met, with the position.
func (c *Condition) Where() string {
	if c.Position == nil {
		return c.Why
	}
	return c.Why + " (" + c.Position.String() + ")"
}
