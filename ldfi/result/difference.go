package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Difference is the difference between two executions, as far as it makes one break the
// promise that the other keeps.
type Difference struct {
	Good Side         `json:"good"`
	Bad  Side         `json:"bad"`
	Text List[string] `json:"text"` // the difference in sentences

	// Outcome is the number of the change that breaks the promise, 0 if no outcome
	// differs. Chain are the numbers of the changes that lead to it, each caused by the
	// one before.
	Outcome int       `json:"outcome"`
	Chain   List[int] `json:"chain"` // the numbers of the changes from the earliest to the outcome

	// Instead are the other messages of the bad execution that would have brought the
	// first fact of the chain, if that fact is missing and comes by a message: all were
	// lost or late. Only is their sender, if one process sent them all.
	Instead List[Cause] `json:"instead"`
	Only    string      `json:"only,omitempty"` // the one process that sends these messages

	// Held are the other processes that had that fact when a crash lost the last of
	// these messages; none if no crash did, or if the crashed process did not have the
	// fact either.
	Held *Held `json:"held,omitempty"`

	Changes List[Change]  `json:"changes"` // all changes that led to the outcome, causes before effects
	Without List[Without] `json:"without"` // for each fault of the bad execution: what happens without it
}

// Held are the processes other than the crashed one that have a fact with the same
// values in the round of the crash.
type Held struct {
	Crash     rounds.Schedule `json:"crash"`
	Processes List[string]    `json:"processes"` // the processes that had the fact; none if no other process did
}

// Side is one of the two executions of a Difference.
type Side struct {
	Version    string          `json:"version,omitempty"` // the name of the program or system, if two are compared
	Schedule   rounds.Schedule `json:"schedule"`
	Verdict    Verdict         `json:"verdict,omitempty"` // of this one execution; "" if nothing is promised
	Violations List[Violation] `json:"violations"`        // what it breaks
}

// Change is a fact that one of two executions has and the other lacks.
type Change struct {
	Number  int            `json:"number"`          // from 1
	Fact    recording.Fact `json:"fact"`            // the fact, in the first round in which the executions differ in it
	Until   int            `json:"until"`           // the last round in which they differ in it, as far as it matters
	Missing bool           `json:"missing"`         // the good execution has the fact and the bad one lacks it; otherwise the other way round
	Alike   bool           `json:"alike,omitempty"` // in Without: in some of the rounds the good execution agrees with the bad one
	Turns   []string       `json:"turns,omitempty"` // relations that have the value of the fact in between, if it persists in turns with these

	// Rule is the rule that gives the fact where it holds, with its position; none if
	// no rule does.
	Rule string `json:"rule,omitempty"`
	specs.Position

	Causes List[Cause]          `json:"causes"` // the causes: what the rule uses there and lacks in the other execution
	Shared List[recording.Fact] `json:"shared"` // the facts that the rule uses and that hold in both executions
}

// Cause is the reason why a fact holds in one execution and not in the other: another
// change, or a fault.
type Cause struct {
	Change int `json:"change,omitempty"` // the number of the change that is the cause, if a change is

	// How the fault is the cause: a message is lost, is late, comes later, or comes
	// once more; a process has crashed and stopped, stands still, or forgot something
	// when it restarted; other processes are told that a process crashed, or is back;
	// the environment chose something else. Between two programs How can be program or
	// settings, without a fault: only one of them has the rule or states the fact, or
	// their settings differ.
	How   string          `json:"how,omitempty"`
	Fault rounds.Schedule `json:"fault,omitzero"`

	From    string `json:"from,omitempty"`    // the sender, if the cause is about a message
	To      string `json:"to,omitempty"`      // the receiver of the message
	Round   int    `json:"round,omitempty"`   // the round in which the message is sent, or the process stands still
	Until   int    `json:"until,omitempty"`   // the last round, if the cause lasts for several rounds
	Arrival int    `json:"arrival,omitempty"` // the round in which the message arrives, if that is another round

	Instead  List[Derivation] `json:"instead,omitempty"`  // between two programs: the rules for the same relation that the other program has in place of the rule that gives the fact
	Settings []string         `json:"settings,omitempty"` // between two programs: the keys of the settings in which they differ
}

// Without is the bad execution with one of its faults left out.
type Without struct {
	Fault rounds.Schedule `json:"fault"` // the fault; a crash comes with the restart after it
	Mends bool            `json:"mends"` // the promise is kept without the fault

	Violations List[Violation] `json:"violations"` // what is broken without the fault

	// Changes are the changes between the execution without this fault and the bad one that
	// mend the promise, or that are in the lineage of the broken outcome; the one nearest to
	// the fault comes first.
	Changes List[Change] `json:"changes"`
}
