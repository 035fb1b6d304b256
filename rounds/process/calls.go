package process

import (
	"encoding/binary"
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
func (p *process) replay(log []byte) error {
	if p.client || p.cluster.Calls == 0 {
		return p.disk.Replay(log)
	}
	for at := 0; at < len(log) && !p.cut; {
		size, operation := firstOf(log[at:])
		switch {
		case size > len(log)-at:
			at = len(log) // and Replay says what is wrong
			continue
		case log[at] == 'P':
			p.before = int(binary.LittleEndian.Uint32(log[at+1:]))
		case operation && p.calls.done == p.last:
			p.cut = true
			log = log[:at]
		case operation:
			p.calls.done++
		}
		at += size
	}
	return p.disk.Replay(log)
}

// firstOf returns the size of the first entry of a log, and whether it is an operation: one
// that changes names, a content, a length or a mode, or a sync.
func firstOf(log []byte) (size int, operation bool) {
	switch log[0] {
	case 'C', 'F':
		return 9, false
	case 'N':
		return 13, false
	case 'P':
		return 5, false
	case 'W':
		if len(log) < 21 {
			return 21, true
		}
		return 21 + int(binary.LittleEndian.Uint32(log[17:])), true
	case 'T':
		return 17, true
	case 'M':
		return 21, true
	case 'S':
		return 10, true
	case 'A':
		return 2, true
	case 'E':
		size = 2
		for n := 0; len(log) > 1 && n < int(log[1]); n++ {
			if size += 18; size > len(log) {
				return size, true
			}
			size += int(binary.LittleEndian.Uint16(log[size-2:]))
		}
		return size, true
	}
	return len(log), false // Replay says what is wrong
}
