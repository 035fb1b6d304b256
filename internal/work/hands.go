package work

import (
	"context"
	"time"
)

// Hands are those who do units: this process, or workers on other machines. Several
// goroutines may ask at a time.
type Hands interface {
	// Do returns what became of a unit. A limit bounds how long the unit itself may take,
	// 0 does not: how long it waits does not count. File returns what is in a file of the
	// unit, by its digest; it is asked only for what the workers do not have. When the
	// context ends the unit is taken back. A [RefusedError] says that nobody can do the
	// unit but the caller; any other error that nobody can do any.
	Do(ctx context.Context, u *Unit, limit time.Duration, file func(digest string) ([]byte, error)) (*Result, error)

	// Doubt is told of a result of a unit that does not look true, and why not. The caller
	// does the unit by itself then. Nothing is done twice for that before it comes back.
	Doubt(u *Unit, r *Result, file func(digest string) ([]byte, error), why error)

	// Here is told of what the caller does by itself, and why; often the same.
	Here(why string)

	// Slots is how many units can be done at a time by now, at least 1.
	Slots() int

	// Build names the ldfi that asks, for [Unit.Build].
	Build() string
}

// RefusedError says that a unit could not be handed out, or its result not be kept.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "a unit cannot be handed out: " + e.Reason }
