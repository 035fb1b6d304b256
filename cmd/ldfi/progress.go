package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/grace"
	"github.com/lineage-driven/ldfi/internal/printable"
	"github.com/spf13/cobra"
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
	mutex   sync.Mutex
	out     io.Writer // a terminal
	started time.Time
	doing   string
	end     chan struct{} // closed by stop; nil: nothing is shown
	ended   chan struct{} // closed when the line is away
}

// start begins to show the line, if this is a terminal.
func (p *progress) start(out io.Writer) {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.out, p.started, p.doing = out, time.Now(), "starting"
	p.end, p.ended = make(chan struct{}), make(chan struct{})
	go p.run(p.end, p.ended)
}

// line takes note of what is being done.
func (p *progress) line(text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = printable.Line(text)
}

// run writes the line until the end, and then clears it.
func (p *progress) run(end <-chan struct{}, ended chan<- struct{}) {
	defer close(ended)
	select {
	case <-end:
		return
	case <-time.After(patience):
	}
	for tick := time.Tick(beat); ; {
		fmt.Fprintf(p.out, "\r\033[K%s", p.text())
		select {
		case <-end:
			fmt.Fprint(p.out, "\r\033[K")
			return
		case <-tick:
		}
	}
}

// note writes a line that stays, above the line of progress if there is one.
func (p *progress) note(out io.Writer, text string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.end != nil {
		fmt.Fprint(p.out, "\r\033[K")
	}
	fmt.Fprintln(out, printable.Line(text))
}

func (p *progress) text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return fmt.Sprintf("%s, %d s (Ctrl-C says what is known so far)", p.doing, int(time.Since(p.started).Seconds()))
}

// stop ends the line, if that was not done.
func (p *progress) stop() {
	p.mutex.Lock()
	end, ended := p.end, p.ended
	p.end = nil
	p.mutex.Unlock()
	if end != nil {
		close(end)
		<-ended
	}
}

// ending lets a command end soon after it is interrupted or its --timeout is over,
// whatever it is doing. The --timeout of check is that of each case.
func (s *session) ending(do func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		timeout, err := cmd.Flags().GetDuration("timeout")
		if err != nil || cmd.Name() == "check" {
			timeout = 0
		}
		ctx, cancel := withTimeout(cmd.Context(), timeout)
		defer cancel()
		cmd.SetContext(ctx)
		_, err = grace.Call(ctx, grace.Command, func() (struct{}, error) { return struct{}{}, do(cmd, args) })
		return err
	}
}

// withTimeout bounds a context by the --timeout flag; 0 is no bound.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}
