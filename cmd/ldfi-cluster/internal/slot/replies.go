package slot

import (
	"bytes"
	"sync"
)

// replies is what a process writes: a line for each unit, which is read before the next is sent.
type replies struct {
	lines  chan []byte   // has room for one
	broken chan struct{} // closed when err is set
	most   int64         // bytes of a line

	mutex  sync.Mutex
	buffer []byte // the beginning of a line
	err    error  // what was written is no line, or one too many
}

func (s *replies) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for rest := p; len(rest) > 0 && s.err == nil; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if int64(len(s.buffer)+len(line)) > s.most {
			s.fail("its answer is longer than %s, which is the most that a worker takes", size(uint64(s.most)))
			break
		}
		s.buffer = append(s.buffer, line...)
		rest = after
		if !ended {
			continue
		}
		select {
		case s.lines <- s.buffer:
			s.buffer = nil
		default:
			s.fail("the process that did it has said more than was asked: %.80q", s.buffer)
		}
	}
	return len(p), s.err
}

func (s *replies) fail(format string, args ...any) {
	s.err, s.buffer = breaks(format, args...), nil
	close(s.broken)
}

// silent reports whether nothing was written after the lines that were read.
func (s *replies) silent() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err == nil && len(s.buffer) == 0 && len(s.lines) == 0
}
