package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Difference is by what two executions differ, as far as it makes one break the promise
// that the other one keeps.
type Difference struct {
	Good Side         `json:"good"`
	Bad  Side         `json:"bad"`
	Text List[string] `json:"text"` // the same in words

	// Outcome is the change that breaks the promise, and Chain leads to it from the
	// earliest one, each from the one before. They are numbers of Changes; 0, and
	// empty, if no outcome of the promise differs.
	Outcome int       `json:"outcome"`
	Chain   List[int] `json:"chain"` // from the earliest change to the outcome

	// Instead is what else was sent in the bad execution that would have brought the fact
	// with which the chain begins, if that is missing and comes by a message: all of it
	// was lost, or late. Only is who alone sends it, if one alone does.
	Instead List[Cause] `json:"instead"`
	Only    string      `json:"only,omitempty"` // the one process that sends it

	// Held is who else had that fact when the one crashed whose crash lost what was sent
	// last; none if no crash did, or if who crashed did not have it either.
	Held *Held `json:"held,omitempty"`

	Changes List[Change]  `json:"changes"` // all that led to it, causes before effects
	Without List[Without] `json:"without"` // what becomes of the bad one if a fault of it is undone, each alone
}

// Held are the processes, beside the one that crashes, that have a fact of their own with
// the same values in the round of the crash.
type Held struct {
	Crash     rounds.Schedule `json:"crash"`
	Processes List[string]    `json:"processes"` // none: nobody else had it
}

// Side is one of the two executions.
type Side struct {
	Version    string          `json:"version,omitempty"` // what the program or system is called, where there are two
	Schedule   rounds.Schedule `json:"schedule"`
	Verdict    Verdict         `json:"verdict,omitempty"` // of this one execution; "" if nothing is promised
	Violations List[Violation] `json:"violations"`        // what it breaks
}

// Change is a fact that one of the two executions has and the other has not.
type Change struct {
	Number  int            `json:"number"`          // from 1
	Fact    recording.Fact `json:"fact"`            // in the first round in which they differ in it
	Until   int            `json:"until"`           // the last round in which they do, as far as it matters
	Missing bool           `json:"missing"`         // the good one has it; else the bad one has
	Alike   bool           `json:"alike,omitempty"` // of Without: in some of the rounds the good execution is as the bad one
	Turns   []string       `json:"turns,omitempty"` // relations that have its value in between, if it persists in turns with these

	// The rule that gives it where it holds, with its place; none if no rule does.
	Rule string `json:"rule,omitempty"`
	specs.Position

	Causes List[Cause]          `json:"causes"` // what the rule has there and lacks in the other execution
	Shared List[recording.Fact] `json:"shared"` // what it uses that holds in both
}

// Cause is why a fact holds in one execution and not in the other: another change, or a
// fault.
type Cause struct {
	Change int `json:"change,omitempty"` // the number of another change

	// How the fault is the cause: a message is lost; it is late, or comes later, or once
	// more; a process that has crashed has stopped or is standing still, one that came
	// back forgot something; others are told that somebody crashed, or is back; the
	// environment chose something else. Of two programs also program and settings, without
	// a fault: only one of them has the rule, or states the fact; or their settings differ.
	How   string          `json:"how,omitempty"`
	Fault rounds.Schedule `json:"fault,omitzero"`

	From    string `json:"from,omitempty"`    // who sends the message, if it is one
	To      string `json:"to,omitempty"`      // and to whom it is sent
	Round   int    `json:"round,omitempty"`   // in which it is sent, or the process stands still
	Until   int    `json:"until,omitempty"`   // the last round, if the same goes for several
	Arrival int    `json:"arrival,omitempty"` // if it is another round

	Instead  List[Derivation] `json:"instead,omitempty"`  // of two programs, the rules for the same relation that the other one has in place of that which gives the fact
	Settings []string         `json:"settings,omitempty"` // of two programs, the keys of the settings in which they differ
}

// Without is what becomes of the bad execution if one fault of it is undone.
type Without struct {
	Fault rounds.Schedule `json:"fault"` // with a crash also the restart after it
	Mends bool            `json:"mends"` // the promise is kept then

	Violations List[Violation] `json:"violations"` // what is broken then

	// Changes are the changes between the execution without this fault and the bad one that
	// mend the promise, or that are in the lineage of the broken outcome; the one nearest to
	// the fault comes first.
	Changes List[Change] `json:"changes"`
}
