// Package hosting is the host's side of the protocol between ldfi and a host: it
// answers requests about the systems of this program. Programs of users call it by
// ldfi/wire, and their tests by ldfi/ldfitest.
package hosting

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"golang.org/x/sync/errgroup"
)

// Serve serves the systems on a reader and a writer until the reader ends. Who asks
// is told what their test says, if it is one that serves them. An error says what was
// wrong with the systems, or with what was read.
func Serve(in io.Reader, out io.Writer, test messages.Test, systems ...*system.System) error {
	h := &host{systems: systems, test: test, answers: make(chan messages.Answer, 256), ended: make(chan struct{})}
	var writer errgroup.Group
	writer.Go(func() error { return h.write(out) })
	err := h.read(messages.NewLines(in, messages.MaxRequest))
	close(h.ended)
	h.teller.Wait()
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
	test    messages.Test
	targets map[string]*search.Target // by the names of the systems; nil before hello
	answers chan messages.Answer
	cancels sync.Map   // of searches, by id
	steered sync.Map   // runs, by id
	single  sync.Mutex // of systems that are executed one at a time
	calls   *execution.CallWatch
	ended   chan struct{}  // closed when nothing more is done
	teller  sync.WaitGroup // of a call that does not come back
}

// read reads requests and answers them, until there are no more.
func (h *host) read(in *messages.Lines) error {
	requests := make(chan messages.Request, 1000) // so that a cancel is read, and the end, while executions last
	ctx, cancel := context.WithCancel(context.Background())
	var workers sync.WaitGroup
	defer h.finish(&workers)
	defer close(requests)
	defer cancel() // nobody waits for what is found
	for {
		r, err := h.next(in)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			h.answer(0, messages.Answer{}, err)
			return err
		case r.Do == messages.DoHello:
			a, err := h.hello(r)
			h.answer(r.ID, a, err)
			if err == nil {
				h.start(&workers, requests)
			}
		case h.targets == nil:
			h.answer(r.ID, messages.Answer{}, errors.New("the first request has to be hello"))
		case r.Do == messages.DoCancel && r.Of < 1:
			h.answer(r.ID, messages.Answer{}, fmt.Errorf("a cancel is of a search, whose id is 1 or more, and not %d", r.Of))
		case r.Do == messages.DoCancel:
			h.cancel(r.Of)
			h.answer(r.ID, messages.Answer{}, nil)
		case r.Do == messages.DoSearch || r.Do == messages.DoPart || r.Do == messages.DoLearn:
			ctx, cancel := context.WithCancel(ctx)
			h.cancels.Store(r.ID, cancel)
			workers.Go(func() {
				defer h.cancel(r.ID)
				h.answered(r.ID, func() (messages.Answer, error) { return h.search(ctx, r) })
			})
		case r.Do == messages.DoDecide:
			if err := h.decide(r); err != nil {
				h.answer(r.ID, messages.Answer{}, err)
			}
		case r.Do != messages.DoRun && r.Do != messages.DoVet:
			h.answer(r.ID, messages.Answer{}, fmt.Errorf("there is no request %q", r.Do))
		default:
			if r.Do == messages.DoRun && r.Steered {
				h.steer(ctx, r.ID)
			}
			requests <- r
		}
	}
}

// next returns the next request. One that cannot be read is answered if its id can
// be.
func (h *host) next(in *messages.Lines) (messages.Request, error) {
	for {
		var r messages.Request
		err := in.Next(&r)
		var unread *messages.LineError
		switch {
		case errors.As(err, &unread) && unread.ID > 0:
			h.answer(unread.ID, messages.Answer{}, err)
		case err == nil && r.ID < 1:
			return r, fmt.Errorf("the id of a request is 1 or more, and not %d", r.ID)
		default:
			return r, err
		}
	}
}

// answer answers a request by what it came to.
func (h *host) answer(id int, a messages.Answer, err error) {
	if err != nil {
		a = messages.Answer{Error: err.Error()}
	}
	a.ID = id
	h.answers <- a
}

// cancel cancels a search.
func (h *host) cancel(id int) {
	if cancel, ok := h.cancels.LoadAndDelete(id); ok {
		cancel.(context.CancelFunc)()
	}
}

// start starts a worker for each core, which keeps what executes each system.
func (h *host) start(workers *sync.WaitGroup, requests <-chan messages.Request) {
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() { h.work(workers, requests) })
	}
}

