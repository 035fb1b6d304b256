package result

import "github.com/lineage-driven/ldfi/specs"

// Reach tells whether a certificate holds for asynchronous executions too.
type Reach struct {
	Shown     bool       `json:"shown"`               // the verdict for lock-step rounds is shown to hold for asynchronous executions too
	Text      string     `json:"text"`                // a sentence
	Condition *Condition `json:"condition,omitempty"` // a condition that is not shown to be met
}

// ConditionGroup is the group that a condition belongs to.
type ConditionGroup string

// The groups of conditions, in the order in which they are shown.
const (
	GroupClosure           ConditionGroup = "communication closure"
	GroupLeader            ConditionGroup = "leader-based"
	GroupSequentialization ConditionGroup = "sequentialization"
	GroupPromise           ConditionGroup = "promise"
	GroupBounds            ConditionGroup = "bounds"
)

// Met tells whether a condition is met.
type Met string

// A condition is shown to be met, or shown not to be met, or neither.
const (
	MetYes     Met = "yes"
	MetNo      Met = "no"
	MetUnknown Met = "unknown"
)

// Condition is a condition under which a certificate for lock-step rounds is valid for
// asynchronous executions too.
type Condition struct {
	Group  ConditionGroup `json:"group"`
	Name   string         `json:"name"`   // the condition, a phrase
	Met    Met            `json:"met"`    // whether it is met
	Why    string         `json:"why"`    // the reason why it is met, or not met, or not known
	Needed bool           `json:"needed"` // the result in Reach.Text depends on it

	// The place where the condition is not met: in a program a position; in executions
	// of a system a message, its receiver, and the round.
	Position *specs.Position `json:"position,omitempty"`
	Message  string          `json:"message,omitempty"` // a message that is used in another round than its own
	Process  string          `json:"process,omitempty"` // the process that received the message
	Round    int             `json:"round,omitempty"`   // the round in which the message was received
}

// Where returns the reason why the condition is not met, with the position.
func (c *Condition) Where() string {
	if c.Position == nil {
		return c.Why
	}
	return c.Why + " (" + c.Position.String() + ")"
}
