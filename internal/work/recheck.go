package work

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
)

// Judge can do units in this process.
type Judge interface {
	// Again does a unit, and says by what an answer differs from the true one; "" if by
	// nothing.
	Again(ctx context.Context, u *Unit, file func(digest string) ([]byte, error), answer json.RawMessage) (difference string, err error)
}

// LieError says that a worker has said what is not true.
type LieError struct {
	Worker, Unit string // the unit by its kind and the beginning of its address
	Difference   string
}

func (e *LieError) Error() string {
	return fmt.Sprintf("the worker %s gives a wrong result: for the unit %s this machine gets another one: %s\nstop that worker, or run ldfi again: after a second wrong result nobody uses the results of this worker", e.Worker, e.Unit, e.Difference)
}

// unitName is what a unit is called.
func unitName(u *Unit) string { return fmt.Sprintf("%s %.12s", u.Kind, u.Address()) }

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

// trial is how many answers of a worker that somebody else has accused are rechecked, before
// only those that are drawn are: the accusation is the word of one.
const trial = 20

// tried tells whether an answer is to be rechecked because somebody else has accused who gave
// it.
func (c *Coordinator) tried(worker string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.trials[worker]++
	return c.trials[worker] <= trial
}

// begin begins a recheck, when there is room for it.
func (r *rechecks) begin(recheck func(ctx context.Context)) {
	r.all.Go(func() {
		select {
		case r.room <- struct{}{}:
			defer func() { <-r.room }()
			recheck(r.life)
		case <-r.life.Done():
		}
	})
}

// recheck asks for an answer again, if it is drawn, or somebody else has accused who gave it.
// That a schedule breaks something is seen by executing it, but not that no smaller one does:
// so it is drawn of all answers. Who gave one that differs is accused if it differs twice.
func (c *Coordinator) recheck(u *Unit, r *Result, file func(digest string) ([]byte, error), accused bool) {
	if !c.rechecks.drawn() && !(accused && c.tried(r.Worker)) {
		return
	}
	c.rechecks.begin(func(ctx context.Context) {
		again := c.rechecks.judge.Again
		difference, err := again(ctx, u, file, r.Answer)
		first := difference
		if err == nil && difference != "" {
			difference, err = again(ctx, u, file, r.Answer)
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			c.warn(fmt.Sprintf("the answer to the unit %s, by %s, could not be rechecked: %v", unitName(u), r.Worker, err))
		case difference != "":
			c.accuse(r.Worker)
			c.fail(&LieError{Worker: r.Worker, Unit: unitName(u), Difference: difference})
		default:
			c.tally.again()
			if first != "" {
				c.warn(undecided(u, r.Worker, first))
			}
		}
	})
}

// undecided says that an answer has looked wrong once, and right when it was looked at again.
func undecided(u *Unit, worker, why string) string {
	return fmt.Sprintf("the answer to the unit %s, by %s, looked wrong to this machine (%s), and right when it was asked again: look at the memory of this machine", unitName(u), worker, why)
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
