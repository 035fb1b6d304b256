package coordinator

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"

	"github.com/lineage-driven/ldfi/internal/unit"
)

// Judge can do units in this process.
type Judge interface {
	// Again does a unit, and says by what an answer differs from the true one; "" if by
	// nothing.
	Again(ctx context.Context, u *unit.Unit, file func(digest string) ([]byte, error), answer json.RawMessage) (difference string, err error)
}

// LieError says that a worker has said what is not true.
type LieError struct {
	Worker, Unit string // the unit by its kind and the beginning of its address
	Difference   string
}

func (e *LieError) Error() string {
	return fmt.Sprintf("the worker %s says what is not true: its result of the unit %s differs from what this machine comes to: %s\nnothing is believed any more that it has said: run ldfi again", e.Worker, e.Unit, e.Difference)
}

// unitName is what a unit is called.
func unitName(u *unit.Unit) string { return fmt.Sprintf("%s %.12s", u.Kind, u.Address()) }

// rechecks are answers that are asked again in this process, beside everything else.
type rechecks struct {
	rate  float64
	judge Judge // nil: nothing is rechecked
	room  chan struct{}
	all   sync.WaitGroup
	life  context.Context
	end   context.CancelFunc
}

func newRechecks(rate float64, judge Judge) *rechecks {
	r := &rechecks{rate: rate, judge: judge, room: make(chan struct{}, runtime.GOMAXPROCS(0))}
	r.life, r.end = context.WithCancel(context.Background())
	return r
}

// drawn tells whether an answer is to be rechecked. No worker can foresee it.
func (r *rechecks) drawn() bool {
	var bytes [8]byte
	_, _ = rand.Read(bytes[:]) // which never fails
	return float64(binary.BigEndian.Uint64(bytes[:])>>11)/(1<<53) < r.rate
}

// recheck asks for an answer again, if it is drawn. That a schedule breaks something is seen
// by executing it, but not that no smaller one does: so it is drawn of all answers.
func (c *Coordinator) recheck(u *unit.Unit, r *unit.Result, file func(digest string) ([]byte, error)) {
	if !c.rechecks.drawn() {
		return
	}
	c.rechecks.all.Go(func() {
		select {
		case c.rechecks.room <- struct{}{}:
			defer func() { <-c.rechecks.room }()
		case <-c.rechecks.life.Done():
			return
		}
		difference, err := c.rechecks.judge.Again(c.rechecks.life, u, file, r.Answer)
		switch {
		case c.rechecks.life.Err() != nil:
		case err != nil:
			c.warn(fmt.Sprintf("the answer to the unit %s, by %s, could not be rechecked: %v", unitName(u), r.Worker, err))
		case difference != "":
			c.distrust(r.Worker)
			c.fail(&LieError{Worker: r.Worker, Unit: unitName(u), Difference: difference})
		default:
			c.tally.again()
		}
	})
}

// Settle waits until everything is rechecked that was to be. Its error is a [LieError], or
// says why units could not be handed out any more: then nothing is to be said of the
// answers that came.
func (c *Coordinator) Settle(ctx context.Context) error {
	done := make(chan struct{})
	go func() { c.rechecks.all.Wait(); close(done) }()
	select {
	case <-done:
	case <-c.down:
	case <-ctx.Done():
	}
	return c.Lost()
}

// Lost is why nothing can be handed out any more, unless that is because of [Coordinator.Close];
// nil if it can.
func (c *Coordinator) Lost() error {
	select {
	case <-c.down:
		if c.err == errClosed {
			return nil
		}
		return c.err
	default:
		return nil
	}
}

// Down is closed when nothing can be handed out any more.
func (c *Coordinator) Down() <-chan struct{} { return c.down }
