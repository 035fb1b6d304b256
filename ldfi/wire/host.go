package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/derive"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/search/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/system"
	"golang.org/x/sync/errgroup"
)

// Serve serves the systems on standard input and output until the input ends.
// What else the program prints to os.Stdout goes to standard error.
func Serve(systems ...*system.System) error {
	out := os.Stdout
	os.Stdout = os.Stderr
	return ServeOn(os.Stdin, out, systems...)
}

// ServeOn serves the systems on a reader and a writer until the reader ends. An
// error says what was wrong with the systems, or with what was read.
func ServeOn(in io.Reader, out io.Writer, systems ...*system.System) error {
	h := &host{systems: systems, answers: make(chan messages.Answer, 256), cancels: map[int]context.CancelFunc{}}
	var writer errgroup.Group
	writer.Go(func() error { return h.write(out) })
	err := h.read(messages.NewLines(in, messages.MaxRequest))
	close(h.answers)
	wrote := writer.Wait()
	if err != nil {
		return fmt.Errorf("reading requests: %w", err)
	}
	if wrote != nil {
		return fmt.Errorf("writing answers: %w", wrote)
	}
	return nil
}

// host answers requests.
type host struct {
	systems []*system.System
	greeted bool
	targets map[string]*search.Target // by the names of the systems
	answers chan messages.Answer

	mutex   sync.Mutex
	cancels map[int]context.CancelFunc // of searches, by id
}

// read reads requests and answers them, until there are no more.
func (h *host) read(in *messages.Lines) error {
	requests := make(chan messages.Request)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(requests)
	defer h.cancel(0) // nobody waits for what is found
	for {
		var r messages.Request
		err := in.Next(&r)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			h.answers <- messages.Answer{Error: err.Error()}
			return err
		case r.ID < 1:
			err := fmt.Errorf("the id of a request is 1 or more, and not %d", r.ID)
			h.answers <- messages.Answer{Error: err.Error()}
			return err
		case r.Do == messages.DoHello && !h.greeted:
			h.answers <- h.hello(r)
			if h.greeted {
				h.start(&workers, requests)
			}
		case r.Do == messages.DoHello:
			h.answers <- messages.Answer{ID: r.ID, Error: "hello is said once"}
		case !h.greeted:
			h.answers <- messages.Answer{ID: r.ID, Error: "the first request has to be hello"}
		case r.Do == messages.DoCancel:
			h.cancel(r.Of)
			h.answers <- messages.Answer{ID: r.ID}
		case r.Do == messages.DoSearch:
			ctx, cancel := context.WithCancel(context.Background())
			h.began(r.ID, cancel)
			workers.Go(func() {
				h.answers <- h.search(ctx, r)
				h.cancel(r.ID)
			})
		default:
			requests <- r
		}
	}
}

// began says how to cancel a search.
func (h *host) began(id int, cancel context.CancelFunc) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.cancels[id] = cancel
}

// cancel cancels a search, or all with the id 0.
func (h *host) cancel(id int) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for i, cancel := range h.cancels {
		if i == id || id == 0 {
			cancel()
			delete(h.cancels, i)
		}
	}
}

// start starts a worker for each core.
func (h *host) start(workers *sync.WaitGroup, requests <-chan messages.Request) {
	for range runtime.GOMAXPROCS(0) {
		w := h.worker()
		workers.Go(func() {
			for r := range requests {
				h.answers <- w.answer(r)
			}
		})
	}
}

// write writes answers, several at a time when there are several.
func (h *host) write(out io.Writer) error {
	var failed error
	b := bufio.NewWriterSize(out, 64<<10)
	for a := range h.answers {
		if failed == nil {
			failed = messages.WriteLine(b, a)
		}
		if failed == nil && len(h.answers) == 0 {
			failed = b.Flush()
		}
	}
	return failed
}

// hello checks the systems and describes them.
func (h *host) hello(r messages.Request) messages.Answer {
	if r.Version != messages.Version {
		return messages.Answer{ID: r.ID, Error: fmt.Sprintf("the host speaks version %d of the protocol, and not %d", messages.Version, r.Version)}
	}
	if len(h.systems) == 0 {
		return messages.Answer{ID: r.ID, Error: "the host has no systems"}
	}
	a := messages.Answer{ID: r.ID, Version: messages.Version}
	h.targets = map[string]*search.Target{}
	for _, s := range h.systems {
		d, err := h.describe(s, r.Properties)
		if err != nil {
			return messages.Answer{ID: r.ID, Error: err.Error()}
		}
		a.Systems = append(a.Systems, d)
	}
	a.Strategies = strategies.Names()
	h.greeted = true
	return a
}

