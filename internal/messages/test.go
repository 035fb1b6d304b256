package messages

import (
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Listener is the environment variable by which a test learns that the command ldfi test
// has started it: the path of the socket where ldfi test listens. A test connects once for
// each property. It writes a Searched, reads a Granted, and writes Told until the last one,
// all as lines of JSON.
const Listener = "LDFI_TEST"

// Searched is the property that a test is about to search.
type Searched struct {
	Version  int    `json:"version"` // of the protocol
	Package  string `json:"package"` // its import path; "" if that is not known
	Folder   string `json:"folder"`  // in which the test runs
	Test     string `json:"test"`    // its whole name, with that of the property
	System   string `json:"system"`
	Property string `json:"property"`
	After    int    `json:"after"` // so many properties of the system are searched after it
	File     string `json:"file"`  // where ldfitest.Run is called
	Line     int    `json:"line"`
}

// Granted is how long the property may be searched.
type Granted struct {
	Limit time.Duration `json:"limit"` // of the search; 0: as long as it takes
}

// Told is what a test says about the property: progress, and at last an answer or an error.
type Told struct {
	Progress *result.Progress `json:"progress,omitempty"`
	Answer   *result.Answer   `json:"answer,omitempty"`
	Again    string           `json:"again,omitempty"`    // the command that executes the schedule of the answer
	NewKept  string           `json:"new_kept,omitempty"` // the file in which it was kept now
	Kept     []Replayed       `json:"kept,omitempty"`
	Error    string           `json:"error,omitempty"`
}

// Replayed is a kept schedule that was executed.
type Replayed struct {
	File     string          `json:"file"`
	Schedule rounds.Schedule `json:"schedule"`
	Broken   bool            `json:"broken"`
	Reason   string          `json:"reason,omitempty"`
}
