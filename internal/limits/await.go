package limits

import (
	"context"
	"sync/atomic"
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

// longer is how much longer work may take that knows it only as it goes.
type longer struct{ by atomic.Int64 }

type longerKey struct{}

// WithLonger returns a context in which [Longer] can be called.
func WithLonger(ctx context.Context) context.Context {
	return context.WithValue(ctx, longerKey{}, &longer{})
}

// Longer gives work within the context so much longer to come back once the context has
// ended: where it executes programs, say, beside whatever else the machine does.
func Longer(ctx context.Context, by time.Duration) {
	if l, ok := ctx.Value(longerKey{}).(*longer); ok {
		l.by.Store(int64(by))
	}
}

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
	if l, ok := ctx.Value(longerKey{}).(*longer); ok {
		period += time.Duration(l.by.Load())
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
