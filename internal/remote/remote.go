package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Options say how a host is dealt with.
type Options struct {
	Dir        string              // where the command runs; "": in the working directory
	Stderr     io.Writer           // receives the standard error of the host; nil: discarded
	Properties []property.Property // rules to be judged beside the properties of the systems
	Called     string              // what the command is called in errors; "": as it is
	Greeting   time.Duration       // how long the host may take to start, and before that to be built; 0: 10 minutes
	Answer     time.Duration       // how long it may take for one execution; 0: six times as long as for a call

	CallTimeout time.Duration // how long a call of a process may take, in a host that watches its calls; 0: 10 s
	EachCall    bool          // it is to know exactly which
	Alone       bool          // the host executes one schedule after the other, and does not search by itself
}

// Remote is a running host. Several goroutines can use it at once, which makes it faster.
type Remote struct {
	command    string // that started it; "": none did
	options    Options
	systems    []*System
	described  []messages.Description // the systems, as the host described them
	strategies []string               // with which the host searches by itself
	workers    int                    // the number of executions that the host makes at the same time
	parts      bool                   // it searches in parts
	extents    bool                   // it judges a run by several numbers of rounds
	turns      bool                   // a run can be steered
	knows      []string               // which faults it knows besides those that every host does

	out  chan []byte             // lines to be written
	life context.Context         // ends when nothing is possible any more
	fail context.CancelCauseFunc // ends it, for a reason; the first one counts
	end  func() error            // ends the host and waits for its end
	said *hostLog                // its standard error; nil: not known

	mutex   sync.Mutex
	last    int             // id of a request
	waiting map[int]*waiter // by id
}

// waiter waits for an answer.
type waiter struct {
	reply    chan *messages.Answer // with room for the answer, even when no caller waits any more
	progress func(result.Progress) // nil: no answer but one is expected
	turns    chan *messages.Turn   // of a run that is steered; nil: it is not
	request  *messages.Request
}

func newWaiter(progress func(result.Progress)) *waiter {
	return &waiter{reply: make(chan *messages.Answer, 1), progress: progress}
}

// Start starts a command, which is split at spaces outside quotes, and asks the host for
// its systems. When the context ends the host is killed. The caller has to Close the
// Remote.
func Start(ctx context.Context, command string, o Options) (*Remote, error) {
	r, err := start(ctx, command, o)
	if own := (*refused)(nil); errors.As(err, &own) {
		return nil, own
	}
	if err != nil {
		return nil, fmt.Errorf("starting the host of the system (%s): %w", cmp.Or(o.Called, command), err)
	}
	return r, nil
}

func start(ctx context.Context, command string, o Options) (*Remote, error) {
	words, err := text.ShellSplit(command)
	if err != nil {
		return nil, err
	}
	own := &holding{to: o.Stderr}
	if words[0] == "ldfi" {
		o.Stderr = own
	}
	p, err := launch(ctx, words, o)
	if err != nil {
		return nil, err
	}
	r := connect(p.out, p.in, o, p.end)
	r.command, r.said = command, p.said
	leave := enter(ctx, r)
	context.AfterFunc(r.life, leave)
	err = r.greet(ctx)
	if err != nil {
		err = errors.Join(err, r.Close())
		if why := own.refused(); why != nil {
			err = why
		}
	}
	own.release()
	if err != nil {
		return nil, err
	}
	return r, nil
}

// connect talks to a host. end ends it.
func connect(in io.Reader, out io.WriteCloser, o Options, end func() error) *Remote {
	o.CallTimeout = cmp.Or(o.CallTimeout, search.Patience)
	o.Greeting, o.Answer = cmp.Or(o.Greeting, gobuild.Patience), cmp.Or(o.Answer, 6*o.CallTimeout)
	r := &Remote{options: o, out: make(chan []byte, 64), waiting: map[int]*waiter{}}
	r.life, r.fail = context.WithCancelCause(context.Background())
	r.end = sync.OnceValue(end)
	go r.write(out)
	go r.read(messages.NewLines(in, messages.MaxAnswer))
	return r
}

