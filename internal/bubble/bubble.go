package bubble

import (
	"runtime"
	"strings"
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
