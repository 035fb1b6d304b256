// Package cases is how a question about a protocol is taken apart: into cases of who
// crashes when and so on, each of which can be decided by itself, anywhere.
package cases

import (
	"context"
	"errors"
)

// Case is a part of the schedules within the bounds: those in which some units happen, and
// others do not. Units are what can happen at all, faults and choices, by their numbers.
type Case struct {
	On   []int `json:"on,omitempty"`   // in ascending order
	Off  []int `json:"off,omitempty"`  // in ascending order
	Max  int   `json:"max"`            // how many fault sets are looked for
	Most int   `json:"most,omitempty"` // sets with more faults do not matter; 0: all do
}

// Outcome is what is known of a case.
type Outcome struct {
	Sets     [][]int `json:"sets,omitempty"`     // that break the promise, the smallest first: the units of each in ascending order
	Complete bool    `json:"complete,omitempty"` // there are no others
	TooMuch  bool    `json:"too_much,omitempty"` // nothing is known, which takes too much work: the case is to be taken apart

	Limit error `json:"-"` // by which it is too much; nil: that is not known
}

// Decider decides cases of a question. Several goroutines ask at a time.
type Decider interface {
	// Decide decides a case. What is said elsewhere of fault sets goes through check before
	// it is believed: its error says what is wrong with it. The error [ErrHere] says that the
	// case is to be decided in this process, any other one that nobody can.
	Decide(ctx context.Context, c Case, check func(Outcome) error) (Outcome, error)

	// Slots is how many cases can be decided at a time by now.
	Slots() int
}

// Work is prepared for the cases of a question. Several goroutines can ask at once.
type Work interface {
	// Decide decides a case. Whoever decides it comes to the same, unless it is too much.
	Decide(context.Context, Case) (Outcome, error)

	// Again is Decide for whoever wants to know whether its outcome is true: no search is
	// too much work.
	Again(context.Context, Case) (Outcome, error)
}

// ErrHere says that a case is to be decided in this process.
var ErrHere = errors.New("to be decided in this process")

// UndecidedError says that a case was decided nowhere, so that the question has to be
// decided in another way.
type UndecidedError struct{ Err error }

func (e *UndecidedError) Error() string {
	return "a part of the question was decided nowhere: " + e.Err.Error()
}

// Unwrap returns why.
func (e *UndecidedError) Unwrap() error { return e.Err }
