package bisect

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Report is what was found out about all versions.
type Report struct {
	Verdict     result.Verdict       `json:"verdict"`     // of all versions together
	FirstBad    bool                 `json:"first_bad"`   // it was a binary search
	Interrupted bool                 `json:"interrupted"` // it was stopped before its end
	Matrices    result.List[*Matrix] `json:"matrices"`    // one for each system, or one for a protocol

	stopped string // why it ended early
}

// stopped says why a context ended.
func stopped(ctx context.Context) string {
	l := result.Ended(ctx)
	if l.Kind == result.LimitTimeout {
		return l.Reason + " (--timeout)"
	}
	return l.Reason
}

// reached says why a search ended, and how far it came.
func (r *Report) reached() string {
	searched, all, executions := 0, 0, 0
	for _, m := range r.Matrices {
		for _, f := range m.Findings {
			all++
			executions += f.Executions
			if f.State.searched() && f.State != Inconclusive {
				searched++
			}
		}
	}
	return fmt.Sprintf("%s: these are the results of %d of %d searches, after %s", r.stopped, searched, all, text.Plural(executions, "execution"))
}

// sentence makes one of a phrase.
func sentence(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] + "." }

// Matrix is what was found out about one system, or protocol, in all versions.
type Matrix struct {
	System     string               `json:"system"`    // its name; "" for a protocol, or where the host has one
	Inputs     result.List[string]  `json:"inputs"`    // with each of which every version was searched
	Findings   result.List[Finding] `json:"versions"`  // one for each version and input, from old to new
	Schedules  result.List[Found]   `json:"schedules"` // the different schedules, in the order of the versions that they were found in
	Changes    result.List[Change]  `json:"changes"`   // one for each two neighbours with different verdicts
	Conclusion Conclusion           `json:"conclusion"`
}

// Found is a schedule that breaks some versions, with its effect on all.
type Found struct {
	Schedule rounds.Schedule     `json:"schedule"`
	In       []int               `json:"-"`        // the findings whose own search found it
	Versions result.List[string] `json:"found_in"` // their versions
	Effects  result.List[Effect] `json:"replays"`  // by finding
}

// Effect is what replaying a schedule does to a version.
type Effect struct {
	Version string  `json:"version"` // on which it is replayed
	Input   string  `json:"input"`   // with which the version is executed; "" where the versions say that themselves
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason"` // of Misfit and of "", if there is something to say; of Breaks outside the bounds of the version; of Keeps, that something was late; of both how often, if executions may differ

	Repeats *result.Repeats `json:"repeats,omitempty"` // how many executions broke the promise, if those of one schedule may differ
}

// cell is the outcome in a table, with how often where executions may differ.
func (e Effect) cell() string {
	if e.Repeats == nil {
		return string(e.Outcome)
	}
	return fmt.Sprintf("%s %d/%d", e.Outcome, e.Repeats.Broken, e.Repeats.Executions)
}

// Outcome is the outcome of a replay.
type Outcome string

// The outcomes.
const (
	Untried Outcome = ""             // there was no replay
	Breaks  Outcome = "breaks"       // the schedule breaks the promise
	Keeps   Outcome = "keeps"        // it does not
	Misfit  Outcome = "does not fit" // a process, a round or a kind of fault is not there
)

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error { return text.WriteJSON(w, r) }
