package ldfitest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
)

// watched executes and searches a property in a goroutine of its own, and watches
// the calls of the processes. One that does not come back is tried again with more
// patience; if it hangs again that is the error, and the goroutines stay.
func (c *check) watched(ctx context.Context, p property.Property, dir, command string) (*outcome, error) {
	type end struct {
		outcome *outcome
		err     error
	}
	watch, done, ends := &execution.CallWatch{}, make(chan struct{}), make(chan end, 1)
	s := *c.system
	s.Calls = watch
	search := *c
	search.system = &s
	go func() {
		defer close(done)
		o, err := search.property(ctx, p, dir, command)
		ends <- end{o, err}
	}()
	for patience := c.patience; ; patience = engine.SecondPatience * c.patience {
		place := watch.Wait(done, patience)
		if place == nil {
			break
		}
		if err := c.hangs(ctx, p, place, command); err != nil {
			return nil, err
		}
	}
	if left := watch.Left(); left != nil {
		return nil, fmt.Errorf("process %s ends its goroutine (runtime.Goexit, as t.FailNow does) in %s in round %d, under the schedule %q: it may only return or panic", left.Process, left.Call, left.Round, left.Schedule)
	}
	select {
	case e := <-ends:
		return e.outcome, e.err
	default:
		return nil, errors.New("the search has ended its goroutine (runtime.Goexit, as t.FailNow does)")
	}
}

// hangs executes a schedule again in which a call did not come back, and returns
// an error if it hangs again.
func (c *check) hangs(ctx context.Context, p property.Property, place *execution.CallPlace, command string) error {
	t, err := engine.NewTarget(c.system, []property.Property{p})
	if err != nil {
		return err
	}
	limit := engine.SecondPatience * c.patience
	again, err := t.Hangs(ctx, place, c.options.Bounds.EOT, limit)
	if again == nil || err != nil {
		return err
	}
	return &hangError{engine.HangViolation(again, limit).String(), again, c.options.Bounds, c.patience, limit, command, c.overlay}
}

// hangError is a call that did not come back twice.
type hangError struct {
	text          string
	place         *execution.CallPlace
	bounds        rounds.Bounds
	first, second time.Duration
	command       string
	overlay       string
}

func (e *hangError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "violated  %s\n", e.text)
	for _, function := range e.place.Stack {
		fmt.Fprintf(&text, "            %s\n", function)
	}
	b := broken{schedule: e.place.Schedule}
	fmt.Fprintf(&text, "  faults  %s\n", b.faults())
	fmt.Fprintf(&text, "  found   twice, after %v and %v; not made smaller, and not kept\n", e.first, e.second)
	fmt.Fprintf(&text, "  again   %s\n", e.command)
	if e.overlay != "" {
		fmt.Fprintf(&text, "  overlay %s\n", e.overlay)
	}
	return text.String()
}
