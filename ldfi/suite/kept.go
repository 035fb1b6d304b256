package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/atomicfile"
	"github.com/lineage-driven/ldfi/ldfi/subject"
	"github.com/lineage-driven/ldfi/rounds"
)

// kept is a schedule in a file: lines of comment that begin with "#", and one
// with the schedule.
type kept struct {
	file     string
	schedule rounds.Schedule
}

// readKept returns the schedules that are kept in a directory, by their file
// names.
func readKept(dir string) ([]kept, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for schedules that were kept: %w", err)
	}
	var all []kept
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".txt" {
			continue
		}
		file := filepath.Join(dir, entry.Name())
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading a schedule that was kept: %w", err)
		}
		schedule, err := parseKept(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, kept{file, schedule})
	}
	return all, nil
}

// parseKept reads the text of a schedule that was kept. Where it breaks a case
// without any fault there are only comments, but never nothing at all.
func parseKept(text string) (rounds.Schedule, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("the file is empty; restore the schedule that was kept in it, or delete it")
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return rounds.ParseSchedule(strings.Join(lines, "; "))
}

// replay executes a schedule that was kept. The answer is nil if that was not
// possible.
func (k kept) replay(ctx context.Context, c *Case, o *subject.Opened) (KeptResult, *subject.Answer, error) {
	r := KeptResult{File: filepath.ToSlash(k.file), Schedule: k.schedule}
	if err := fits(c, o, k.schedule); err != nil {
		r.Outcome = "does not fit: " + err.Error()
		return r, nil, nil
	}
	r.Again = c.Subject.InjectCommand(k.schedule)
	a, err := o.Replay(ctx, k.schedule)
	var misfit *subject.MisfitError
	var limit *rounds.LimitError
	switch {
	case errors.As(err, &misfit):
		r.Outcome, r.Again = "does not fit: "+strings.TrimPrefix(misfit.Error(), "schedule: "), ""
	case errors.As(err, &limit):
		r.Outcome = "not run: " + limit.Error()
	case err != nil && ctx.Err() != nil:
		r.Outcome = "not run: the time is up"
	case err != nil:
		return r, nil, fmt.Errorf("executing the schedule in %s: %w", k.file, err)
	default:
		r.Outcome = string(a.Verdict)
	}
	return r, a, nil
}

// fits reports a schedule outside the bounds of a protocol, which says nothing
// about what is expected within them. Strategies may leave those of a system.
func fits(c *Case, o *subject.Opened, s rounds.Schedule) error {
	if c.Subject.System != "" || s.Check(o.Bounds().Processes, o.Bounds().EOT) != nil {
		return nil // Replay reports that
	}
	if s.CheckProgram() != nil {
		return nil
	}
	if err := s.Within(o.Bounds()); err != nil {
		return fmt.Errorf("it lies outside the bounds: %s", strings.TrimPrefix(err.Error(), "schedule: "))
	}
	return nil
}

// keeps tells whether a schedule that breaks a case is worth keeping. That of a
// protocol that is expected to break is found again each time.
func (c *Case) keeps() bool { return c.Expect != ldfi.Violated || c.Subject.System != "" }

// keep writes the schedule of an answer to a new file in a directory, and
// returns its name.
func keep(dir string, c *Case, a *subject.Answer) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("keeping a schedule: %w", err)
	}
	file := ""
	for n := 1; ; n++ {
		name := fileName(a.Violations[0].Property)
		if n > 1 {
			name += fmt.Sprintf("-%d", n)
		}
		file = filepath.Join(dir, name+".txt")
		if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
			break
		} else if err != nil {
			return "", fmt.Errorf("keeping a schedule: %w", err)
		}
	}
	return file, atomicfile.Write(file, func(w io.Writer) error {
		_, err := io.WriteString(w, keptText(c, a))
		return err
	})
}

// keptText is a schedule with what it is for, so that a review can judge it.
func keptText(c *Case, a *subject.Answer) string {
	v := a.Violations[0]
	comments := []string{fmt.Sprintf("%s breaks %s: %s", c.Name, v.Property, v.Text)}
	comments = append(comments, a.Because...)
	comments = append(comments, a.Scope.String(), c.Subject.InjectCommand(a.Schedule))
	var text strings.Builder
	for _, comment := range comments {
		for line := range strings.SplitSeq(comment, "\n") {
			text.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	text.WriteString(a.Schedule.String() + "\n")
	return text.String()
}
