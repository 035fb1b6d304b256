package result

import "github.com/lineage-driven/ldfi/specs"

// Reach says whether a certificate holds for asynchronous executions too.
type Reach struct {
	Shown     bool       `json:"shown"`               // what holds in lock-step rounds holds in asynchronous executions too
	Text      string     `json:"text"`                // a sentence
	Condition *Condition `json:"condition,omitempty"` // one that is not shown to be met
}

// ConditionGroup is what a condition belongs to.
type ConditionGroup string

// The groups of conditions, in the order in which they are shown.
const (
	GroupClosure           ConditionGroup = "communication closure"
	GroupLeader            ConditionGroup = "leader-based"
	GroupSequentialization ConditionGroup = "sequentialization"
	GroupPromise           ConditionGroup = "promise"
	GroupBounds            ConditionGroup = "bounds"
)

// Met says whether a condition is met.
type Met string

// A condition is shown to be met, or not to be, or neither.
const (
	MetYes     Met = "yes"
	MetNo      Met = "no"
	MetUnknown Met = "unknown"
)

// Condition is a side condition.
type Condition struct {
	Group  ConditionGroup `json:"group"`
	Name   string         `json:"name"`   // what is asked for, a phrase
	Met    Met            `json:"met"`    //
	Why    string         `json:"why"`    // by what it is met, or is not, or what is not known
	Needed bool           `json:"needed"` // the sentence needs it

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
