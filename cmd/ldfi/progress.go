package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"golang.org/x/term"
)

// patience is how long a command may take before it shows what it is doing.
const patience = time.Second

// progress shows on a terminal what a search is doing, in one line that goes
// away at the end. Elsewhere it shows nothing.
type progress struct {
	out     io.Writer // nil: not a terminal
	started time.Time
	mutex   sync.Mutex
	shown   bool
}

func startProgress(out io.Writer) *progress {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	return &progress{out: out, started: time.Now()}
}

func (p *progress) show(now ldfi.Progress) { p.line(progressText(now)) }

// line shows what is being done.
func (p *progress) line(text string) {
	if p.out == nil || time.Since(p.started) < patience {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.shown = true
	fmt.Fprintf(p.out, "\r\033[K%s (Ctrl-C says what is known so far)", text)
}

func progressText(now ldfi.Progress) string {
	text := fmt.Sprintf("%s, %d rounds", now.Stage, now.Horizon)
	if now.Stage == ldfi.Evaluating {
		text = fmt.Sprintf("%s, round %d of %d", now.Stage, now.Round, now.Horizon)
	}
	if now.Found > 0 {
		text += fmt.Sprintf(", %d found", now.Found)
	}
	return text
}

func (p *progress) stop() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		fmt.Fprint(p.out, "\r\033[K")
	}
}

// withTimeout bounds a context by the --timeout flag; 0 is no bound.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}
