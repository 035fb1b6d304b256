package recording

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Execution is what happened under one schedule.
type Execution struct {
	System   string          `json:"system,omitempty"` // the name of the system written in Go; empty for a Dedalus program
	Bounds   rounds.Bounds   `json:"bounds"`
	Schedule rounds.Schedule `json:"schedule"` // in normal form

	// Unreached are the crashes at a point to which the process did not come: it
	// crashed at the end of the round.
	Unreached rounds.Schedule `json:"unreached,omitzero"`

	Facts    []Fact    `json:"facts"`    // sorted, each once
	Messages []Message `json:"messages"` // sorted, each once
}

// Sort brings facts and messages into their order, each once.
func (e *Execution) Sort() {
	sortRounds(e.Facts, Fact.Compare, func(f *Fact) int { return f.Round })
	e.Facts = slices.CompactFunc(e.Facts, func(f, g Fact) bool { return f.Compare(g) == 0 })
	sortRounds(e.Messages, Message.compare, func(m *Message) int { return m.Round })
	e.Messages = slices.CompactFunc(e.Messages, func(m, o Message) bool { return m.compare(o) == 0 })
}

// sortRounds sorts a list whose order begins with the round. What was recorded
// is mostly in the order of rounds already; then each is sorted on its own, which
// takes a fraction of the time.
func sortRounds[T any](list []T, compare func(T, T) int, round func(*T) int) {
	for i := 1; i < len(list); i++ {
		if round(&list[i-1]) > round(&list[i]) {
			slices.SortFunc(list, compare)
			return
		}
	}
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && round(&list[to]) == round(&list[from]) {
			to++
		}
		slices.SortFunc(list[from:to], compare)
		from = to
	}
}

// Validate reports everything that cannot be part of an execution within its
// processes and rounds.
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
		if f.Kind != rounds.Crash || f.Detail == "" || !slices.Contains(e.Schedule.Faults, f) {
			return fmt.Errorf("unreached: %s is no crash at a point that the schedule has", f)
		}
	}
	return nil
}
