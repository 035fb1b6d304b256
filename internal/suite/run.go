package suite

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"golang.org/x/sync/errgroup"
)

// Options say how a suite is run.
type Options struct {
	Budget  time.Duration  // for all cases together; 0: as long as it takes
	Timeout time.Duration  // for each case that states none; 0: as long as it takes
	Workers int            // cases that run at the same time in this process; 0: one for each core
	Shard   Shard          // the part of the suite; the zero value: all of it
	Cache   *subject.Cache // nil: none
	Solver  string         // the command of a SAT solver for the protocols; "": the one that is built in
	Unkept  bool           // keep no further schedules: what is found becomes what is expected
	Hands   work.Hands     // do the searches, as many at a time as they can; nil: they are done here
	Stderr  io.Writer      // receives the standard error of hosts; nil: discarded
	// Judged is called with the result of each case, and with its opened subject, which is
	// nil if it was not needed or could not be opened. Calls may overlap; nil: nothing is
	// called.
	Judged func(ctx context.Context, c *Case, r *CaseResult, o *subject.Opened)

	Progress func(string) // called with the number of cases done, a phrase; calls never overlap; nil: nothing is called
}

// Run asks all cases and compares the answers with the expectations. When the context or
// the budget ends, cases without an answer are inconclusive.
func (s *Suite) Run(ctx context.Context, o Options) *Report {
	r := &run{suite: s, options: o, now: time.Now}
	if r.options.Workers <= 0 {
		r.options.Workers = runtime.GOMAXPROCS(0)
	}
	if r.options.Progress == nil {
		r.options.Progress = func(string) {}
	}
	if o.Stderr != nil {
		r.options.Stderr = subprocess.NewLockedWriter(o.Stderr)
	}
	return r.all(ctx)
}

// run is one run of a suite.
type run struct {
	suite    *Suite
	options  Options
	now      func() time.Time
	deadline time.Time // of the budget; zero: none

	mutex    sync.Mutex
	waiting  int               // cases that have not begun
	running  map[int]time.Time // when the time of each case is up that was begun, within a budget
	building map[int]time.Time // since when the hosts of cases are built
	hosts    chan struct{}     // has one thing for each host that runs
	active   int               // cases that are begun and not done
	freed    chan struct{}     // has something when one of them is done
	programs subject.Programs
	done     int
	total    int // cases
	warnings []string
}

// all runs the cases of the shard.
func (r *run) all(ctx context.Context) *Report {
	indexes := r.options.Shard.of(len(r.suite.Cases))
	report := &Report{
		Version: reportVersion, Suite: filepath.ToSlash(r.suite.File), Digest: r.suite.digest(), Shard: r.options.Shard.String(),
		Total: len(r.suite.Cases), Cases: make([]CaseResult, len(indexes)), Warnings: []string{},
	}
	if r.options.Budget > 0 {
		r.deadline = r.now().Add(r.options.Budget)
	}
	r.total, r.waiting, r.running, r.building, r.freed = len(indexes), len(indexes), map[int]time.Time{}, map[int]time.Time{}, make(chan struct{}, 1)
	r.hosts = make(chan struct{}, r.options.Workers)
	var workers errgroup.Group
	atOnce := min(r.options.Workers, len(indexes))
	shared := limits.DivideMemory(ctx, atOnce)
	for i, index := range indexes {
		r.admit()
		workers.Go(func() error {
			report.Cases[i] = r.one(shared, index)
			r.finished(index)
			return nil
		})
	}
	_ = workers.Wait() // no case ends another
	if atOnce > 1 {
		r.alone(ctx, report.Cases)
	}
	r.programs.Close()
	slices.Sort(r.warnings) // they come in any order, and many are alike where the cache cannot be used
	report.Warnings = append(report.Warnings, slices.Compact(r.warnings)...)
	return report
}

// alone runs the cases again, one after the other, for which there was too little memory
// beside others.
func (r *run) alone(ctx context.Context, all []CaseResult) {
	var again []*CaseResult
	for i := range all {
		if a := all[i].Answer; a != nil && a.Limit != nil && a.Limit.Kind == limits.Memory {
			again = append(again, &all[i])
		}
	}
	r.waiting = len(again)
	for _, result := range again {
		r.active++
		*result = r.one(ctx, result.Index)
		r.finished(result.Index)
	}
}

func (r *run) finished(index int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.running, index)
	r.done++
	r.active--
	select {
	case r.freed <- struct{}{}:
	default:
	}
	r.tell()
}

// tell reports the progress of the run, and the hosts that are being built, which may take
// long.
func (r *run) tell() {
	s := fmt.Sprintf("%d of %s", r.done, text.Plural(r.total, "case"))
	switch n := len(r.building); {
	case n == 1:
		for index := range r.building {
			s = fmt.Sprintf("building the host of %s; %s", r.suite.Cases[index].Name, s)
		}
	case n > 1:
		s = fmt.Sprintf("building the hosts of %s; %s", text.Plural(n, "case"), s)
	}
	r.options.Progress(s)
}

// warn notes a warning of the run.
func (r *run) warn(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.warnings = append(r.warnings, err.Error())
}

// one runs a case.
func (r *run) one(ctx context.Context, index int) CaseResult {
	c := r.suite.Cases[index]
	c.Subject = c.Subject.Copy()
	untimed := r.prepare(c.Subject)
	result := CaseResult{
		Index: index, Name: c.Name, Position: c.Position,
		Expect: c.Expect, ExpectFaults: c.Faults, ExpectVacuous: c.Vacuous,
	}
	result.File = filepath.ToSlash(result.File)
	if p := c.Subject.AsProtocol(); p != nil {
		result.Rounds = spanOf(p)
	}
	limit := r.limit(index, c.Timeout)
	if why := limit.over(ctx); why != "" {
		result.Answer = subject.NotAsked("not run: " + why)
		result.judge(true)
		return result
	}
	if r.handed() {
		common := c.Subject.Shared()
		common.Hands, common.Limit = r.options.Hands, limit.time
	}
	start := r.now()
	begin := limit
	if untimed {
		begin = limitless // its time begins when its host is built
		r.builds(index)
		defer r.built(index)
	}
	within, end := begin.context(ctx)
	defer end()
	q := &question{run: r, ctx: within, whole: ctx, limit: limit, untimed: untimed, end: func() {}, c: &c, system: c.Subject.AsSystem(), result: &result}
	defer func() { q.end() }()
	if err := q.ask(); err != nil {
		q.fail(ctx, err)
	}
	if result.Answer != nil {
		q.built += r.built(index)
		q.finish(ctx, r.now().Sub(start)-q.built)
	}
	result.judge(ctx.Err() != nil || limit.ofBudget && q.late() || setAside(result.Answer))
	q.close(ctx)
	return result
}

// spanOf says of which rounds a case is, if it is not about those of its bounds.
func spanOf(p *subject.Protocol) string {
	switch number := p.Bounds["within"]; {
	case p.AnyRounds:
		return "any"
	case number != "" && number != "none":
		return "within " + number
	}
	return ""
}

// prepare connects a question to the run, and tells whether its host has to be built.
func (r *run) prepare(about subject.Subject) (builds bool) {
	if p := about.AsProtocol(); p != nil && spanOf(p) == "" { // a proof has a solver of its own
		p.Solver = r.options.Solver
	}
	s := about.AsSystem()
	if s == nil {
		return false
	}
	s.Stderr = r.options.Stderr
	if r.handed() {
		s.Programs = &r.programs
	}
	return subject.Builds(s.Command)
}
