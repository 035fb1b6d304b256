package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// A command that takes longer than patience shows its current work, and again after each
// beat.
const (
	patience = time.Second
	beat     = 200 * time.Millisecond
)

// building is the beginning of phrases about building. Building may take minutes, so it is
// shown without a terminal too, after each buildBeat.
const (
	building  = "building "
	buildBeat = 10 * time.Second
)

// progress shows on a terminal the current work of a search, in one line that disappears at
// the end. Elsewhere it shows only builds.
type progress struct {
	mutex   sync.Mutex
	form    string // plain, json or none; "" is plain
	out     io.Writer
	live    bool          // the line is on a terminal
	every   time.Duration // in place of buildBeat, if it is not 0
	shown   time.Time     // when the last JSON line was written
	waiting []byte        // a JSON line that is to be written yet
	started time.Time
	doing   string
	crew    *work.Status  // nil: all is done in this process
	last    progressLine  // of JSON
	end     chan struct{} // closed by stop; nil: nothing is shown
	ended   chan struct{} // closed when the line is away
}

// start begins to show the line, if this is a terminal, or else builds.
func (p *progress) start(out io.Writer) {
	if p.form == progressJSON {
		p.out, p.started = out, time.Now()
		p.end, p.ended = make(chan struct{}), make(chan struct{})
		go p.lines(p.end, p.ended)
	}
	if p.form != "" && p.form != progressPlain {
		return
	}
	file, ok := out.(*os.File)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.out, p.started, p.doing = out, time.Now(), "starting"
	p.end, p.ended = make(chan struct{}), make(chan struct{})
	if p.live = ok && term.IsTerminal(int(file.Fd())); p.live {
		go p.run(p.end, p.ended)
	} else {
		go p.builds(p.end, p.ended)
	}
}

// builds writes a line about a build after each buildBeat.
func (p *progress) builds(end <-chan struct{}, ended chan<- struct{}) {
	defer close(ended)
	for tick := time.Tick(cmp.Or(p.every, buildBeat)); ; {
		select {
		case <-end:
			return
		case <-tick:
		}
		p.mutex.Lock()
		if strings.HasPrefix(p.doing, building) {
			fmt.Fprintf(p.out, "ldfi: %s, %d s\n", p.doing, int(time.Since(p.started).Seconds()))
		}
		p.mutex.Unlock()
	}
}

// progressLine is how far a search has come, in one line: what is being done, or of
// the ways to decide a protocol how far each is.
type progressLine struct {
	Doing string `json:"doing,omitempty"` // a phrase
	*result.Stage
	Workers *work.Status `json:"workers,omitempty"` // of a server, if the work is handed out to them
	Seconds float64      `json:"seconds"`           // since the search began
}

// line records the current work.
func (p *progress) line(s string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = text.Safe(s)
	p.data(progressLine{Doing: s, Seconds: p.seconds()})
}

// ways records the progress of the ways to decide a protocol.
func (p *progress) ways(s result.Stage) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.doing = text.Safe(s.String())
	p.data(progressLine{Stage: &s, Seconds: p.seconds()})
}

// workers records the status of the workers of a server.
func (p *progress) workers(s work.Status) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.crew = &s
	line := p.last
	line.Seconds = p.seconds()
	p.data(line)
}

// seconds is how long the question takes by now.
func (p *progress) seconds() float64 {
	return float64(time.Since(p.started).Milliseconds()) / 1000
}

// data writes a line of JSON, if these are wanted: the first at once, then one after each
// beat, and the last one at the end.
func (p *progress) data(line progressLine) {
	if p.form != progressJSON || p.out == nil {
		return
	}
	p.last = line
	line.Workers = p.crew
	text, err := json.Marshal(line)
	if err != nil {
		return
	}
	if p.waiting = append(text, '\n'); time.Since(p.shown) >= beat {
		p.flush()
	}
}

