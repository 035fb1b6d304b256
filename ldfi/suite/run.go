package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/subject"
	"github.com/lineage-driven/ldfi/rounds"
)

// Options say how a suite is run.
type Options struct {
	Budget   time.Duration  // for all cases together; 0: as long as it takes
	Timeout  time.Duration  // for each case that states none; 0: as long as it takes
	Workers  int            // cases at the same time; 0: one for each core
	Shard    Shard          // which part of the suite; the zero value: all of it
	Cache    *subject.Cache // nil: none
	Unkept   bool           // keep no further schedules: what is found becomes what is expected
	Stderr   io.Writer      // gets what hosts of systems write to standard error; nil: nobody does
	Progress func(done, total int)
}

// Run asks all cases and compares the answers with what is expected. When the
// context or the budget ends, what is not known by then is inconclusive.
func (s *Suite) Run(ctx context.Context, o Options) *Report {
	r := &run{suite: s, options: o, now: time.Now}
	if r.options.Workers <= 0 {
		r.options.Workers = runtime.GOMAXPROCS(0)
	}
	if r.options.Progress == nil {
		r.options.Progress = func(int, int) {}
	}
	if o.Stderr != nil {
		r.options.Stderr = &oneAtATime{w: o.Stderr}
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
	waiting  int // cases that nobody has begun
	done     int
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
	r.waiting = len(indexes)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(r.options.Workers, len(indexes)) {
		workers.Go(func() {
			for i := range next {
				report.Cases[i] = r.one(ctx, indexes[i])
				r.finished(len(indexes))
			}
		})
	}
	for i := range indexes {
		next <- i
	}
	close(next)
	workers.Wait()
	slices.Sort(r.warnings) // they come in any order
	report.Warnings = append(report.Warnings, r.warnings...)
	return report
}

func (r *run) finished(total int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.done++
	r.options.Progress(r.done, total)
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
	c.Subject.Stderr = r.options.Stderr
	result := CaseResult{
		Index: index, Name: c.Name, File: filepath.ToSlash(c.Position.File), Line: c.Position.Line, Col: c.Position.Column,
		Expect: c.Expect, ExpectFaults: c.Faults,
	}
	start := r.now()
	limit := r.limit(c.Timeout)
	if why := limit.over(ctx); why != "" {
		result.Answer = subject.NotAsked("not run: " + why)
		result.judge(true)
		return result
	}
	within, end := limit.context(ctx)
	defer end()
	q := &question{run: r, ctx: within, limit: limit, c: &c, result: &result}
	err := q.ask()
	if err != nil {
		q.fail(ctx, err)
	}
	if a := result.Answer; a != nil {
		a.Elapsed = r.now().Sub(start)
		if a.Verdict == ldfi.Inconclusive && within.Err() != nil {
			a.Reason = limit.reason(ctx)
		}
		if a.Verdict == ldfi.Violated {
			result.Again = c.Subject.InjectCommand(a.Schedule)
		}
	}
	result.judge(ctx.Err() != nil || limit.ofBudget && within.Err() != nil)
	return result
}

// question is a case that is being asked.
type question struct {
	run    *run
	ctx    context.Context
	limit  limit
	c      *Case
	result *CaseResult
	opened *subject.Opened
	broken *subject.Answer // of a schedule that was kept
}

// fail makes an error the result. That the time is up is none.
func (q *question) fail(ctx context.Context, err error) {
	var tooMuch *rounds.LimitError
	switch {
	case q.broken != nil:
		q.result.Answer = q.broken
	case q.ctx.Err() != nil:
		q.result.Answer = subject.NotAsked(q.limit.reason(ctx))
	case errors.As(err, &tooMuch):
		q.result.Answer = subject.NotAsked(tooMuch.Error())
	default:
		q.result.Error = errorText(err)
	}
}

// errorText names bounds as the suite does, and not the flags.
func errorText(err error) string {
	var texts []string
	for _, e := range overrideErrors(err) {
		texts = append(texts, "bounds: "+e.Message)
	}
	if len(texts) > 0 {
		return strings.Join(texts, "\n")
	}
	return err.Error()
}

// ask finds the answer: in the cache, else by a search. What was kept is
// executed in any case, and so is the schedule of an answer from the cache.
func (q *question) ask() error {
	dir := q.run.suite.keptDir(q.c)
	all, err := readKept(dir)
	if err != nil {
		return err
	}
	key, known, err := q.cached()
	if err != nil {
		return err
	}
	isProtocol := q.c.Subject.System == ""
	if !isProtocol && len(all) == 0 && known != nil && known.Verdict == ldfi.Holds {
		q.result.Answer, q.result.Cached = known, true
		return nil // and no host has to be started
	}
	if err := q.open(); err != nil {
		return err
	}
	defer q.opened.Close()
	if err := q.replay(all); err != nil {
		return err
	}
	if q.broken != nil && !isProtocol {
		q.result.Answer = q.broken
		return nil
	}
	if err := q.search(key, known); err != nil {
		return err
	}
	if q.broken != nil && q.result.Answer.Verdict != ldfi.Violated {
		q.result.Answer, q.result.Cached = q.broken, false
	}
	return q.keep(dir)
}

// open opens the subject unless that was done.
func (q *question) open() (err error) {
	if q.opened == nil {
		q.opened, err = q.c.Subject.Open(q.ctx)
	}
	return err
}

// cached returns the key of the question, and the answer in the cache.
func (q *question) cached() (key string, known *subject.Answer, err error) {
	if q.run.options.Cache == nil {
		return "", nil, nil
	}
	if q.c.Subject.System != "" {
		key, err = q.c.Subject.Key()
	} else if err = q.open(); err == nil {
		key, err = q.opened.Key()
	}
	if err != nil || key == "" {
		return "", nil, err
	}
	known, err = q.run.options.Cache.Get(key)
	if err != nil {
		q.run.warn(err)
		return key, nil, nil
	}
	return key, known, nil
}

// replay executes what was kept.
func (q *question) replay(all []kept) error {
	for _, k := range all {
		r, a, err := k.replay(q.ctx, q.c, q.opened)
		if err != nil {
			return err
		}
		q.result.Kept = append(q.result.Kept, r)
		if a != nil && a.Verdict == ldfi.Violated && q.broken == nil {
			q.broken = a
		}
	}
	return nil
}

// search takes over the answer that is known, or looks for one.
func (q *question) search(key string, known *subject.Answer) error {
	if known != nil && q.confirms(known) {
		q.result.Answer, q.result.Cached = known, true
		return nil
	}
	a, err := q.opened.Search(q.ctx)
	if err != nil {
		return err
	}
	q.result.Answer = a
	if key != "" && a.Verdict != ldfi.Inconclusive && q.ctx.Err() == nil {
		elapsed := a.Elapsed
		a.Elapsed = 0
		if err := q.run.options.Cache.Put(key, a); err != nil {
			q.run.warn(err)
		}
		a.Elapsed = elapsed
	}
	return nil
}

// confirms executes the schedule of an answer that comes from the cache.
func (q *question) confirms(a *subject.Answer) bool {
	if a.Verdict != ldfi.Violated {
		return a.Verdict == ldfi.Holds
	}
	again, err := q.opened.Replay(q.ctx, a.Schedule)
	switch {
	case q.ctx.Err() != nil:
		return false
	case err == nil && again.Verdict == ldfi.Violated:
		return true
	}
	q.run.warn(fmt.Errorf("the cache has the schedule %q for %s, which breaks nothing: it is searched again", a.Schedule, q.c.Name))
	return false
}

// keep keeps the schedule of the answer, unless it is empty or one that was kept
// breaks the case as well.
func (q *question) keep(dir string) error {
	a := q.result.Answer
	if q.run.options.Unkept || a.Verdict != ldfi.Violated || len(a.Schedule) == 0 || q.broken != nil || !q.c.keeps() {
		return nil
	}
	file, err := keep(dir, q.c, a)
	if err != nil {
		q.run.warn(err)
		return nil
	}
	q.result.NewKept = filepath.ToSlash(file)
	return nil
}

// oneAtATime lets several goroutines write.
type oneAtATime struct {
	mutex sync.Mutex
	w     io.Writer
}

func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.w.Write(p)
}
