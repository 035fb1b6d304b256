package process

import (
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/system"
)

// calls are what a node has done to its disk since it sent last: the operations of a round,
// before each of which it can crash.
type calls struct {
	done   int  // how many there were
	last   int  // after which it crashes; -1: none
	cut    bool // it has come to where it crashes
	before int  // how many events of the answer the log says that there were by then
}

// ofCall is what the name of a point begins with.
const ofCall = "call"

// CrashPoints returns the operations of a round before which the node can crash.
func (p *process) CrashPoints() (points []string) {
	for i := range p.cluster.Calls {
		if !p.client {
			points = append(points, ofCall+strconv.Itoa(i+1))
		}
	}
	return points
}

// stop sets where the node crashes in a step.
func (c *calls) stop(point string) {
	c.last, c.before = -1, 0
	if n, err := strconv.Atoi(strings.TrimPrefix(point, ofCall)); err == nil {
		c.last = n - 1
	}
}

// pass comes to the points of the round. At that where the node crashes it does not return.
func (p *process) pass(s *system.Step) {
	done, cut := p.calls.done, p.calls.cut
	p.calls = calls{}
	if cut {
		done++
	}
	for i := range min(done, p.cluster.Calls) {
		if !p.client {
			s.At(ofCall + strconv.Itoa(i+1))
		}
	}
}

// replay does to the disk what the node has done to it, up to the operation before which it
// crashes.
func (p *process) replay(log []byte) (err error) {
	if p.client || p.cluster.Calls == 0 {
		_, err = p.disk.Replay(log, nil)
		return err
	}
	if p.cut { // this is what it has done behind it
		return nil
	}
	p.cut, err = p.disk.Replay(log, func(events uint32) bool {
		p.before = max(p.before, int(events)) // a part says 0 until it says more
		if p.calls.done == p.last {
			return true
		}
		p.calls.done++
		return false
	})
	return err
}
