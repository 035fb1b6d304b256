package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// keptSchedule is a schedule in a file.
type keptSchedule struct {
	file     string
	schedule rounds.Schedule
}

// stores returns the directories with kept schedules of a case; new schedules go to the
// first. They are the directory that the case names; or else that of the test which is its
// host, so that both know the same schedules, and its own.
func (q *question) stores() ([]string, error) {
	if q.c.Kept != "" {
		return []string{filepath.Join(q.run.suite.dir(), filepath.FromSlash(q.c.Kept))}, nil
	}
	own := q.run.suite.keptDir(q.c)
	if q.system == nil || !q.system.Tested() {
		return []string{own}, nil
	}
	if err := q.open(); err != nil {
		return nil, err
	}
	dir := q.opened.AsSystem().Kept
	if dir == "" {
		return []string{own}, nil
	}
	if here, err := os.Getwd(); err == nil {
		dir = Near(here, "", dir)
	}
	return []string{dir, own}, nil
}

// readKept returns the schedules that are kept in directories, by their file names.
func readKept(dirs []string) (all []keptSchedule, err error) {
	for _, dir := range dirs {
		more, err := readStore(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

func readStore(dir string) ([]keptSchedule, error) {
	files.RemoveTemporary(dir)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for schedules that were kept: %w", err)
	}
	var all []keptSchedule
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".txt" {
			continue
		}
		file := filepath.Join(dir, entry.Name())
		schedule, err := schedules.ReadKept(file)
		if err != nil {
			return nil, err
		}
		all = append(all, keptSchedule{file, schedule})
	}
	return all, nil
}

// replay executes a schedule that was kept. The injection is nil if that was not
// possible.
func (k keptSchedule) replay(ctx context.Context, c *Case, o *subject.Opened) (KeptResult, *result.Injection, error) {
	r := KeptResult{File: filepath.ToSlash(k.file), Schedule: k.schedule}
	if err := fits(o, k.schedule); err != nil {
		r.Outcome, r.Reason = Misfit, err.Error()
		return r, nil, nil
	}
	r.Again = c.Subject.InjectCommand(k.schedule)
	in, err := o.Replay(ctx, k.schedule)
	if in != nil {
		r.Again = subject.InjectWithin(c.Subject, in.Bounds, k.schedule)
	}
	var misfit *subject.MisfitError
	var limit *limits.LimitError
	var late *limits.UnjudgedError
	switch {
	case errors.As(err, &misfit):
		r.Outcome, r.Reason, r.Again = Misfit, errors.Unwrap(misfit.Err).Error(), ""
	case errors.As(err, &limit):
		r.Outcome, r.Reason = NotRun, limit.Error()
	case errors.As(err, &late):
		r.Outcome, r.Reason = NotRun, late.Error()
	case err != nil && ctx.Err() != nil:
		r.Outcome, r.Reason = NotRun, "the time is up"
	case err != nil:
		return r, nil, fmt.Errorf("executing the schedule in %s: %w", k.file, err)
	default:
		r.Outcome, r.Reason, r.Repeats = Replayed(in.Verdict), answertext.Remark(in), in.Repeats
	}
	return r, in, nil
}

// fits reports a schedule outside the bounds of a protocol, which says nothing about the
// expectation within the bounds. Strategies may exceed the bounds of a system, but not its
// assumptions.
func fits(o *subject.Opened, s rounds.Schedule) error {
	if o.AsSystem() != nil {
		return schedules.KeptOfSystem(s, o.Bounds())
	}
	b, err := o.AsProtocol().BoundsOf(s)
	if err != nil || s.Check(b) != nil || s.CheckProgram() != nil {
		return nil // Replay reports that
	}
	if err := o.Within(s); err != nil {
		return fmt.Errorf("it lies outside the bounds: %w", errors.Unwrap(err))
	}
	return nil
}

// keeps tells whether a schedule that breaks a case is worth keeping. That of a
// protocol that is expected to break is found again each time.
func (c *Case) keeps() bool { return c.Expect != result.Violated || c.Subject.AsSystem() != nil }

// keep writes a schedule of an answer to a new file in a directory, with its case and
// violation, so that a review can judge it, and returns the name of the file.
func keep(dir string, c *Case, a *result.Answer, first *result.Counterexample) (string, error) {
	v := first.Violations[0]
	_, file, err := schedules.KeptFiles(dir, v.Property)
	if err != nil {
		return "", err
	}
	comments := []string{text.Safe(fmt.Sprintf("%s breaks %s: %s", c.Name, v.Property, v.Text))}
	comments = append(comments, text.SafeEach(first.Because)...)
	if first.Repeats != nil {
		comments = append(comments, first.Repeats.Found())
	}
	comments = append(comments, a.Scope.Text, subject.InjectWithin(c.Subject, a.Scope.Bounds, first.Schedule))
	return file, schedules.WriteKept(file, first.Schedule, comments...)
}
