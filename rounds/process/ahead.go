package process

import (
	"runtime"
	"sync/atomic"
	"time"
)

// ahead are the processes of a program that were started before an execution needs them.
type ahead struct {
	began   atomic.Bool  // the program was started before
	count   atomic.Int32 // of those that wait, or are about to
	waiting chan *child
}

// mostUnused is how long a process waits that was started ahead.
const mostUnused = 5 * time.Second

// waiting returns a process of the program that waits to be launched. From the second start
// of a program on the next one is started at the same time: its executable is loaded while
// the nodes of this execution run.
func (p *program) waiting() (c *child, err error) {
	select {
	case c = <-p.ahead.waiting:
	default:
		if c, err = p.begin(); err != nil {
			return nil, err
		}
	}
	if p.ahead.began.Swap(true) {
		if int(p.ahead.count.Add(1)) <= runtime.GOMAXPROCS(0) {
			go p.beginAhead()
		} else {
			p.ahead.count.Add(-1)
		}
	}
	return c, nil
}

// beginAhead starts a process, and ends it if nothing needs it.
func (p *program) beginAhead() {
	defer p.ahead.count.Add(-1)
	c, err := p.begin()
	if err != nil {
		return // who needs it is told
	}
	unused := time.NewTimer(mostUnused)
	defer unused.Stop()
	select {
	case p.ahead.waiting <- c:
	case <-unused.C:
		c.end()
	}
}
