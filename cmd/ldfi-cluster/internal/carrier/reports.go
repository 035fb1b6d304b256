package carrier

import (
	"bufio"
	"io"
	"sync"

	"github.com/lineage-driven/ldfi/internal/work"
)

// reports writes reports, in the order in which they come, and waits for nobody who writes.
type reports struct {
	mutex sync.Mutex
	more  *sync.Cond
	lines [][]byte
	begun bool // the first report is written
	ended bool
	done  chan struct{}
	err   error
}

func newReports(to io.Writer) *reports {
	r := &reports{done: make(chan struct{})}
	r.more = sync.NewCond(&r.mutex)
	go r.writeAll(bufio.NewWriterSize(to, 1<<16))
	return r
}

// begin writes what has to be the first report. Those that were written before come after it.
func (r *reports) begin(first work.Report) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	line, err := work.WriteLine(first)
	if err == nil {
		r.lines = append([][]byte{line}, r.lines...)
	}
	r.begun = true
	r.more.Signal()
}

// write writes a report.
func (r *reports) write(report work.Report) {
	line, err := work.WriteLine(report)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err != nil { // an answer that is no JSON: the unit has to be done by somebody else
		line, _ = work.WriteLine(work.Report{Number: report.Number, Refused: "what came back cannot be written: " + err.Error()})
	}
	r.lines = append(r.lines, line)
	r.more.Signal()
}

// close writes what is left.
func (r *reports) close() error {
	r.mutex.Lock()
	r.ended = true
	r.more.Signal()
	r.mutex.Unlock()
	<-r.done
	return r.err
}

// take returns what is to be written, when there is something, or that there is no more.
func (r *reports) take() (lines [][]byte, more bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for !r.ended && (!r.begun || len(r.lines) == 0) {
		r.more.Wait()
	}
	lines, r.lines = r.lines, nil
	return lines, !r.ended || len(lines) > 0
}

// writeAll writes reports as they come. When nobody reads them any more they are dropped.
func (r *reports) writeAll(w *bufio.Writer) {
	defer close(r.done)
	for {
		lines, more := r.take()
		if !more {
			return
		}
		if r.err != nil {
			continue
		}
		for _, line := range lines {
			if _, err := w.Write(line); err != nil {
				r.err = err
			}
		}
		if err := w.Flush(); err != nil {
			r.err = err
		}
	}
}
