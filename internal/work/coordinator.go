package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Options say where the workers are, and who asks them.
type Options struct {
	Server  string // the URL of the server through which they get units
	Program string // ldfi-cluster; "": it is looked for, see [Find]
	Build   string // names the ldfi that asks
	Version string // which people read

	Rate  float64 // the part of the answers that is rechecked in this process, from 0 to 1
	Judge Judge   // who rechecks them; nil: nobody does

	Warn   func(string) // told what the user should know, in one line or several; nil: nobody is
	Status func(Status) // told each second what the workers do; calls never overlap; nil: nobody is
}

// Coordinator hands out units. It is a [Hands].
type Coordinator struct {
	options  Options
	child    *child
	files    files
	tally    *tally
	rechecks *rechecks
	started  time.Time

	mutex    sync.Mutex
	last     int64 // the number of the unit that was handed out last
	waiting  map[int64]*asked
	workers  Workers
	watch    watch
	doubtful map[string]bool // workers that are not believed
	trials   map[string]int  // how many answers of workers that others have accused are rechecked yet

	began chan struct{} // closed by the first report
	down  chan struct{} // closed when nothing can be handed out any more
	err   error         // why; to be read when down is closed
	over  chan struct{} // closed when the child has ended
	once  sync.Once     // of down
	close func() error  // [Coordinator.end], once
}

// asked is a unit that somebody waits for.
type asked struct {
	unit *Unit
	back chan Report // has room for one
}

var _ Hands = (*Coordinator)(nil)

