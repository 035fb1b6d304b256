package limits

import (
	"context"
	"time"
)

// What a context ends has this long to come back: a question about a subject, and
// a whole command, which has to write down the answers to its questions. Together
// with what the machine needs both are below two seconds, also where it has to take back
// gigabytes of memory at the end.
const (
	QuestionGrace = 600 * time.Millisecond
	CommandGrace  = time.Second
)

// LeftError says that work did not come back in time after its context had ended,
// and was left alone: it may still go on.
type LeftError struct{ Cause error } // why the context ended

func (e *LeftError) Error() string { return e.Cause.Error() }

// Unwrap returns the error of the context.
func (e *LeftError) Unwrap() error { return e.Cause }

// Await returns what work returns or, when it is not back so long after the context
// ended, a LeftError. Work is to look at the context by itself; what it writes must
// not be read after a LeftError.
func Await[T any](ctx context.Context, period time.Duration, work func() (T, error)) (T, error) {
	if ctx.Done() == nil {
		return work()
	}
	type outcome struct {
		value T
		err   error
	}
	back := make(chan outcome, 1)
	go func() {
		value, err := work()
		back <- outcome{value, err}
	}()
	select {
	case o := <-back:
		return o.value, o.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(period)
	defer timer.Stop()
	select {
	case o := <-back:
		return o.value, o.err
	case <-timer.C:
		var none T
		return none, &LeftError{ctx.Err()}
	}
}
