package suite

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// question is a case that is being asked.
type question struct {
	run     *run
	ctx     context.Context // of the current work
	limit   limit
	whole   context.Context // of the run
	untimed bool            // the limit begins when the host is built
	built   time.Duration   // how long that took
	end     func()          // ends the time that began last
	c       *Case
	system  *subject.System // that the case is about; nil: it is about a protocol
	result  *CaseResult
	opened  *subject.Opened
	broken  *result.Answer // of a schedule that was kept
}

// fail makes an error the result. That the time is up is none, nor is a limit.
func (q *question) fail(ctx context.Context, err error) {
	var tooMuch *limits.LimitError
	var late *limits.UnjudgedError
	switch {
	case q.ctx.Err() == nil && !errors.As(err, &tooMuch) && !errors.As(err, &late):
		q.result.Error = errorText(err)
	case q.broken != nil:
		q.result.Answer = q.broken
	case tooMuch != nil:
		q.result.Answer = subject.NotAsked(tooMuch.Error())
		if tooMuch.What == limits.Memory {
			q.result.Answer.Limit.Kind = limits.Memory
		}
	case late != nil:
		q.result.Answer = subject.NotAsked(late.Error())
	default:
		q.result.Answer = subject.NotAsked(q.limit.reason(ctx))
	}
}

// finish adds to the answer its time, the reason why the search ended, and the command that
// executes its schedule again.
func (q *question) finish(ctx context.Context, elapsed time.Duration) {
	a := q.result.Answer
	if !q.run.handed() || q.result.Cached || a == q.broken {
		a.Stats.Times.Total = text.Milliseconds(elapsed)
	}
	if a.Verdict == result.Inconclusive && q.late() {
		a.Limit.Reason = q.limit.reason(ctx) + after(a)
	}
	if c := a.First(); c != nil {
		q.result.Again = subject.Again(q.c.Subject, a, func(s rounds.Schedule) string {
			return subject.InjectWithin(q.c.Subject, a.Scope.Bounds, s)
		})(c.Schedule)
	}
}

// late tells whether the time of the case is up, or of the run.
func (q *question) late() bool {
	return q.ctx.Err() != nil || q.run.handed() && timedOut(q.result.Answer)
}

// search asks the question, unless the answer is known.
func (q *question) search(memory *subject.Memory, known *result.Answer, key string) (err error) {
	if err := q.build(); err != nil {
		return err
	}
	if q.run.handed() {
		q.end()
		q.ctx, q.end = q.run.handing(q.whole, q.result.Index, q.limit)
	}
	if q.withoutHost() && known == nil {
		q.result.Answer, err = q.system.Elsewhere(q.ctx, q.hosted)
		if q.result.Answer != nil || err != nil {
			return err
		}
		q.system.Hands = nil // they cannot answer it
	}
	opened, err := q.hosted()
	if err != nil {
		return err
	}
	q.result.Answer, q.result.Cached, err = memory.Ask(q.ctx, opened, known, key, q.key)
	return err
}

// warn reports an error of the cache.
func (q *question) warn(err error) { q.run.warn(err) }

// errorText names bounds as the suite does, and not the flags.
func errorText(err error) string {
	text := err.Error()
	for _, e := range overrideErrors(err) {
		message := e.Message
		if !strings.HasPrefix(message, e.Key) {
			message = e.Key + ": " + message
		}
		text = strings.Replace(text, e.Error(), "bounds: "+message, 1)
	}
	return text
}

// ask finds the answer: in the cache, else by a search. What was kept is
// executed in any case, and so is the schedule of an answer from the cache.
func (q *question) ask() error {
	stores, err := q.stores()
	if err != nil {
		return err
	}
	all, err := readKept(stores)
	if err != nil {
		return err
	}
	key := ""
	if q.run.options.Cache != nil && len(q.c.Known) == 0 { // known violations may be fixed
		if key, err = q.key(); err != nil {
			return err
		}
	}
	memory := &subject.Memory{Cache: q.run.options.Cache, Warn: q.warn}
	known := memory.Known(key)
	if err := q.known(); err != nil {
		return err
	}
	if q.system != nil && len(all) == 0 && known != nil && known.Verdict == result.Holds {
		q.result.Answer, q.result.Cached = known, true
		return nil // and no host has to be started
	}
	if err := q.first(all); err != nil {
		return err
	}
	exits := q.system != nil && q.broken != nil && search.Exits(q.broken.First())
	if exits {
		q.system.Past = append(slices.Clip(q.system.Past), q.broken.First().Violations...)
		known, key = nil, ""
	}
	if q.broken != nil && q.system != nil && !exits && (q.c.Faults == nil || q.broken.First().Size <= *q.c.Faults) {
		q.result.Answer = q.broken
		return nil
	}
	if err := q.search(memory, known, key); err != nil {
		return err
	}
	if exits {
		return q.behind(stores[0])
	}
	if q.broken != nil && q.result.Answer.Verdict != result.Violated {
		q.result.Answer, q.result.Cached = q.broken, false
	}
	return q.keep(stores[0])
}

// behind keeps a violation found past the end of a program, and adds it to the answer with
// that end.
func (q *question) behind(dir string) error {
	past, broken := q.result.Answer, q.broken
	q.broken = nil
	if err := q.keep(dir); err != nil {
		return err
	}
	q.broken, q.result.Answer = broken, broken
	if broken.Search = past.Search; broken.Search == nil {
		return nil
	}
	search.Behind(broken, past)
	return nil
}