// work answers requests. When a process ends its goroutine, another goes on.
func (h *host) work(workers *sync.WaitGroup, requests <-chan messages.Request) {
	judges, over := map[string]*search.Judge{}, false
	defer func() {
		if !over {
			workers.Go(func() { h.work(workers, requests) })
		}
	}()
	for r := range requests {
		h.answered(r.ID, func() (messages.Answer, error) { return h.execute(judges, r) })
	}
	over = true
}

// finish waits for what is still being done. Meanwhile empty lines are written, by
// which a program notices that nobody reads its answers any more: an execution may
// never end.
func (h *host) finish(workers *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	for {
		select {
		case <-done:
			return
		case <-beat.C:
			h.answers <- messages.Answer{}
		}
	}
}

// write writes answers, several at a time when there are several.
func (h *host) write(out io.Writer) error {
	var failed error
	b := bufio.NewWriterSize(out, 64<<10)
	for a := range h.answers {
		switch {
		case failed != nil:
		case a.ID == 0 && a.Error == "" && a.Hangs == nil:
			failed = b.WriteByte('\n')
		default:
			failed = messages.WriteLine(b, a)
		}
		if failed == nil && len(h.answers) == 0 {
			failed = b.Flush()
		}
	}
	return failed
}

// hello checks the systems and describes them.
func (h *host) hello(r messages.Request) (messages.Answer, error) {
	a := messages.Answer{Version: messages.Version, Strategies: strategies.Names(), Workers: runtime.GOMAXPROCS(0), Parts: true, ByExtents: true, Turns: true, Knows: []string{messages.KnowsKinds}}
	switch {
	case h.targets != nil:
		return a, errors.New("hello is said once")
	case r.Version != messages.Version:
		return a, fmt.Errorf("the host speaks version %d of the protocol, and not %d", messages.Version, r.Version)
	case len(h.systems) == 0:
		return a, errors.New("the host has no systems")
	}
	targets := map[string]*search.Target{}
	for _, s := range h.watch(r) {
		if targets[s.Name] != nil {
			return a, fmt.Errorf("two systems have the name %q", s.Name)
		}
		t, err := targetOf(s, r.Properties)
		if err != nil {
			return a, err
		}
		targets[s.Name] = t
		d := messages.Description{Description: t.Description, Test: h.test}
		for _, p := range t.Properties {
			d.Properties = append(d.Properties, messages.PropertyOf(p, true))
		}
		a.Systems = append(a.Systems, d)
	}
	h.targets = targets
	return a, nil
}

// targetOf compiles the properties of a system, and the others that are to be
// judged.
func targetOf(s *system.System, others []messages.Property) (*search.Target, error) {
	properties := slices.Clone(s.Properties)
	if datalog.Mangle != nil { // otherwise who asks judges the others
		for _, p := range others {
			properties = append(properties, p.Property())
		}
	}
	return search.NewTarget(s, properties)
}

// progressPause is the least time between two lines of progress.
const progressPause = 200 * time.Millisecond

// search searches a system, or makes a part of that, or learns what it does, and tells
// its progress before.
func (h *host) search(ctx context.Context, r messages.Request) (messages.Answer, error) {
	t, err := h.target(r.System)
	if err != nil {
		return messages.Answer{}, err
	}
	if r.Bounds.EOT > messages.MaxRounds {
		return messages.Answer{}, messages.TooManyRounds(r.Bounds.EOT)
	}
	if r.Executions < 0 {
		return messages.Answer{}, fmt.Errorf("a search has 0 or more executions, and not %d", r.Executions)
	}
	if r.Bounds.Processes != nil && !slices.Equal(r.Bounds.Processes, t.Processes) {
		return messages.Answer{}, fmt.Errorf("the system has the processes %q, and not %q", t.Processes, r.Bounds.Processes)
	}
	r.Bounds = t.Whole(r.Bounds)
	var told time.Time
	r.Progress = func(p result.Progress) {
		if time.Since(told) >= progressPause {
			told = time.Now()
			h.answer(r.ID, messages.Answer{Progress: &p}, nil)
		}
	}
	defer h.alone(t)()
	if r.Do == messages.DoLearn {
		l, err := strategies.Learn(ctx, t, r.Options)
		if err != nil {
			return messages.Answer{}, err
		}
		return messages.Answer{Answer: l.Answer, Table: l.Table}, nil
	}
	if r.Do == messages.DoPart {
		if r.Part == nil {
			return messages.Answer{}, errors.New("a part of a search says which executions it has")
		}
		k, err := strategies.Part(ctx, t, r.Options, *r.Part)
		return messages.Answer{Stretch: k}, err
	}
	a, err := strategies.Run(ctx, t, r.Options)
	return messages.Answer{Answer: a}, err
}

