package bisect

import "github.com/lineage-driven/ldfi/rounds"

// Report is what was found out about all versions.
type Report struct {
	FirstBad    bool // it was a binary search
	Interrupted bool
	Matrices    []*Matrix // one for each system, or one for a protocol
}

// Matrix is what was found out about one system, or protocol, in all versions.
type Matrix struct {
	System     string // its name; "" for a protocol, or where the host has one
	Findings   []Finding
	Schedules  []Found // the different schedules, in the order of the versions that they were found in
	Changes    []Change
	Conclusion Conclusion
}

// Found is a schedule that breaks some versions, with its effect on all.
type Found struct {
	Schedule rounds.Schedule
	In       []int    // the findings whose own search found it
	Effects  []Effect // by finding
}

// Effect is what replaying a schedule does to a version.
type Effect struct {
	Outcome Outcome
	Reason  string // of Misfit and of "", if there is something to say; of Breaks outside the bounds of the version
}

// Outcome is the outcome of a replay. It is empty if there was none.
type Outcome string

// The outcomes.
const (
	Breaks Outcome = "breaks"       // the schedule breaks the promise
	Keeps  Outcome = "keeps"        // it does not
	Misfit Outcome = "does not fit" // a process, a round or a kind of fault is not there
)