// Close ends the host.
func (r *Remote) Close() error {
	r.fail(errClosed)
	_ = r.end() // it was killed, and says so
	return nil
}

var errClosed = errors.New("the connection to the host is closed")

// Systems returns the systems of the host.
func (r *Remote) Systems() []*System { return r.systems }

// System returns the system with a name. With an empty name it returns the only one.
func (r *Remote) System(name string) (*System, error) {
	var names []string
	for _, s := range r.systems {
		if s.Name == name || name == "" && len(r.systems) == 1 {
			return s, nil
		}
		names = append(names, s.Name)
	}
	all := strings.Join(names, ", ")
	if name == "" {
		return nil, fmt.Errorf("the host has several systems, name one by --name (in a suite system-name): %s", all)
	}
	return nil, fmt.Errorf("the host has no system %q, only: %s", name, all)
}

// write writes lines until nothing is possible any more.
func (r *Remote) write(out io.WriteCloser) {
	for {
		select {
		case line := <-r.out:
			if _, err := out.Write(line); err != nil {
				// Why the host does not read is for the reader to find out.
				<-r.life.Done()
				return
			}
		case <-r.life.Done():
			return
		}
	}
}

// read delivers answers to the callers that wait for them.
func (r *Remote) read(in *messages.Lines) {
	for {
		a := &messages.Answer{}
		err := in.Next(a)
		if err == io.EOF {
			err = howEnded(r.end())
			err = r.ended(err)
		} else if err == nil {
			err = r.deliver(a)
		}
		if err != nil {
			r.fail(err)
			_ = r.end()
			return
		}
	}
}

// howEnded describes the end of a host that writes no more. A host that still runs is
// killed, which looks as if another program had.
func howEnded(status error) error {
	switch {
	case status == nil:
		return errors.New("the host ended")
	case strings.HasPrefix(status.Error(), "signal: killed"):
		return fmt.Errorf("the host closed its standard output, or was killed: %w", status)
	default:
		return fmt.Errorf("the host ended: %w", status)
	}
}

// deliver delivers an answer to its caller.
func (r *Remote) deliver(a *messages.Answer) error {
	a.Error = beginning(a.Error)
	r.mutex.Lock()
	to, ok := r.waiting[a.ID]
	turn := a.Turn != nil && ok && to.turns != nil
	last := !turn && (a.Progress == nil || ok && to.progress == nil)
	if last {
		delete(r.waiting, a.ID)
	}
	r.mutex.Unlock()
	switch {
	case a.ID == 0 && a.Hangs != nil:
		return r.hangs(a.Hangs)
	case a.ID == 0 && a.Error != "":
		return fmt.Errorf("the host says: %s", a.Error)
	case !ok:
		return fmt.Errorf("the host answers request %d, which was not made or is answered already", a.ID)
	case turn && len(to.turns) == cap(to.turns):
		return fmt.Errorf("the host goes on with request %d without what is decided", a.ID)
	case turn:
		to.turns <- a.Turn
	case last:
		to.reply <- a
	default:
		to.progress(*a.Progress)
	}
	return nil
}

// beginning returns the part of an error of a host that is shown.
func beginning(text string) string {
	const most = 4 << 10
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(text[:most], ""), len(text))
}