// alone waits until nothing of the program is executed that a system cannot bear. It
// returns what ends that.
func (h *host) alone(t *search.Target) (end func()) {
	if !t.Single {
		return func() {}
	}
	h.single.Lock()
	return h.single.Unlock
}

// target returns the system of that name.
func (h *host) target(name string) (*search.Target, error) {
	if t := h.targets[name]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("the host has no system %q", name)
}

// execute answers a run or a vet.
func (h *host) execute(judges map[string]*search.Judge, r messages.Request) (messages.Answer, error) {
	t, err := h.target(r.System)
	if err != nil {
		return messages.Answer{}, err
	}
	defer h.alone(t)()
	switch {
	case r.Do == messages.DoRun && r.Steered:
		return h.runSteered(t, r)
	case r.Do == messages.DoVet:
		return vet(t.System, r)
	case r.Varies && r.Schedule != nil:
		return messages.Answer{Settled: !t.System.Varies(context.Background(), r.Schedule.Settings)}, nil
	case judges[r.System] == nil:
		judges[r.System] = t.Judge(0, true)
	}
	return run(context.Background(), judges[r.System], r, nil)
}

// run executes a schedule and judges the execution. It is steered if that is not nil.
func run(ctx context.Context, j *search.Judge, r messages.Request, by system.Steering) (messages.Answer, error) {
	if r.Rounds < 0 || r.Rounds > messages.MaxRounds {
		return messages.Answer{}, messages.TooManyRounds(r.Rounds)
	}
	if err := r.Recording.Check(); err != nil {
		return messages.Answer{}, err
	}
	j.Options = system.RunOptions{Rounds: r.Rounds, Record: r.Recording == messages.Always, Steer: by}
	var schedule rounds.Schedule
	if r.Schedule != nil {
		schedule = *r.Schedule
	}
	if len(r.Extents) > 0 {
		return judged(j, schedule, r.Extents)
	}
	if len(r.Without) > 0 {
		violations, err := j.Without(ctx, schedule, r.Without)
		return messages.Answer{Violations: violations}, err
	}
	e, violations, err := j.Execute(ctx, schedule)
	if failed := (*search.ExecutionError)(nil); errors.As(err, &failed) {
		err = failed.Err // who asked knows the schedule
	}
	a := messages.Answer{Violations: violations}
	if late := (*limits.UnjudgedError)(nil); errors.As(err, &late) {
		a.Unjudged, err = &messages.Unjudged{Property: late.Property, Why: late.Why}, nil
	}
	if r.Recording == messages.Always || r.Recording != messages.Never && len(violations) > 0 {
		a.Execution = e
	}
	return a, err
}

// judged executes a schedule and judges what has happened by each of these numbers of
// rounds, as long as what a property awaits has not.
func judged(j *search.Judge, schedule rounds.Schedule, extents []int) (messages.Answer, error) {
	var a messages.Answer
	if err := messages.CheckExtents(extents); err != nil {
		return a, err
	}
	err := j.Extents(context.Background(), schedule, extents, func(n int, violations []result.Violation) bool {
		a.Extents = append(a.Extents, messages.Extent{Rounds: n, Violations: violations})
		return slices.ContainsFunc(violations, func(v result.Violation) bool { return v.ByEnd })
	})
	var late *limits.UnjudgedError
	var failed *search.ExecutionError
	switch {
	case errors.As(err, &late):
		a.Unjudged, err = &messages.Unjudged{Property: late.Property, Why: late.Why}, nil
	case errors.As(err, &failed):
		a.Failed, err = failed.Err.Error(), nil
	}
	return a, err
}

// vet runs the self-tests of a system.
func vet(s *system.System, r messages.Request) (messages.Answer, error) {
	var a messages.Answer
	if r.Runs < 1 || r.Runs > messages.MaxRuns {
		return a, fmt.Errorf("the runs of a vet are 1 to %d, and not %d", messages.MaxRuns, r.Runs)
	}
	var err error
	a.Tests, err = s.SelfTests(context.Background(), r.Runs, r.Seed)
	return a, err
}
