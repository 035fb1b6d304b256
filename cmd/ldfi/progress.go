package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/printable"
	"golang.org/x/term"
)

// A command that takes longer than patience shows what it is doing, and again
// after each beat.
const (
	patience = time.Second
	beat     = 200 * time.Millisecond
)

// progress shows on a terminal what a search is doing, in one line that goes
// away at the end. Elsewhere it shows nothing.
type progress struct {
	out     io.Writer // nil: not a terminal
	started time.Time
	end     chan struct{} // closed by stop
	ended   sync.WaitGroup
	once    sync.Once

	mutex sync.Mutex
	doing string
}

func startProgress(out io.Writer) *progress {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	p := &progress{out: out, started: time.Now(), end: make(chan struct{}), doing: "starting"}
	p.ended.Go(p.run)
	return p
}

// line takes note of what is being done.
func (p *progress) line(text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = printable.Line(text)
}

// run writes the line until the end, and then clears it.
func (p *progress) run() {
	select {
	case <-p.end:
		return
	case <-time.After(patience):
	}
	for tick := time.Tick(beat); ; {
		fmt.Fprintf(p.out, "\r\033[K%s", p.text())
		select {
		case <-p.end:
			fmt.Fprint(p.out, "\r\033[K")
			return
		case <-tick:
		}
	}
}

func (p *progress) text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return fmt.Sprintf("%s, %d s (Ctrl-C says what is known so far)", p.doing, int(time.Since(p.started).Seconds()))
}

// stop ends the line, if that was not done.
func (p *progress) stop() {
	p.once.Do(func() {
		if p.out != nil {
			close(p.end)
			p.ended.Wait()
		}
	})
}

// withTimeout bounds a context by the --timeout flag; 0 is no bound.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}
