package ldfitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/messages"
	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// listener is the command ldfi test, which has started this test. nil is none, and hears nothing.
type listener struct {
	granted messages.Granted
	stopped chan struct{} // closed when ldfi test wants no more than what is known

	mutex sync.Mutex
	conn  net.Conn
	told  time.Time // when progress was told last
}

// listened tells whether ldfi test started the test.
func listened() bool { return os.Getenv(messages.Listener) != "" }

// betweenTellings keeps searches from waiting for ldfi test.
const betweenTellings = 100 * time.Millisecond

// listening connects to ldfi test; nil if that did not start the test, or is gone.
func listening(t *testing.T, s *system.System, i int, pkg string, call runtime.Frame) *listener {
	t.Helper()
	door := os.Getenv(messages.Listener)
	if door == "" {
		return nil
	}
	conn, err := net.Dial("unix", door)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { _ = conn.Close() })
	l := &listener{conn: conn, stopped: make(chan struct{})}
	folder, _ := os.Getwd()
	l.write(messages.Searched{
		Version: messages.Version, Package: pkg, Folder: folder, Test: t.Name(), System: s.Name, Property: s.Properties[i].Name, After: len(s.Properties) - 1 - i, File: call.File, Line: call.Line,
	})
	in := json.NewDecoder(conn)
	if err := in.Decode(&l.granted); err != nil {
		t.Fatalf("asking ldfi test how long to search: %v", err)
	}
	go func() {
		defer close(l.stopped)
		_ = in.Decode(&struct{}{}) // it says no more before its end
	}()
	return l
}

// write writes a line. Nobody but ldfi test misses it: the test says the same.
func (l *listener) write(line any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_ = json.NewEncoder(l.conn).Encode(line)
}

// progress tells how far a search is, not too often.
func (l *listener) progress(p result.Progress) {
	l.mutex.Lock()
	now := time.Now()
	soon := now.Sub(l.told) < betweenTellings
	if !soon {
		l.told = now
	}
	l.mutex.Unlock()
	if !soon {
		l.write(messages.Told{Progress: &p})
	}
}

// within bounds a search by the share of a budget, and by the end of ldfi test.
func (l *listener) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if l == nil {
		return context.WithCancel(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	limit := (<-chan time.Time)(nil)
	if l.granted.Limit > 0 {
		limit = time.After(l.granted.Limit)
	}
	go func() {
		select {
		case <-limit:
			cancel(fmt.Errorf("its share of the budget, %v, is used up", l.granted.Limit.Round(time.Millisecond)))
		case <-l.stopped:
			cancel(errors.New("interrupted"))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// ended says in an answer why ldfi test ended the search, if it did.
func (l *listener) ended(a *result.Answer, test, search context.Context) {
	if l != nil && test.Err() == nil && search.Err() != nil && a.Limit != nil {
		a.Limit.Reason = fmt.Sprintf("%v, after %s", context.Cause(search), text.Plural(a.Search.Executions, "execution"))
		if a.Search.Strategy == "enumerate" {
			a.Limit.Reason += fmt.Sprintf(" of %d schedules", a.Scope.Scenarios)
		}
	}
}

// outcome tells what became of a property.
func (l *listener) outcome(o *outcome, err error, again string, took time.Duration) {
	if l == nil {
		return
	}
	told := messages.Told{Again: again}
	var hangs *hangError
	switch {
	case errors.As(err, &hangs):
		told.Answer = hangs.answer()
	case err != nil:
		told.Error, told.Again = err.Error(), ""
	default:
		told.Answer = o.answered()
		if o.broken == nil {
			told.Again = ""
		}
	}
	if o != nil {
		told.Kept, told.NewKept = o.kept, strings.Join(o.newKept, ", ")
	}
	if a := told.Answer; a != nil {
		a.Stats.Times.Total = text.Milliseconds(took)
		if a.Limit != nil {
			for i, text := range a.Limit.Advice {
				a.Limit.Advice[i] = advice(text)
			}
		}
	}
	l.write(told)
}

// answered is the answer of a search or, if a kept schedule breaks the property, of that.
func (o *outcome) answered() *result.Answer {
	if o.broken == nil || o.answer != nil && o.answer.Verdict == result.Violated {
		return o.answer
	}
	a := o.broken.answer(o.bounds)
	if o.answer != nil {
		a.Search = o.answer.Search
	}
	return a
}

// answer is what a kept schedule that breaks a property says.
func (b *broken) answer(bounds rounds.Bounds) *result.Answer {
	return &result.Answer{
		Verdict: result.Violated, Scope: result.ScopeOf(bounds), Stats: result.Stats{Executions: 1},
		Counterexamples: []result.Counterexample{{
			Schedule: b.schedule, Size: b.schedule.Size(), Confirmed: b.repeats == nil || b.repeats.All(), Violations: append([]result.Violation{b.violation}, b.others...),
			Because: b.because, Execution: b.execution, Continued: b.continued, Repeats: b.repeats,
		}},
	}
}

// answer is what a call says that did not come back. It has no execution.
func (e *hangError) answer() *result.Answer {
	return &result.Answer{
		Verdict: result.Violated, Scope: result.ScopeOf(e.bounds),
		Counterexamples: []result.Counterexample{{
			Schedule: e.place.Schedule, Size: e.place.Schedule.Size(), Confirmed: true, Violations: []result.Violation{engine.HangViolation(e.place, e.second)},
		}},
	}
}