// Start starts ldfi-cluster, and comes back when that has reached the server. The caller
// has to close what is started.
func Start(ctx context.Context, o Options) (*Coordinator, error) {
	started, err := start(o)
	if err != nil {
		return nil, err
	}
	c := &Coordinator{
		options: o, child: started, files: files{sent: map[string]*sending{}}, tally: newTally(), rechecks: newRechecks(o.Rate, o.Judge), started: time.Now(),
		waiting: map[int64]*asked{}, watch: watch{build: o.Build, version: o.Version, server: shown(o.Server), said: map[string]bool{}}, doubtful: map[string]bool{}, trials: map[string]int{},
		began: make(chan struct{}), down: make(chan struct{}), over: make(chan struct{}),
	}
	c.close = sync.OnceValue(c.end)
	c.child.outbox.put(Order{Build: o.Build})
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
func (c *Coordinator) take(r Report) error {
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
	a := c.waiting[r.Number] // nil: nobody waits for it any more
	delete(c.waiting, r.Number)
	c.mutex.Unlock()
	if a != nil {
		a.back <- r
	}
	return nil
}

// meet takes note of who is there.
func (c *Coordinator) meet(workers Workers) {
	c.mutex.Lock()
	c.workers = workers
	platforms := map[string]int{}
	for _, a := range c.waiting {
		if a.unit.Platform != "" {
			platforms[a.unit.Platform]++
		}
	}
	lines, err := c.watch.look(time.Since(c.started), workers, platforms)
	c.mutex.Unlock()
	for _, line := range lines {
		c.warn(line)
	}
	if err != nil {
		c.fail(err)
	}
	if c.options.Status != nil {
		c.options.Status(c.status())
	}
	select {
	case <-c.began:
	default:
		close(c.began)
	}
}

func (c *Coordinator) warn(line string) {
	if c.options.Warn != nil {
		c.options.Warn(line)
	}
}

// fail ends everything that waits for a report.
func (c *Coordinator) fail(err error) {
	c.once.Do(func() { c.err = err; close(c.down) })
}

// Do hands out a unit, see [Hands].
func (c *Coordinator) Do(ctx context.Context, u *Unit, limit time.Duration, file func(digest string) ([]byte, error)) (*Result, error) {
	if err := u.Check(); err != nil {
		return nil, fmt.Errorf("handing out a unit: %w", err)
	}
	if err := c.files.send(ctx, u, file, c.child.outbox); err != nil {
		return nil, err
	}
	c.tally.order()
	r, err := c.report(ctx, u, limit)
	if err != nil {
		return nil, err
	}
	if why := c.unusable(u, r); why != "" {
		c.tally.kept(why)
		return nil, &RefusedError{Reason: why}
	}
	c.tally.did(u, r.Result, r.Before)
	if c.options.Judge != nil && answers(r.Result) {
		c.recheck(u, r.Result, file, r.Accused)
	}
	return r.Result, nil
}

// report orders a unit, and waits until it is known what became of it.
func (c *Coordinator) report(ctx context.Context, u *Unit, limit time.Duration) (r Report, err error) {
	number, back := c.ask(u, limit)
	select {
	case r = <-back:
		return r, nil
	case <-ctx.Done():
		c.cancel(number)
		return r, ctx.Err()
	case <-c.down:
	}
	select {
	case r = <-back: // it came just before the end
		return r, nil
	default:
		return r, cmp.Or(ctx.Err(), c.err)
	}
}

// ask orders a unit. What becomes of it comes back once.
func (c *Coordinator) ask(u *Unit, limit time.Duration) (number int64, _ <-chan Report) {
	a := &asked{u, make(chan Report, 1)}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.last++
	c.waiting[c.last] = a
	c.child.outbox.put(Order{Unit: u, Number: c.last, Limit: limit})
	return c.last, a.back
}

// cancel takes a unit back.
func (c *Coordinator) cancel(number int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.waiting[number] != nil {
		delete(c.waiting, number)
		c.child.outbox.put(Order{Cancel: number})
	}
}

// unusable says why what became of a unit is no result of it; "" if it is one.
func (c *Coordinator) unusable(u *Unit, r Report) string {
	switch {
	case r.Refused != "":
		return r.Refused
	case r.Result.Address != u.Address():
		return fmt.Sprintf("what %s made of it is the result of another unit", r.Result.Worker)
	case r.Result.Build != u.Build:
		return fmt.Sprintf("what %s made of it was made by another ldfi", r.Result.Worker)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.doubtful[r.Result.Worker] {
		return fmt.Sprintf("%s, which did it, has given wrong results", r.Result.Worker)
	}
	return ""
}

// Doubt takes note of a result that does not look true to who asked, and who does the unit
// itself. The worker is not believed here any more; if it was before, the answers that came
// of that are not to be had any more. It is accused only if the unit, done again, says the
// same: else it is believed again.
func (c *Coordinator) Doubt(u *Unit, r *Result, file func(digest string) ([]byte, error), why error) {
	c.disbelieve(r.Worker, true)
	if c.options.Judge == nil || !answers(r) {
		c.unbelieved(u, r, why)
		return
	}
	c.rechecks.begin(func(ctx context.Context) {
		difference, err := c.rechecks.judge.Again(ctx, u, file, r.Answer)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			c.unbelieved(u, r, why)
		case difference != "":
			c.accuse(r.Worker)
			c.unbelieved(u, r, why)
		default:
			c.disbelieve(r.Worker, false)
			c.warn(undecided(u, r.Worker, why.Error()))
		}
	})
}

// unbelieved says that a worker is not believed any more, or that it is too late for that.
func (c *Coordinator) unbelieved(u *Unit, r *Result, why error) {
	if c.tally.believed(r) > 0 {
		c.fail(&LieError{Worker: r.Worker, Unit: unitName(u), Difference: why.Error()})
		return
	}
	c.warn(fmt.Sprintf("the worker %s gave a wrong result, and its results are not used any more: %v", r.Worker, why))
}

// disbelieve lets this process believe a worker no more, or again.
func (c *Coordinator) disbelieve(worker string, doubtful bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.doubtful[worker] = doubtful
}

// accuse says to others of a worker that it has said what is not true.
func (c *Coordinator) accuse(worker string) {
	c.disbelieve(worker, true)
	c.child.outbox.put(Order{Distrust: worker})
}

// Here takes note of what is not handed out, but done by who asks.
func (c *Coordinator) Here(why string) { c.tally.kept(why) }

// Computed says who has done how many units.
func (c *Coordinator) Computed() string { return c.tally.String() }

// Failed returns the units that nobody could do.
func (c *Coordinator) Failed() []Failed {
	c.tally.mutex.Lock()
	defer c.tally.mutex.Unlock()
	return slices.Clone(c.tally.failed)
}

// Slots is how many units the workers with the same ldfi can do at a time, at least 1.
func (c *Coordinator) Slots() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	slots := 0
	for _, w := range c.workers.Workers {
		if w.Build == c.options.Build {
			slots += w.Slots
		}
	}
	return max(slots, 1)
}

// Build names the ldfi that asks.
func (c *Coordinator) Build() string { return c.options.Build }

var errClosed = errors.New("handing out a unit: the workers are not asked any more")

// Close takes back what nobody has finished, and ends ldfi-cluster. It does not wait for
// long: an error says that it had to be killed, or what it complained about. Whoever calls
// it again, or meanwhile, gets the same.
func (c *Coordinator) Close() error { return c.close() }

func (c *Coordinator) end() error {
	c.fail(errClosed)
	c.rechecks.end()
	return c.child.close(c.over)
}
