package execution

import (
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
)

// CallWatch watches executions. A nil Watch watches nothing.
type CallWatch struct {
	// Exact makes executions tell each call, which costs some nanoseconds: then it
	// is known of which process.
	Exact bool

	mutex   sync.Mutex
	running map[*CallCourse]bool
	route   func() (rounds.Schedule, bool)
	left    *CallPlace
}

// CallPlace is where an execution is.
type CallPlace struct {
	Schedule rounds.Schedule
	Round    int    // 0: before the first round
	Process  string // "" if that is not known
	Call     string // the method that was called, "" if that is not known
	Stack    []string
}

// CallCourse is one execution after the other, of one goroutine.
type CallCourse struct {
	Single bool // single calls, which lead on from a global state: [Watch.Follow] knows how it is reached

	mutex     sync.Mutex
	beat      uint64
	aside     bool
	place     CallPlace
	goroutine string // "" if that is not known
}

// Start says under which schedule the next execution is.
func (c *CallCourse) Start(s rounds.Schedule) { c.goOn(func() { c.place = CallPlace{Schedule: s} }) }

// Round says that the execution has come to a round.
func (c *CallCourse) Round(round int) { c.goOn(func() { c.place.Round = round }) }

// Call says that a process is called.
func (c *CallCourse) Call(process, method string) {
	c.goOn(func() { c.place.Process, c.place.Call = process, method })
}

// Aside says whether what is called from now on watches itself: then the watch does not
// wait for it.
func (c *CallCourse) Aside(aside bool) { c.goOn(func() { c.aside = aside }) }

// waitsAside tells whether what is called watches itself.
func (c *CallCourse) waitsAside() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.aside
}

// goOn says that the execution goes on.
func (c *CallCourse) goOn(note func()) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	note()
	c.beat++
}

// Place returns where the course is, and a number that is another one when it has
// gone on.
func (c *CallCourse) Place() (CallPlace, uint64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.place, c.beat
}

// Begin says that something is executed.
func (w *CallWatch) Begin(c *CallCourse) {
	if w.Exact {
		c.goroutine = goroutine()
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.running == nil {
		w.running = map[*CallCourse]bool{}
	}
	w.running[c] = true
}

// End says that it has ended; with its goroutine, if it has left that somewhere.
func (w *CallWatch) End(c *CallCourse, left *CallPlace) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	delete(w.running, c)
	if left != nil && c.Single && w.route != nil {
		left.Schedule, _ = w.route()
	}
	if w.left == nil {
		w.left = left
	}
}

// Left returns where a process has ended the goroutine that calls it
// (runtime.Goexit), nil if none has.
func (w *CallWatch) Left() *CallPlace {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.left
}

// Follow says how the global state is reached that is being looked at, for single
// calls; false if it is just changing.
func (w *CallWatch) Follow(route func() (rounds.Schedule, bool)) {
	if w != nil {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.route = route
	}
}

// Wait waits until something is done, and returns nil; or until something stands
// still for so long, and returns where.
func (w *CallWatch) Wait(done <-chan struct{}, limit time.Duration) *CallPlace {
	ticker := time.NewTicker(min(max(limit/20, time.Millisecond), time.Second/4))
	defer ticker.Stop()
	last := map[*CallCourse]sight{}
	for {
		select {
		case <-done:
			return nil
		case <-ticker.C:
			if place := w.look(last, limit); place != nil {
				return place
			}
		}
	}
}

// sight is when a course was seen first where it is.
type sight struct {
	beat  uint64
	since time.Time
}

// look looks at everything that runs.
func (w *CallWatch) look(last map[*CallCourse]sight, limit time.Duration) *CallPlace {
	now := time.Now()
	all, route := w.all(last)
	for _, c := range all {
		place, beat := c.Place()
		if seen, ok := last[c]; !ok || seen.beat != beat || c.waitsAside() {
			last[c] = sight{beat, now}
			continue
		}
		if now.Sub(last[c].since) < limit {
			continue
		}
		if c.Single && route != nil {
			var standing bool
			if place.Schedule, standing = route(); !standing {
				continue
			}
		}
		if c.goroutine != "" {
			place.Stack = stackOf(c.goroutine)
		}
		if _, again := c.Place(); again == beat {
			return &place
		}
	}
	return nil
}

// all returns what runs, and forgets what does not any more.
func (w *CallWatch) all(last map[*CallCourse]sight) (all []*CallCourse, route func() (rounds.Schedule, bool)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for c := range last {
		if !w.running[c] {
			delete(last, c)
		}
	}
	for c := range w.running {
		all = append(all, c)
	}
	return all, w.route
}
