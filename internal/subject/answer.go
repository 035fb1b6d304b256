package subject

import (
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Answer is what was found out about a subject.
type Answer struct {
	Verdict    ldfi.Verdict
	Violations []Violation          // what the schedule breaks; none unless violated
	Schedule   rounds.Schedule      // executed and seen fail; nil also if it fails without faults
	Size       int                  // the number of faults of the schedule
	Minimal    bool                 // no schedule within the bounds with fewer faults breaks the promise, or no part of it does
	Because    []string             // why the faults matter, one a line; empty if that is not known
	Execution  *recording.Execution // of the schedule; nil if nothing is violated
	Senders    []Sender             // where the messages of the execution come from, if that is known
	Executions int                  // to the first violation (systems), or altogether (protocols)
	Scope      ldfi.Scope
	Complete   bool          // the verdict Holds has a certificate: all schedules within the bounds are decided
	Reason     string        // of the verdict Inconclusive: what stopped the search
	Warnings   []string      // a vacuous promise among them
	Elapsed    time.Duration // differs from run to run
}

// Violation is one way in which a promise is broken.
type Violation struct {
	Property string `json:"property"` // its name; of a protocol the relation: post, good or violation
	Text     string `json:"text"`     // a sentence without its full stop
	File     string `json:"file"`     // where the promise is stated; "" if that is not known
	Line     int    `json:"line"`     // from 1
	Col      int    `json:"col"`      // from 1, in bytes
}

// Sender is the rule that sends the messages of a relation, the first if there
// are several.
type Sender struct {
	Relation string `json:"relation"`
	File     string `json:"file"`
	Line     int    `json:"line"` // from 1
	Col      int    `json:"col"`  // from 1, in bytes
}

// inconclusive is the answer when the search came to no end.
func inconclusive(b rounds.Bounds, reason string) *Answer {
	return &Answer{Verdict: ldfi.Inconclusive, Scope: scopeOf(b), Reason: reason}
}

func scopeOf(b rounds.Bounds) ldfi.Scope { return ldfi.Scope{Bounds: b, Scenarios: b.Scenarios()} }

// NotAsked is the answer to a question that was not asked, for that reason.
func NotAsked(reason string) *Answer { return inconclusive(rounds.Bounds{}.Normal(), reason) }
