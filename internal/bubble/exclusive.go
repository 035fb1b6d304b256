package bubble

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

// exclusive lets one execution after the other have the program for itself: their
// goroutines run on one core, and no garbage is collected meanwhile, since both would
// show in what they do.
type exclusive struct {
	turn    chan struct{} // has room for who executes
	calling atomic.Bool   // a process is called
	beat    atomic.Uint64 // another number whenever that changes

	mutex    sync.Mutex
	holder   string // the goroutine that executes
	number   uint64 // of the execution
	machines int    // of it
	stuck    int    // executions that never came to rest, whose goroutines run on
	witness  weak.Pointer[witness]
	others   uint64 // interruptions before it

	quiet  bool // the settings below are changed
	before settings
	live   uint64 // bytes that were left by the last collection
	idle   *time.Timer
}

// settings are those of the runtime that executions change.
type settings struct {
	cores, percent int
	limit          int64
}

// witness is gone as soon as garbage is collected.
type witness struct{ _ *witness }

var executions = &exclusive{turn: make(chan struct{}, 1)}

// Enter makes a machine part of the execution that the calling goroutine is in, or
// waits until it can begin one, and returns its number. Above a limit of memory, in
// bytes, garbage is collected nevertheless.
func Enter(limit int64) (execution uint64) { return executions.enter(limit) }

// Leave takes a machine from its execution, which is over with the last one.
func Leave(execution uint64) { executions.leave(execution) }

// Disturbed says what happened in an execution that makes others differ from it; ""
// if nothing did.
func Disturbed(execution uint64) string { return executions.disturbed(execution) }

func (x *exclusive) enter(limit int64) uint64 {
	self := goroutine()
	x.mutex.Lock()
	if x.machines > 0 && x.holder == self {
		defer x.mutex.Unlock()
		x.machines++
		return x.number
	}
	x.mutex.Unlock()
	x.wait()
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.number++
	x.holder, x.machines = self, 1
	x.calls(false)
	x.hush(limit)
	x.witness = weak.Make(&witness{})
	if runtimeDisturbed != nil {
		x.others = runtimeDisturbed()
	}
	return x.number
}

// longestCall is how long a call may take that others wait for, and abandoned how long
// who executes may call nobody.
const (
	longestCall = 5 * time.Second
	abandoned   = 30 * time.Second
)

// wait waits for a turn, or takes it from an execution that never comes to rest.
func (x *exclusive) wait() {
	beat, since := x.beat.Load(), time.Now()
	for {
		select {
		case x.turn <- struct{}{}:
			return
		case <-time.After(longestCall / 10):
		}
		if now := x.beat.Load(); now != beat {
			beat, since = now, time.Now()
		}
		x.mutex.Lock()
		taken := x.take(time.Since(since))
		x.mutex.Unlock()
		if taken {
			return
		}
	}
}

// take takes the turn from an execution that never comes to rest, or that nobody goes
// on with or has ended: one that has stood still for so long.
func (x *exclusive) take(still time.Duration) bool {
	calling := x.calling.Load()
	switch {
	case x.machines == 0 || !calling && still < abandoned || still < longestCall:
		return false
	case calling:
		x.stuck++
		runtime.GOMAXPROCS(1 + x.stuck)
	}
	x.machines = 0
	return true
}

func (x *exclusive) leave(execution uint64) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if execution != x.number || x.machines == 0 {
		return // its turn was taken from it
	}
	x.machines--
	if x.machines > 0 {
		return
	}
	x.holder = ""
	if x.idle == nil {
		x.idle = time.AfterFunc(rest, x.restore)
	}
	x.idle.Reset(rest)
	<-x.turn
}

// calls notes that a call in a bubble begins or ends.
func (x *exclusive) calls(begins bool) {
	x.calling.Store(begins)
	x.beat.Add(1)
}

// rest is how long nothing is executed before the settings are put back: between the
// executions of a search they stay.
const rest = 20 * time.Millisecond

// hush changes the settings for an execution, and collects what others have left.
func (x *exclusive) hush(limit int64) {
	if !x.quiet {
		x.quiet = true
		x.before = settings{runtime.GOMAXPROCS(1 + x.stuck), debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)}
		x.live = 0
	}
	debug.SetMemoryLimit(min(limit, x.before.limit))
	if x.live == 0 || inUse() > x.live+garbage {
		runtime.GC()
		x.live = max(inUse(), 1)
	}
}

// garbage is how many bytes may be left by executions until they are collected.
const garbage = 64 << 20

// inUse returns how many bytes of the heap are in use, garbage included.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// restore puts the settings back, unless something is executed again.
func (x *exclusive) restore() {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.machines > 0 || !x.quiet {
		return
	}
	x.quiet = false
	debug.SetMemoryLimit(x.before.limit)
	debug.SetGCPercent(x.before.percent)
	runtime.GOMAXPROCS(x.before.cores)
}

func (x *exclusive) disturbed(execution uint64) string {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	switch {
	case execution != x.number:
		return "another execution began before it had come to its end"
	case x.stuck > 0:
		return "goroutines of an execution before it never come to rest"
	case x.witness.Value() == nil:
		return "garbage was collected in it, because memory ran short"
	case runtimeDisturbed != nil && runtimeDisturbed() != x.others:
		return "a goroutine was interrupted, because it ran for 10s"
	}
	return ""
}

// goroutine returns the number of the goroutine that calls it.
func goroutine() string {
	var b [64]byte
	words := strings.Fields(string(b[:runtime.Stack(b[:], false)]))
	if len(words) < 2 {
		return ""
	}
	return words[1]
}