// lines writes the waiting line after each beat.
func (p *progress) lines(end <-chan struct{}, ended chan<- struct{}) {
	defer close(ended)
	for tick := time.Tick(beat); ; {
		select {
		case <-end:
			return
		case <-tick:
			p.mutex.Lock()
			p.flush()
			p.mutex.Unlock()
		}
	}
}

// flush writes the line that is to be written yet.
func (p *progress) flush() {
	if len(p.waiting) > 0 {
		_, _ = p.out.Write(p.waiting)
		p.waiting, p.shown = nil, time.Now()
	}
}

// The forms of progress.
const (
	progressPlain = "plain"
	progressJSON  = "json"
	progressNone  = "none"
)

// progressForm is the --progress flag.
type progressForm struct{ *progress }

func (f progressForm) String() string { return progressPlain }
func (f progressForm) Type() string   { return "string" }

func (f progressForm) Set(form string) error {
	forms := []string{progressPlain, progressJSON, progressNone}
	if !slices.Contains(forms, form) {
		return fmt.Errorf("there is %s", text.List(forms, "or"))
	}
	f.form = form
	return nil
}

// addProgress adds the flag.
func (s *session) addProgress(flags *pflag.FlagSet) {
	flags.Var(progressForm{&s.progress}, "progress", "`what` is shown of a long search on standard error: plain, json or none")
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
func (p *progress) note(out io.Writer, s string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.end != nil && p.live {
		fmt.Fprint(p.out, "\r\033[K")
	}
	fmt.Fprintln(out, text.Safe(s))
}

func (p *progress) text() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	doing := p.doing
	if p.crew != nil {
		doing = p.crew.String() + ": " + doing
	}
	return fmt.Sprintf("%s, %d s (Ctrl-C prints the results so far)", doing, int(time.Since(p.started).Seconds()))
}

// stop ends the line, if that was not done.
func (p *progress) stop() {
	p.mutex.Lock()
	p.flush()
	end, ended := p.end, p.ended
	p.end = nil
	p.mutex.Unlock()
	if end != nil {
		close(end)
		<-ended
	}
}

// builtFirst says what a command that starts a host builds first.
func builtFirst(system string) string {
	if _, ofNodes := subject.OfNodes(system); ofNodes {
		return "the programs"
	}
	return "the host"
}

// buildsFirst tells whether a command builds a host first, so that its time begins after
// that: a command that calls [session.ask], or opens a host in another way.
func buildsFirst(cmd *cobra.Command) bool {
	command, err := cmd.Flags().GetString("system")
	asks := []string{"run", "inject", "why", "whatif", "hypotheses", "learn", "vet", "export", "diff", "bisect"}
	return err == nil && slices.Contains(asks, cmd.Name()) && subject.Builds(command)
}

// ending makes a command end soon after it is interrupted or its --timeout is over,
// whatever its state, and limits its memory by --memory. For check the --timeout is that of
// each case, and for mcp that of each answer.
func (s *session) ending(do func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		timeout, err := cmd.Flags().GetDuration("timeout")
		if err != nil || cmd.Name() == "check" || cmd.Name() == "mcp" || buildsFirst(cmd) {
			timeout = 0
		}
		ctx, cancel := withTimeout(cmd.Context(), timeout)
		defer cancel()
		ctx = limits.WithLonger(ctx)
		if f := cmd.Flags().Lookup("memory"); f != nil && f.Changed {
			size := *f.Value.(*limits.MemorySize)
			ctx = limits.WithMemory(ctx, size)
			defer limits.CollectGarbage(size)()
		}
		cmd.SetContext(ctx)
		return s.timed(ctx, func() error { return do(cmd, args) })
	}
}

// timed does something, and makes its results printable, until soon after a context ends.
func (s *session) timed(ctx context.Context, do func() error) error {
	_, err := limits.Await(ctx, limits.CommandGrace, func() (struct{}, error) {
		if err := do(); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.print()
	})
	return err
}

// withTimeout bounds a context by the --timeout flag; 0 is no bound.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}
