package wire

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/derive"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
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
	h := &host{systems: systems, answers: make(chan answer, 256), cancels: map[int]context.CancelFunc{}}
	var wrote error
	var writer sync.WaitGroup
	writer.Go(func() { wrote = h.write(out) })
	err := h.read(newLines(in, maxRequest))
	close(h.answers)
	writer.Wait()
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
	systems  []*system.System
	greeted  bool
	checkers map[string][]*property.Checker // by system
	answers  chan answer

	mutex   sync.Mutex
	cancels map[int]context.CancelFunc // of searches, by id
}

// read reads requests and answers them, until there are no more.
func (h *host) read(in *lines) error {
	requests := make(chan request)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(requests)
	defer h.cancel(0) // nobody waits for what is found
	for {
		var r request
		err := in.next(&r)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			h.answers <- answer{Error: err.Error()}
			return err
		case r.ID < 1:
			err := fmt.Errorf("the id of a request is 1 or more, and not %d", r.ID)
			h.answers <- answer{Error: err.Error()}
			return err
		case r.Do == doHello && !h.greeted:
			h.answers <- h.hello(r)
			if h.greeted {
				h.start(&workers, requests)
			}
		case r.Do == doHello:
			h.answers <- answer{ID: r.ID, Error: "hello is said once"}
		case !h.greeted:
			h.answers <- answer{ID: r.ID, Error: "the first request has to be hello"}
		case r.Do == doCancel:
			h.cancel(r.Of)
			h.answers <- answer{ID: r.ID}
		case r.Do == doSearch:
			ctx, cancel := context.WithCancel(context.Background())
			h.began(r.ID, cancel)
			workers.Go(func() {
				h.answers <- h.worker().search(ctx, r)
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
func (h *host) start(workers *sync.WaitGroup, requests <-chan request) {
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
			failed = writeLine(b, a)
		}
		if failed == nil && len(h.answers) == 0 {
			failed = b.Flush()
		}
	}
	return failed
}

// hello checks the systems and describes them.
func (h *host) hello(r request) answer {
	if r.Version != Version {
		return answer{ID: r.ID, Error: fmt.Sprintf("the host speaks version %d of the protocol, and not %d", Version, r.Version)}
	}
	if len(h.systems) == 0 {
		return answer{ID: r.ID, Error: "the host has no systems"}
	}
	a := answer{ID: r.ID, Version: Version}
	h.checkers = map[string][]*property.Checker{}
	for _, s := range h.systems {
		d, err := h.describe(s, r.Properties)
		if err != nil {
			return answer{ID: r.ID, Error: err.Error()}
		}
		a.Systems = append(a.Systems, d)
	}
	for _, s := range search.Strategies() {
		a.Strategies = append(a.Strategies, s.Name())
	}
	h.greeted = true
	return a
}

// describe describes a system and compiles its properties, and the others that
// are to be judged.
func (h *host) describe(s *system.System, others []propertyOnWire) (Description, error) {
	if err := s.Validate(); err != nil {
		return Description{}, err
	}
	if _, twice := h.checkers[s.Name]; twice {
		return Description{}, fmt.Errorf("two systems have the name %q", s.Name)
	}
	d := Description{Name: s.Name, Processes: s.Processes, Rounds: s.Rounds}
	if !reflect.DeepEqual(s.Faults, rounds.Bounds{}) {
		bounds := search.DefaultBounds(s, rounds.Bounds{})
		d.Faults = &bounds
	}
	var err error
	if d.Offers, err = offers(s); err != nil {
		return d, err
	}
	properties := slices.Clone(s.Properties)
	if derive.Mangle != nil { // otherwise who asks judges the others
		for _, p := range others {
			properties = append(properties, p.property())
		}
	}
	h.checkers[s.Name] = []*property.Checker{}
	for _, p := range properties {
		c, err := property.Compile(p)
		if err != nil {
			return d, err
		}
		h.checkers[s.Name] = append(h.checkers[s.Name], c)
		d.Properties = append(d.Properties, propertyOf(p, true))
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
func (w *worker) search(ctx context.Context, r request) answer {
	x, err := w.runner(r.System)
	var a answer
	if err == nil {
		var told time.Time
		a, err = x.search(ctx, r, func(p search.Progress) {
			if time.Since(told) >= progressPause {
				told = time.Now()
				w.host.answers <- answer{ID: r.ID, Progress: &p}
			}
		})
	}
	if err != nil {
		a = answer{Error: err.Error()}
	}
	a.ID = r.ID
	return a
}

// runner executes one system.
type runner struct {
	*system.Judge
	system   *system.System
	checkers []*property.Checker
}

// answer answers a run or a vet.
func (w *worker) answer(r request) answer {
	x, err := w.runner(r.System)
	var a answer
	if err == nil {
		switch r.Do {
		case doRun:
			a, err = x.run(r)
		case doVet:
			a, err = x.vet(r)
		default:
			err = fmt.Errorf("there is no request %q", r.Do)
		}
	}
	if err != nil {
		return answer{ID: r.ID, Error: err.Error()}
	}
	a.ID = r.ID
	return a
}

// runner returns the runner for a system, which this worker keeps.
func (w *worker) runner(name string) (*runner, error) {
	if x := w.runners[name]; x != nil {
		return x, nil
	}
	for _, s := range w.host.systems {
		if s.Name == name {
			x := &runner{system: s}
			for _, c := range w.host.checkers[name] {
				x.checkers = append(x.checkers, c.Clone())
			}
			x.Judge = s.NewJudge(x.checkers...)
			w.runners[name] = x
			return x, nil
		}
	}
	return nil, fmt.Errorf("the host has no system %q", name)
}

func tooManyRounds(n int) error {
	return fmt.Errorf("an execution has 1 to %d rounds, and not %d", maxRounds, n)
}

// run executes a schedule and judges the execution.
func (x *runner) run(r request) (answer, error) {
	if r.Rounds < 0 || r.Rounds > maxRounds {
		return answer{}, tooManyRounds(r.Rounds)
	}
	x.Options = system.RunOptions{Rounds: r.Rounds, Record: r.Recording == Always}
	e, violations, err := x.Judge.Judge(context.Background(), r.Schedule)
	if err != nil {
		return answer{}, err
	}
	a := answer{Violations: violations}
	if r.Recording == Always || r.Recording != Never && len(violations) > 0 {
		a.Execution = e
	}
	return a, nil
}

// offers returns what the processes of a system can do beside what they must.
func offers(s *system.System) (all []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("system %q: its New panics: %v", s.Name, r)
		}
	}()
	random := rand.New(rand.NewPCG(0, 0))
	can := map[string]bool{"restarts": true, "ticks": true, "fingerprints": true, "snapshots": true}
	for _, name := range s.Processes {
		p := s.New(name, random)
		_, restarts := p.(system.Restarter)
		_, ticks := p.(system.Ticker)
		_, fingerprints := p.(system.Fingerprinter)
		_, snapshots := p.(system.Snapshotter)
		for what, has := range map[string]bool{"restarts": restarts, "ticks": ticks, "fingerprints": fingerprints, "snapshots": snapshots} {
			can[what] = can[what] && has
		}
	}
	maps.DeleteFunc(can, func(_ string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(can)), nil
}

// vet runs the self-tests of a system.
func (x *runner) vet(r request) (answer, error) {
	if r.Runs < 1 || r.Runs > maxRuns {
		return answer{}, fmt.Errorf("the runs of a vet are 1 to %d, and not %d", maxRuns, r.Runs)
	}
	ctx := context.Background()
	errs := []error{x.system.CheckDeterminism(ctx, r.Runs, r.Seed)}
	if errs[0] == nil {
		errs = append(errs, x.system.CheckState(ctx, r.Runs, r.Seed))
	}
	if len(x.system.Durable) > 0 {
		errs = append(errs, x.system.CheckDurability(ctx, r.Runs, r.Seed))
	}
	var a answer
	for _, err := range errs {
		if err != nil {
			a.Findings = append(a.Findings, err.Error())
		}
	}
	return a, nil
}
