package bubble

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// Options say what a bubble is made with.
type Options struct {
	Seed  uint64 // of what is random in it
	Order uint64 // of the order of its goroutines; 0: as the scheduler has it
	Owner any    // whose bubble it is
}

// Bubble is a set of goroutines with a clock of its own. It is for one goroutine.
type Bubble struct {
	options  Options
	calls    chan func()
	returned chan struct{}
	ended    chan struct{}
	id       string // as the runtime names it
	left     []Goroutine
	over     atomic.Bool
}

// Start starts a bubble.
func Start(o Options) *Bubble {
	b := &Bubble{options: o, calls: make(chan func()), returned: make(chan struct{}), ended: make(chan struct{})}
	go b.run()
	return b
}

// Owner returns whose bubble it is.
func (b *Bubble) Owner() any { return b.options.Owner }

// Do runs f in the main goroutine of the bubble. It must not block for anything but
// time and synctest.Wait, and must not panic.
func (b *Bubble) Do(f func()) {
	executions.calls(true)
	b.calls <- f
	<-b.returned
	executions.calls(false)
}

// Reseed lets what is random in the bubble follow from other seeds from now on. It is
// called in its main goroutine.
func (b *Bubble) Reseed(seed, order uint64) {
	if Exact() {
		runtimeSeed(seed, order, b.options.Owner)
	}
}

// End ends the bubble, and returns the goroutines that are still in it, or one that
// stands for them where the program has very many. They stay where they are for as long
// as the program runs.
func (b *Bubble) End() []Goroutine {
	if b.over.CompareAndSwap(false, true) {
		close(b.calls)
		<-b.ended
	}
	return b.left
}

// run is the life of the bubble, in the goroutine that moves its clock.
func (b *Bubble) run() {
	defer close(b.ended)
	defer func() {
		if recover() != nil { // goroutines are left, says synctest
			b.left = leftover(b.id)
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) {
		b.id = current()
		b.Reseed(b.options.Seed, b.options.Order)
		for f := range b.calls {
			f()
			b.returned <- struct{}{}
		}
	})
}

// current returns the name of the bubble of the goroutine that calls it, as stacks
// have it: "synctest bubble 7".
func current() string {
	var b [128]byte
	head, _, _ := strings.Cut(string(b[:runtime.Stack(b[:], false)]), "\n")
	return bubbleOf(head)
}

// few is up to how many goroutines of a program all are looked at whenever a bubble
// leaves some.
const few = 500

// looked is how many goroutines there were when they were last looked at.
var looked struct {
	sync.Mutex
	goroutines int
}

// leftover returns the goroutines that a bubble has left when it ended. To tell them
// takes the stacks of all goroutines of the program, also of those that bubbles before
// it have left, so that the time for a thousand bubbles would grow with the square.
// Where they are many they are looked at only when their number has doubled; between,
// one goroutine stands for those that are not.
func leftover(bubble string) []Goroutine {
	looked.Lock()
	defer looked.Unlock()
	all := runtime.NumGoroutine()
	if all > few && all < 2*looked.goroutines {
		return []Goroutine{{State: fmt.Sprintf("one of more than %d that are left by now, of which only some are looked at from here on; each execution costs time and memory for them", few)}}
	}
	looked.goroutines = all
	return goroutines(bubble)
}