// ask makes a request and waits for the answer, for as long as the host may
// take. When it takes longer it is killed. With a patience of 0 it may take as
// long as it wants until the context ends: then the request is cancelled, and
// the answer still waited for.
func (r *Remote) ask(ctx context.Context, q messages.Request, patience time.Duration, progress func(result.Progress)) (*messages.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := newWaiter(progress)
	line, err := r.enter(&q, w)
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(patience, r.options.Answer)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	if patience == 0 {
		timer.Stop()
	}
	out, ended := r.out, ctx.Done()
	for {
		select {
		case out <- line:
			out = nil // once
		case a := <-w.reply:
			if a.Error != "" {
				return nil, refusal(a.Error)
			}
			return a, nil
		case <-r.life.Done():
			return nil, context.Cause(r.life)
		case <-timer.C:
			r.fail(r.silent(&q, limit))
			_ = r.end()
			return nil, context.Cause(r.life)
		case <-ended:
			if out != nil {
				r.forget(q.ID)
			}
			if patience > 0 || out != nil {
				return nil, ctx.Err()
			}
			ended, limit = nil, min(limit, r.mostCancelled())
			timer.Reset(limit)
			go r.cancel(q.ID)
		}
	}
}

// cancelled is the time that a host may take to return the results of a search that is
// cancelled.
const cancelled = 400 * time.Millisecond

// mostCancelled is that time, or longer where the host executes programs.
func (r *Remote) mostCancelled() time.Duration {
	if slices.ContainsFunc(r.systems, func(s *System) bool { return slices.Contains(s.Offers, search.OffersSignals) }) {
		return search.AfterPrograms
	}
	return cancelled
}

// enter gives a request its id, and returns its line.
func (r *Remote) enter(q *messages.Request, w *waiter) ([]byte, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.last++
	q.ID = r.last
	line, err := encode(q)
	if err == nil {
		if r.said != nil && q.Do != messages.DoHello && len(r.waiting) == 0 {
			r.said.request()
		}
		w.request = q
		r.waiting[q.ID] = w
	}
	return line, err
}

// cancel asks the host to end a search.
func (r *Remote) cancel(id int) {
	line, err := r.enter(&messages.Request{Do: messages.DoCancel, Of: id}, newWaiter(nil))
	if err != nil {
		return // the timer of the search ends it
	}
	select {
	case r.out <- line:
	case <-r.life.Done():
	}
}

// forget takes back a request that was not made.
func (r *Remote) forget(id int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.waiting, id)
}

// greet asks the host for its systems.
func (r *Remote) greet(ctx context.Context) error {
	hello := messages.Request{Do: messages.DoHello, Version: messages.Version, CallTimeout: r.options.CallTimeout.Seconds(), EachCall: r.options.EachCall}
	for _, p := range r.options.Properties {
		if _, err := property.Compile(p); err != nil {
			return err
		}
		hello.Properties = append(hello.Properties, messages.PropertyOf(p, false))
	}
	a, err := r.ask(ctx, hello, r.options.Greeting, nil)
	if err != nil {
		return err
	}
	if a.Version != messages.Version {
		return fmt.Errorf("the host speaks version %d of the protocol, and not %d", a.Version, messages.Version)
	}
	if len(a.Systems) == 0 {
		return errors.New("the host has no systems")
	}
	r.strategies, r.described, r.workers, r.parts = a.Strategies, a.Systems, max(a.Workers, 1), a.Parts
	r.extents, r.turns, r.knows = a.ByExtents, a.Turns, a.Knows
	for i, d := range a.Systems {
		if slices.ContainsFunc(a.Systems[:i], func(e messages.Description) bool { return e.Name == d.Name }) {
			return fmt.Errorf("the host has two systems with the name %q", d.Name)
		}
		s, err := newSystem(r, d)
		if err != nil {
			return fmt.Errorf("the host describes system %q: %w", d.Name, err)
		}
		if slices.Contains(s.Offers, search.OffersSignals) {
			r.options.Answer = max(r.options.Answer, ofPrograms)
		}
		r.systems = append(r.systems, s)
	}
	return nil
}

// ofPrograms is how long an execution of programs may take at least, which are watched where
// they run: how much they do, and write to their disks, says how long it takes.
const ofPrograms = time.Hour

// refusal is the answer of a host to a request that it cannot fulfil.
type refusal string

func (r refusal) Error() string { return string(r) }
