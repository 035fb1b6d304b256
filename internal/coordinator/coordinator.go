package coordinator

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/unit"
)

// Options say where the workers are, and who asks them.
type Options struct {
	Server  string // the URL of the server through which they get units
	Program string // ldfi-cluster; "": it is looked for, see [Find]
	Build   string // names the ldfi that asks

	Warn func(error)     // told of results that are not true, and of what nobody but ldfi itself can do, each once; calls never overlap; nil: nobody is
	Crew func(unit.Crew) // told each second who is there; calls never overlap; nil: nobody is
}

// Coordinator hands out units. It is a [unit.Hands].
type Coordinator struct {
	options Options
	child   *child
	files   files

	mutex   sync.Mutex
	last    int64 // the number of the unit that was handed out last
	waiting map[int64]chan<- unit.Report
	warned  map[string]bool // what was said
	crew    unit.Crew

	began chan struct{} // closed by the first report
	down  chan struct{} // closed when nothing can be handed out any more
	err   error         // why; to be read when down is closed
	over  chan struct{} // closed when the child has ended
	once  sync.Once     // of down
}

var _ unit.Hands = (*Coordinator)(nil)

// Start starts ldfi-cluster, and comes back when that has reached the server. The caller
// has to close what is started.
func Start(ctx context.Context, o Options) (*Coordinator, error) {
	started, err := start(o)
	if err != nil {
		return nil, err
	}
	c := &Coordinator{
		options: o, child: started, files: files{sent: map[string]*sending{}}, waiting: map[int64]chan<- unit.Report{}, warned: map[string]bool{},
		began: make(chan struct{}), down: make(chan struct{}), over: make(chan struct{}),
	}
	c.child.outbox.put(unit.Order{Build: o.Build})
	go c.child.write()
	go c.listen()
	select {
	case <-c.began:
		return c, nil
	case <-c.down:
		_ = c.Close()
		return nil, c.err
	case <-ctx.Done():
		_ = c.Close()
		return nil, ctx.Err()
	}
}

// listen takes note of reports until there are no more.
func (c *Coordinator) listen() {
	defer close(c.over)
	err := c.child.read(c.take)
	c.fail(c.child.end(err))
}

// take takes note of a report.
func (c *Coordinator) take(r unit.Report) error {
	if r.Error != "" {
		return errors.New(r.Error)
	}
	if r.Crew != nil {
		c.meet(*r.Crew)
	}
	if r.Result == nil && r.Refused == "" {
		return nil
	}
	c.mutex.Lock()
	back := c.waiting[r.Number] // nil: nobody waits for it any more
	delete(c.waiting, r.Number)
	c.mutex.Unlock()
	if back != nil {
		back <- r // which has room for it
	}
	return nil
}

// meet takes note of who is there.
func (c *Coordinator) meet(crew unit.Crew) {
	c.mutex.Lock()
	c.crew = crew
	c.mutex.Unlock()
	if c.options.Crew != nil {
		c.options.Crew(crew)
	}
	select {
	case <-c.began:
	default:
		close(c.began)
	}
}

// fail ends everything that waits for a report.
func (c *Coordinator) fail(err error) {
	c.once.Do(func() { c.err = err; close(c.down) })
}

// Do hands out a unit, see [unit.Hands].
func (c *Coordinator) Do(ctx context.Context, u *unit.Unit, limit time.Duration, file func(digest string) ([]byte, error)) (*unit.Result, error) {
	if err := u.Check(); err != nil {
		return nil, fmt.Errorf("handing out a unit: %w", err)
	}
	if err := c.files.send(ctx, u, file, c.child.outbox); err != nil {
		return nil, err
	}
	number, back := c.ask(u, limit)
	select {
	case r := <-back:
		return result(u, r)
	case <-ctx.Done():
		c.cancel(number)
		return nil, ctx.Err()
	case <-c.down:
	}
	select {
	case r := <-back: // it came just before the end
		return result(u, r)
	default:
		return nil, c.err
	}
}

// ask orders a unit. What becomes of it comes back once.
func (c *Coordinator) ask(u *unit.Unit, limit time.Duration) (number int64, _ <-chan unit.Report) {
	back := make(chan unit.Report, 1)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.last++
	c.waiting[c.last] = back
	c.child.outbox.put(unit.Order{Unit: u, Number: c.last, Limit: limit})
	return c.last, back
}

// cancel takes a unit back.
func (c *Coordinator) cancel(number int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.waiting[number] != nil {
		delete(c.waiting, number)
		c.child.outbox.put(unit.Order{Cancel: number})
	}
}

// result is what became of a unit. What is no result of it counts as none.
func result(u *unit.Unit, r unit.Report) (*unit.Result, error) {
	switch {
	case r.Refused != "":
		return nil, &unit.RefusedError{Reason: r.Refused}
	case r.Result.Address != u.Address():
		return nil, &unit.RefusedError{Reason: fmt.Sprintf("what %s made of it is the result of another unit", r.Result.Worker)}
	case r.Result.Build != u.Build:
		return nil, &unit.RefusedError{Reason: fmt.Sprintf("what %s made of it was made by another ldfi", r.Result.Worker)}
	}
	return r.Result, nil
}

// Slots is how many units the workers with the same ldfi can do at a time, at least 1.
func (c *Coordinator) Slots() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	slots := 0
	for _, w := range c.crew.Workers {
		if w.Build == c.options.Build {
			slots += w.Slots
		}
	}
	return max(slots, 1)
}

// Doubt warns of who sent a result that is not true.
func (c *Coordinator) Doubt(r *unit.Result, why error) {
	c.warn(fmt.Errorf("what the worker %s made of a unit is not true, and was done again here: %w", r.Worker, why))
}

// Here warns of what ldfi does by itself.
func (c *Coordinator) Here(why string) {
	c.warn(fmt.Errorf("no worker can do what ldfi does by itself now: %s", why))
}

// warn says something once.
func (c *Coordinator) warn(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.options.Warn != nil && !c.warned[err.Error()] {
		c.warned[err.Error()] = true
		c.options.Warn(err)
	}
}

// Build names the ldfi that asks.
func (c *Coordinator) Build() string { return c.options.Build }

var errClosed = errors.New("handing out a unit: the workers are not asked any more")

// Close takes back what nobody has finished, and ends ldfi-cluster. It does not wait for
// long: an error says that it had to be killed, or what it complained about.
func (c *Coordinator) Close() error {
	c.fail(errClosed)
	return c.child.close(c.over)
}
