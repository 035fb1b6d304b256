package recording

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Execution is a recording of what happened under one schedule.
type Execution struct {
	System   string          `json:"system,omitempty"` // the name of the system written in Go; empty for a Dedalus program
	Bounds   rounds.Bounds   `json:"bounds"`
	Schedule rounds.Schedule `json:"schedule"` // in normal form

	// Unreached are the crashes at a point that the process did not reach: it crashed
	// at the end of the round instead.
	Unreached rounds.Schedule `json:"unreached,omitzero"`

	// Inexact is the reason why another execution of the same schedule may differ; ""
	// if it cannot.
	Inexact string `json:"inexact,omitempty"`

	Warnings []string `json:"warnings,omitempty"` // what is probably not meant about it, each a sentence

	Facts    []Fact    `json:"facts"`    // sorted, each once
	Messages []Message `json:"messages"` // sorted, each once
}

// Validate returns an error that joins everything that does not fit the processes and
// rounds of the execution.
func (e *Execution) Validate() error {
	if err := e.Bounds.Validate(); err != nil {
		return err
	}
	if err := e.Schedule.Check(e.Bounds); err != nil {
		return err
	}
	var wrong []error
	for _, f := range e.Facts {
		if err := e.Bounds.CheckRound(f.Round); err != nil {
			wrong = append(wrong, fmt.Errorf("fact %s: %w", f, err))
		}
	}
	for _, m := range e.Messages {
		if err := e.Bounds.CheckRound(m.Round); err != nil {
			wrong = append(wrong, fmt.Errorf("message %s: %w", m, err))
		}
		if m.Arrival != 0 && (m.Arrival <= m.Round || m.Arrival > e.Bounds.EOT+1) {
			wrong = append(wrong, fmt.Errorf("message %s: it cannot arrive in round %d, the rounds after it was sent are %d to %d", m, m.Arrival, m.Round+1, e.Bounds.EOT))
		}
		if err := e.Bounds.CheckProcess(m.From); m.From != "" && err != nil {
			wrong = append(wrong, fmt.Errorf("message %s: %w", m, err))
		}
		if m.Lost != (m.Cause != rounds.Fault{}) {
			wrong = append(wrong, fmt.Errorf("message %s: a message has a cause if it is lost, and only then", m))
		}
	}
	return errors.Join(append(wrong, e.checkUnreached())...)
}

// checkUnreached reports what is no crash at a point of the schedule.
func (e *Execution) checkUnreached() error {
	if settings := e.Unreached.Settings; settings != (rounds.Settings{}) {
		return fmt.Errorf("unreached: %s is no fault", settings)
	}
	for _, f := range e.Unreached.Faults {
		if f.Point() == "" || !slices.Contains(e.Schedule.Faults, f) {
			return fmt.Errorf("unreached: %s is no crash at a point that the schedule has", f)
		}
	}
	return nil
}