// describe describes a system and compiles its properties, and the others that
// are to be judged.
func (h *host) describe(s *system.System, others []messages.Property) (messages.Description, error) {
	var d messages.Description
	if _, twice := h.targets[s.Name]; twice {
		return d, fmt.Errorf("two systems have the name %q", s.Name)
	}
	properties := slices.Clone(s.Properties)
	if derive.Mangle != nil { // otherwise who asks judges the others
		for _, p := range others {
			properties = append(properties, p.Property())
		}
	}
	t, err := search.NewTarget(s, properties)
	if err != nil {
		return d, err
	}
	h.targets[s.Name] = t
	d.Description = t.Description
	for _, p := range properties {
		d.Properties = append(d.Properties, messages.PropertyOf(p, true))
	}
	return d, nil
}

// worker answers requests one after the other.
type worker struct {
	host    *host
	runners map[string]*runner
}

func (h *host) worker() *worker { return &worker{host: h, runners: map[string]*runner{}} }

// search answers a search, and tells its progress before.
func (h *host) search(ctx context.Context, r messages.Request) messages.Answer {
	var told time.Time
	r.Progress = func(p result.Progress) {
		if time.Since(told) >= progressPause {
			told = time.Now()
			h.answers <- messages.Answer{ID: r.ID, Progress: &p}
		}
	}
	a, err := h.find(ctx, r)
	if err != nil {
		return messages.Answer{ID: r.ID, Error: err.Error()}
	}
	return messages.Answer{ID: r.ID, Answer: a}
}

// progressPause is the least time between two lines of progress.
const progressPause = 200 * time.Millisecond

// find searches a system.
func (h *host) find(ctx context.Context, r messages.Request) (*result.Answer, error) {
	t, err := h.target(r.System)
	if err != nil {
		return nil, err
	}
	if r.Bounds.EOT > messages.MaxRounds {
		return nil, messages.TooManyRounds(r.Bounds.EOT)
	}
	r.Bounds = t.DefaultBounds(r.Bounds)
	return strategies.Run(ctx, t, r.Options)
}

// target returns the system of that name.
func (h *host) target(name string) (*search.Target, error) {
	if t := h.targets[name]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("the host has no system %q", name)
}

// runner executes one system.
type runner struct {
	*search.Judge
	system *system.System
}

// answer answers a run or a vet.
func (w *worker) answer(r messages.Request) messages.Answer {
	x, err := w.runner(r.System)
	var a messages.Answer
	if err == nil {
		switch r.Do {
		case messages.DoRun:
			a, err = x.run(r)
		case messages.DoVet:
			a, err = x.vet(r)
		default:
			err = fmt.Errorf("there is no request %q", r.Do)
		}
	}
	if err != nil {
		return messages.Answer{ID: r.ID, Error: err.Error()}
	}
	a.ID = r.ID
	return a
}

// runner returns the runner for a system, which this worker keeps.
func (w *worker) runner(name string) (*runner, error) {
	if x := w.runners[name]; x != nil {
		return x, nil
	}
	t, err := w.host.target(name)
	if err != nil {
		return nil, err
	}
	x := &runner{t.Judge(0, true), t.System}
	w.runners[name] = x
	return x, nil
}

// run executes a schedule and judges the execution.
func (x *runner) run(r messages.Request) (messages.Answer, error) {
	if r.Rounds < 0 || r.Rounds > messages.MaxRounds {
		return messages.Answer{}, messages.TooManyRounds(r.Rounds)
	}
	x.Options = system.RunOptions{Rounds: r.Rounds, Record: r.Recording == messages.Always}
	e, violations, err := x.Execute(context.Background(), r.Schedule)
	if failed := (*result.ExecutionError)(nil); errors.As(err, &failed) {
		err = failed.Err // who asked knows the schedule
	}
	if err != nil {
		return messages.Answer{}, err
	}
	a := messages.Answer{Violations: violations}
	if r.Recording == messages.Always || r.Recording != messages.Never && len(violations) > 0 {
		a.Execution = e
	}
	return a, nil
}

// vet runs the self-tests of a system.
func (x *runner) vet(r messages.Request) (messages.Answer, error) {
	if r.Runs < 1 || r.Runs > messages.MaxRuns {
		return messages.Answer{}, fmt.Errorf("the runs of a vet are 1 to %d, and not %d", messages.MaxRuns, r.Runs)
	}
	ctx := context.Background()
	errs := []error{x.system.CheckDeterminism(ctx, r.Runs, r.Seed)}
	if errs[0] == nil {
		errs = append(errs, x.system.CheckState(ctx, r.Runs, r.Seed))
	}
	if len(x.system.Durable) > 0 {
		errs = append(errs, x.system.CheckDurability(ctx, r.Runs, r.Seed))
	}
	var a messages.Answer
	for _, err := range errs {
		if err != nil {
			a.Findings = append(a.Findings, err.Error())
		}
	}
	return a, nil
}
