package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// ReportOfTests makes the report of what tests found (ldfi test): each case is a property that
// is expected to hold. What is decided by drawing alone is as expected, unless strict. An
// answer that was stopped is not.
func ReportOfTests(name string, cases []CaseResult, strict, stopped bool) *Report {
	r := &Report{Version: reportVersion, Suite: name, Total: len(cases), Cases: cases, Warnings: []string{}}
	var digest bytes.Buffer
	for i := range r.Cases {
		c := &r.Cases[i]
		c.Index, c.Expect, c.ExpectVacuous = i, result.Holds, c.vacuous()
		if c.Answer != nil && c.Answer.Verdict == result.Inconclusive && !strict && !stopped {
			c.Expect = result.Inconclusive
		}
		if a := c.Answer; a != nil && a.Verdict != result.Violated && a.Guidance != nil && a.Guidance.Target != nil {
			c.Expect = Reached
		}
		c.judge(stopped)
		fmt.Fprintln(&digest, c.Name)
	}
	r.Digest = work.Digest(digest.Bytes())
	return r
}

// Near names a file, which is known by a name in a folder, as it is called here: by its whole
// path if it does not lie below.
func Near(here, folder, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(folder, name)
	}
	if near, err := filepath.Rel(here, name); err == nil && filepath.IsLocal(near) {
		name = near
	}
	return filepath.ToSlash(name)
}

// WriteTests writes the report of tests for people: for each property its verdict, with the
// faults or the share that was looked at, and its scope.
func (r *Report) WriteTests(w io.Writer) error {
	var b bytes.Buffer
	rows := [][]string{{"verdict", "system", "found", "time"}}
	for i := range r.Cases {
		row := r.Cases[i].row()
		switch a := r.Cases[i].Answer; {
		case a == nil:
		case a.Verdict == result.Violated && len(a.First().Schedule.Faults) == 0:
			row[3] = cmp.Or(a.First().Schedule.String(), "without faults")
		case a.Verdict == result.Inconclusive:
			row[3], _, _ = strings.Cut(row[3], ", ")
		default:
			row[3] = cmp.Or(row[3], "—")
		}
		row[3] = shorten(row[3])
		rows = append(rows, []string{row[1], row[0], row[3], row[4]})
	}
	text.Table(&b, "", rows)
	last := []detail(nil)
	for i := range r.Cases {
		details := r.Cases[i].testDetails()
		if i == 0 || !reflect.DeepEqual(details, last) { // others of the same system have the same
			writeFields(&b, last)
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, text.Safe(r.Cases[i].Name))
		last = details
	}
	writeFields(&b, last)
	_, err := io.WriteString(w, text.SafeLines(b.String()))
	return err
}

func writeFields(b *bytes.Buffer, details []detail) {
	for _, d := range details {
		text.Field(b, "  ", 9, d.name, d.lines...)
	}
}

// testDetails are what a reader of a test wants to know. The test has printed the rest.
func (c *CaseResult) testDetails() (all []detail) {
	add := func(name string, lines ...string) { all = append(all, detail{name, lines}) }
	switch a := c.Answer; {
	case c.Error != "":
		add("error", oneLine(c.Error))
	case a.Verdict == result.Violated:
		add("violated", a.First().Violations[0].String())
		if a.Search != nil {
			add("found", fmt.Sprintf("by %s, in execution %d", a.Search.Strategy, a.Search.Executions))
		}
		add("faults", fmt.Sprintf("%s (%s)", answertext.Schedule(a.First().Schedule), a.First().Minimality()))
	case a.Verdict == result.Inconclusive:
		add("unknown", c.reasonWith(func(text string) string { return text }))
	}
	if c.Answer != nil {
		if c.Outcome == Fail && c.Answer.Verdict != result.Violated && c.Answer.Guidance != nil {
			add("differs", c.Differs)
		}
		add("scope", scopeText(c.Answer))
		if c.vacuous() {
			add("vacuous", c.Answer.Vacuity)
		}
		for _, w := range c.warnings() {
			if assumed, ok := strings.CutPrefix(w, "assuming: "); ok {
				add("assuming", assumed)
			} else {
				add("warning", w)
			}
		}
	}
	for _, k := range c.Kept {
		add("kept", fmt.Sprintf("%s: %s", k.File, k.text()))
	}
	add("keeps", c.NewKept)
	add("again", c.Again)
	return all
}
