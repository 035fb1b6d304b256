package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

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

// fail makes an error the result. That the time is up is none, nor is a limit.
func (q *question) fail(ctx context.Context, err error) {
	var tooMuch *result.LimitError
	switch {
	case q.ctx.Err() == nil && !errors.As(err, &tooMuch):
		q.result.Error = errorText(err)
	case q.broken != nil:
		q.result.Answer = q.broken
	case tooMuch != nil:
		q.result.Answer = subject.NotAsked(tooMuch.Error())
	default:
		q.result.Answer = subject.NotAsked(q.limit.reason(ctx))
	}
}

// finish adds to the answer how long it took, what ended the search, and how its
// schedule is executed again.
func (q *question) finish(ctx context.Context, elapsed time.Duration) {
	a := q.result.Answer
	a.Elapsed = elapsed
	if a.Verdict == ldfi.Inconclusive && q.ctx.Err() != nil {
		_, detail, _ := strings.Cut(a.Reason, "; ") // how far the search came
		a.Reason = strings.TrimSuffix(q.limit.reason(ctx)+"; "+detail, "; ")
	}
	if a.Verdict == ldfi.Violated {
		q.result.Again = q.c.Subject.InjectCommand(a.Schedule)
	}
}

// errorText names bounds as the suite does, and not the flags.
func errorText(err error) string {
	text := err.Error()
	for _, e := range overrideErrors(err) {
		text = strings.Replace(text, e.Error(), "bounds: "+e.Message, 1)
	}
	return text
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
	if q.broken != nil && !isProtocol && (q.c.Faults == nil || q.broken.Size <= *q.c.Faults) {
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
func (q *question) replay(all []keptSchedule) error {
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
	if key != "" && a.Verdict != ldfi.Inconclusive && q.ctx.Err() == nil && q.unchanged(key) {
		elapsed := a.Elapsed
		a.Elapsed = 0
		if err := q.run.options.Cache.Put(key, a); err != nil {
			q.run.warn(err)
		}
		a.Elapsed = elapsed
	}
	return nil
}

// unchanged tells whether the question is still the one of the key: what a host
// depends on may have been edited while it was asked.
func (q *question) unchanged(key string) bool {
	now, err := q.opened.Key()
	return err == nil && now == key
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
	if q.run.options.Unkept || a.Verdict != ldfi.Violated || a.Schedule.String() == "" || q.broken != nil || !q.c.keeps() {
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