// first opens the subject, unless workers are asked about a system, and executes the kept
// schedules.
func (q *question) first(all []keptSchedule) error {
	if q.withoutHost() && len(all) == 0 {
		q.shut() // the host was started to ask for the directory of its test
		return nil
	}
	if err := q.open(); err != nil {
		return err
	}
	err := q.replay(all)
	if q.withoutHost() { // it may wait for long
		q.shut()
	}
	return err
}

// withoutHost tells whether a host is started only to execute schedules.
func (q *question) withoutHost() bool {
	return q.system != nil && q.system.Hands != nil
}

// open opens the subject unless that was done. Where cases are handed out there may be
// many at a time, and of hosts there are no more than this machine has cores.
func (q *question) open() (err error) {
	if q.opened != nil {
		return nil
	}
	if q.system != nil {
		select {
		case q.run.hosts <- struct{}{}:
		case <-q.ctx.Done():
			return q.ctx.Err()
		}
	}
	if q.opened, err = q.c.Subject.Open(q.ctx); err != nil && q.system != nil {
		<-q.run.hosts
	}
	q.timed(err)
	return err
}

// build builds the host that is handed out, if that was not done. It is no part of the time.
func (q *question) build() error {
	if !q.untimed || !q.withoutHost() {
		return nil
	}
	err := q.system.Build(q.ctx)
	q.timed(err)
	return err
}

// timed starts the time of the case, unless it has started: the host has been built, or
// cannot be.
func (q *question) timed(err error) {
	if !q.untimed {
		return
	}
	q.untimed = false
	q.built += q.run.built(q.result.Index)
	if err == nil {
		q.ctx, q.end = q.limit.context(q.ctx)
	}
}

// hosted returns the opened subject of the case.
func (q *question) hosted() (*subject.Opened, error) {
	err := q.open()
	return q.opened, err
}

// shut closes the subject if it is open.
func (q *question) shut() {
	if q.opened == nil {
		return
	}
	q.opened.Close()
	q.opened = nil
	if q.system != nil {
		<-q.run.hosts
	}
}

// close ends the question, after the caller of the run has seen it.
func (q *question) close(ctx context.Context) {
	if q.run.options.Judged != nil && q.withoutHost() && !q.result.Cached && q.result.Answer != nil {
		q.ctx = ctx
		_ = q.open() // there is less to look at without
	}
	if judged := q.run.options.Judged; judged != nil {
		judged(ctx, q.c, q.result, q.opened)
	}
	q.shut()
}

// key returns the key of the question in the cache; it starts no host.
func (q *question) key() (string, error) {
	if q.system != nil {
		return q.system.Key()
	}
	if err := q.open(); err != nil {
		return "", err
	}
	return q.opened.Key()
}

// known executes the known violations, so that the search can ignore them.
func (q *question) known() error {
	if len(q.c.Known) == 0 {
		return nil
	}
	if err := q.open(); err != nil {
		return err
	}
	q.system.Past = nil
	for _, name := range q.c.Known {
		k := keptSchedule{file: filepath.Join(q.run.suite.dir(), filepath.FromSlash(name))}
		var err error
		if k.schedule, err = schedules.ReadKept(k.file); err != nil {
			return err
		}
		r, in, err := k.replay(q.ctx, q.c, q.opened)
		if err != nil {
			return err
		}
		if r.Known = true; in != nil && in.Verdict == result.Violated {
			r.Reason = in.Violations[0].String()
			q.system.GoPast(in)
		}
		q.result.Kept = append(q.result.Kept, r)
	}
	return nil
}

// replay executes the kept schedules.
func (q *question) replay(all []keptSchedule) error {
	for _, k := range all {
		if slices.ContainsFunc(q.result.Kept, func(r KeptResult) bool { return r.Known && r.File == filepath.ToSlash(k.file) }) {
			continue // the violation is a known one
		}
		r, in, err := k.replay(q.ctx, q.c, q.opened)
		if err != nil {
			return err
		}
		if in != nil && in.Verdict == result.Violated && q.isKnown(in.Violations) {
			r.Known, r.Reason = true, in.Violations[0].String()
			in = nil
		}
		q.result.Kept = append(q.result.Kept, r)
		if in != nil && in.Verdict == result.Violated && q.broken == nil {
			q.broken = subject.Broken(in)
		}
	}
	return nil
}

// isKnown tells whether all that is violated is known.
func (q *question) isKnown(violations []result.Violation) bool {
	return q.system != nil && !slices.ContainsFunc(violations, func(v result.Violation) bool { return !search.Known(v, q.system.Past) })
}

// keep keeps the schedule of the answer, unless it is empty or a kept schedule breaks the
// case as well.
func (q *question) keep(dir string) error {
	a := q.result.Answer
	if g := a.Guidance; g != nil && a.First() != nil && a.First().Violations[0].Property == g.File {
		return nil // a bad state of the guide, which finds it again
	}
	if q.run.options.Unkept || a.Verdict != result.Violated || a.First().Schedule.String() == "" || q.broken != nil || !q.c.keeps() {
		return nil
	}
	var names []string
	for i := range a.Counterexamples {
		if i > 0 && a.Search == nil { // of the same promise
			break
		}
		file, err := keep(dir, q.c, a, &a.Counterexamples[i])
		if err != nil {
			q.run.warn(err)
			break
		}
		names = append(names, filepath.ToSlash(file))
	}
	q.result.NewKept = strings.Join(names, ", ")
	return nil
}
