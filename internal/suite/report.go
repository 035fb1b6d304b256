package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Report is what a run of a suite found out.
type Report struct {
	Version  int                     `json:"version"`  // of this form
	Suite    string                  `json:"suite"`    // the file, as it was named
	Digest   string                  `json:"digest"`   // of the cases and what is expected of them
	Shard    string                  `json:"shard"`    // which part of the suite was run, "1/3"; "": all of it
	Total    int                     `json:"total"`    // the cases of the whole suite
	Cases    result.List[CaseResult] `json:"cases"`    // those that were run, in the order of the suite
	Warnings result.List[string]     `json:"warnings"` // about the suite, a text each
}

// reportVersion is the version of the JSON form of a report.
const reportVersion = 1

// CaseResult is what became of one case.
type CaseResult struct {
	Index          int                     `json:"index"` // in the whole suite, from 0
	Name           string                  `json:"name"`  // what the case is called
	specs.Position                         // of the case in the suite file
	Rounds         string                  `json:"rounds,omitempty"` // any, if the case is about any number of rounds; within 3, of those from the last fault on
	Expect         Expected                `json:"expect"`
	ExpectFaults   *int                    `json:"expect_faults"`  // the smallest number of faults; none: nothing is expected of it
	ExpectVacuous  bool                    `json:"expect_vacuous"` // the promise is expected to ask for nothing
	Answer         *result.Answer          `json:"answer"`         // none if there is an error
	Cached         bool                    `json:"cached"`         // the answer comes from the cache
	Error          string                  `json:"error"`          // why the case could not be asked
	Kept           result.List[KeptResult] `json:"kept"`           // schedules that were kept, executed again
	NewKept        string                  `json:"new_kept"`       // the file in which the schedule of the answer was kept now
	Outcome        Outcome                 `json:"outcome"`
	Differs        string                  `json:"differs"` // in which way it is not as expected, a sentence without its full stop; "" on Pass
	Again          string                  `json:"again"`   // the command that executes the schedule of the answer; "" if nothing is violated
}

// KeptResult is what became of a schedule that was kept.
type KeptResult struct {
	File     string          `json:"file"` // in which it is kept
	Schedule rounds.Schedule `json:"schedule"`
	Outcome  Replayed        `json:"outcome"`
	Reason   string          `json:"reason"`            // of NotRun and Misfit; of Holds, that something was late; of a verdict how often, if executions may differ
	Repeats  *result.Repeats `json:"repeats,omitempty"` // how many of them broke the promise, if executions of one schedule may differ
	Known    bool            `json:"known,omitempty"`   // all that it violates is known, and the search went on past it
	Expected bool            `json:"expected"`          // it is as the suite expects it
	Again    string          `json:"again"`             // the command that executes it; "" if it does not fit
}

// Replayed is the outcome of a replay.
type Replayed string

// The outcomes of a replay: the verdicts of one execution, and those without a verdict.
const (
	Breaks Replayed = "violated"     // the schedule breaks the promise
	Keeps  Replayed = "holds"        // it does not
	NotRun Replayed = "not run"      // it was not executed, or not to its end
	Misfit Replayed = "does not fit" // a process, a round or a kind of fault is not there
)

// text is the outcome with its reason.
func (k *KeptResult) text() string {
	if k.Reason == "" {
		return string(k.Outcome)
	}
	return string(k.Outcome) + ": " + k.Reason
}

// breaks says that the schedule does, and how often if that differs.
func (k *KeptResult) breaks() string {
	if k.Repeats == nil {
		return "breaks the promise"
	}
	return "breaks the promise: it " + k.Repeats.Replayed()
}

// Outcome says whether a case is as expected.
type Outcome string

// The outcomes.
const (
	Pass         Outcome = "pass"
	Fail         Outcome = "fail"         // the answer differs from what was expected
	Inconclusive Outcome = "inconclusive" // there is no answer yet
	Error        Outcome = "error"        // the case could not be asked
)

// Count returns the number of cases with an outcome.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, c := range r.Cases {
		if c.Outcome == o {
			n++
		}
	}
	return n
}

// Worst returns the outcome that decides for the whole suite: Error, else Fail,
// else Inconclusive, else Pass.
func (r *Report) Worst() Outcome {
	for _, o := range []Outcome{Error, Fail, Inconclusive} {
		if r.Count(o) > 0 {
			return o
		}
	}
	return Pass
}

// Below names the files of the report as from a directory above: the working directory of
// the run is folder there. "" changes nothing.
func (r *Report) Below(folder string) {
	move := func(file *string) {
		if folder != "" && *file != "" && !path.IsAbs(*file) && !filepath.IsAbs(*file) {
			*file = path.Join(folder, filepath.ToSlash(*file))
		}
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		move(&c.File)
		if c.Answer == nil {
			continue
		}
		for j := range c.Answer.Counterexamples {
			for k := range c.Answer.Counterexamples[j].Violations {
				move(&c.Answer.Counterexamples[j].Violations[k].File)
			}
		}
	}
}

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error { return text.WriteJSON(w, r) }

// ReadReport reads a report that WriteJSON has written.
func ReadReport(in io.Reader) (*Report, error) {
	r := &Report{}
	d := json.NewDecoder(in)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("reading the report of a suite: %w", err)
	}
	if r.Version != reportVersion {
		return nil, fmt.Errorf("reading the report of a suite: its version is %d, and only version %d can be read", r.Version, reportVersion)
	}
	for _, c := range r.Cases {
		err := c.check()
		if err == nil && (c.Index < 0 || c.Index >= r.Total) {
			err = fmt.Errorf("it has number %d of %s", c.Index+1, text.Plural(r.Total, "case"))
		}
		if err != nil {
			return nil, fmt.Errorf("reading the report of a suite: case %q: %w", c.Name, err)
		}
	}
	return r, nil
}

// check reports contents that no run of a suite writes, such as an answer without parts
// that its verdict needs.
func (c *CaseResult) check() error {
	a := c.Answer
	switch {
	case c.Outcome == Error:
		return nil
	case c.Outcome != Pass && c.Outcome != Fail && c.Outcome != Inconclusive:
		return fmt.Errorf("there is no outcome %q", c.Outcome)
	case a == nil:
		return errors.New("it lacks its answer")
	}
	return subject.Sound(a)
}
