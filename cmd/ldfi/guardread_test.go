package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file is all that the guard knows of the JSON that ldfi writes. When that
// changes its shape, change the types and the methods here, so that the lines of
// testdata/guard stay as they are.

// guardAnswer is what run, hypotheses and check say about a program or a system.
type guardAnswer struct {
	Verdict         string
	Counterexamples []guardSet
	Complete        bool
	Decided         int
	Scope           guardScope
	Vacuity         string
	Warnings        []guardWarning
	Limit           *struct{ Kind, Reason string }
	Conflict        *struct {
		Require, Forbid []string
		Scope           bool
	}
	Search *struct { // of systems
		Why         string
		Executions  int
		Guarantee   string
		Certificate *struct {
			States, Transitions int
			Assumption          string
		}
	}
	Stats struct{ Executions int }
}

// guardSet is a set of faults.
type guardSet struct {
	Schedule           string
	Size               int
	Minimal, Confirmed bool
	Irreducible        bool
	Unneeded           string
	Violations         []guardViolation
}

// guardViolation is a fact that is broken.
type guardViolation struct{ Property, Text string }

// guardWarning is a warning at a place in a program.
type guardWarning struct {
	File         string
	Line, Column int
	Message      string
}

func (w guardWarning) place() string {
	if w.Line == 0 {
		return w.File
	}
	return fmt.Sprintf("%s:%d:%d", w.File, w.Line, w.Column)
}

// guardScope is what a verdict speaks about.
type guardScope struct {
	Text      string
	Scenarios json.Number
}

// guardSuite is the report of check.
type guardSuite struct {
	Total int
	Cases []struct {
		Name, Expect, Outcome, Differs, Error string
		ExpectFaults                          *int   `json:"expect_faults"`
		NewKept                               string `json:"new_kept"`
		Kept                                  []struct {
			File, Schedule, Outcome, Reason string
			Expected                        bool
		}
		Answer guardAnswer
	}
	Warnings []string
}

// guardPage is the lines of an answer.
type guardPage struct{ strings.Builder }

// line writes a field.
func (p *guardPage) line(name, format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf("  %-9s ", name)+fmt.Sprintf(format, args...), " ") + "\n")
}

// some writes a field unless it is empty.
func (p *guardPage) some(name, text string) {
	if text != "" {
		p.line(name, "%s", text)
	}
}

// readGuarded reads one report.
func readGuarded[R any](t *testing.T, data []byte) R {
	t.Helper()
	var report R
	require.NoError(t, json.Unmarshal(data, &report), "%s", data)
	return report
}

// runAnswer reads the report of a run of a program.
func runAnswer(t *testing.T, data []byte) string {
	r := readGuarded[guardAnswer](t, data)
	p := &guardPage{}
	p.line("verdict", "%s, %d rounds decided", r.Verdict, r.Decided)
	p.program(r)
	p.some("vacuous", r.Vacuity)
	for _, s := range r.Counterexamples {
		for i := range s.Violations {
			s.Violations[i].Property = "" // which the text begins with
		}
	}
	p.sets(r.Counterexamples, r.Complete, true)
	return p.String()
}

// hypothesesAnswer reads the report of hypotheses. The facts that the sets break
// are counted only: the runs name them.
func hypothesesAnswer(t *testing.T, data []byte) string {
	r := readGuarded[guardAnswer](t, data)
	p := &guardPage{}
	p.program(r)
	if c := r.Conflict; c != nil {
		p.line("conflict", "require %q, forbid %q; no schedule meets them: %t", c.Require, c.Forbid, c.Scope)
	}
	p.sets(r.Counterexamples, r.Complete, false)
	return p.String()
}

// program writes what the reports about programs share.
func (p *guardPage) program(r guardAnswer) {
	p.scope(r.Scope)
	for _, w := range r.Warnings {
		p.line("warning", "%s: %s", w.place(), w.Message)
	}
	if r.Limit != nil {
		p.line("limit", "%s: %s", r.Limit.Kind, r.Limit.Reason)
	}
}

var implied = regexp.MustCompile(` \(implied by eff=\d+\)`)

// scope writes the bounds and the exact number of schedules within.
func (p *guardPage) scope(s guardScope) {
	bounds, _, _ := strings.Cut(s.Text, ": ")
	bounds = implied.ReplaceAllString(bounds, "") // what implies a bound is no part of it
	p.line("bounds", "%s", bounds)
	p.line("scenarios", "%s", s.Scenarios)
}

// sets writes sets of faults, smallest first.
func (p *guardPage) sets(sets []guardSet, complete, named bool) {
	text := map[bool]string{true: "these are all", false: "there may be more"}[complete]
	p.line("sets", "%d, %s", len(sets), text)
	slices.SortFunc(sets, func(a, b guardSet) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Schedule, b.Schedule))
	})
	for _, s := range sets {
		p.line("", "%d %s", s.Size, s.text(named))
	}
}

// text is the faults and what they break.
func (s guardSet) text(named bool) string {
	text := fmt.Sprintf("%s, breaks %d", cmp.Or(s.Schedule, "no faults"), len(s.Violations))
	if named {
		text += ": " + brokenFacts(s.Violations)
	}
	if s.Unneeded != "" {
		return text + "; without " + s.Unneeded + " as well" + doubts(true, s.Confirmed)
	}
	return text + doubts(s.Minimal || s.Irreducible, s.Confirmed)
}

// doubts says what is not known of a set of faults.
func doubts(minimal, confirmed bool) string {
	text := ""
	if !minimal {
		text += "; not known to be minimal"
	}
	if !confirmed {
		text += "; not confirmed"
	}
	return text
}

// brokenFacts names what is broken. Of many facts it names the first, and gives
// a checksum of all.
func brokenFacts(violations []guardViolation) string {
	var texts []string
	for _, v := range violations {
		texts = append(texts, strings.TrimPrefix(v.Property+": "+v.Text, ": "))
	}
	const most = 3
	all := strings.Join(texts, "; ")
	if len(texts) <= most {
		return all
	}
	return fmt.Sprintf("%s; and %d more, checksum %08x", strings.Join(texts[:most], "; "), len(texts)-most, crc32.ChecksumIEEE([]byte(all)))
}

// systemAnswer reads the report of a search.
func systemAnswer(t *testing.T, data []byte) string {
	r := readGuarded[guardAnswer](t, data)
	p := &guardPage{}
	p.line("verdict", "%s", r.Verdict)
	p.some("reason", r.reason())
	p.some("so", r.Search.Guarantee)
	p.line("how", "%s", r.Search.Why)
	p.scope(r.Scope)
	p.line("cost", "%d executions, %d with those that make it smaller", r.Search.Executions, r.Stats.Executions)
	if c := r.Search.Certificate; c != nil && c.States > 0 {
		p.line("decided", "%d states, %d transitions", c.States, c.Transitions)
	}
	for _, s := range r.Counterexamples {
		p.line("breaks", "%d %s%s", s.Size, s.Schedule, doubts(s.Minimal, s.Confirmed))
		p.line("facts", "%d: %s", len(s.Violations), brokenFacts(s.Violations))
	}
	return p.String()
}

// reason says why an answer is inconclusive.
func (r guardAnswer) reason() string {
	switch {
	case r.Verdict != "inconclusive":
		return ""
	case r.Decided > 0:
		return fmt.Sprintf("%s; with eot=%d it is decided", r.Limit.Reason, r.Decided)
	default:
		return r.Limit.Reason
	}
}

// warnings returns what a suite says besides the verdict.
func (r guardAnswer) warnings() []string {
	var texts []string
	for _, w := range r.Warnings {
		texts = append(texts, w.place()+": warning: "+w.Message)
	}
	if r.Vacuity != "" {
		texts = append(texts, "the promise is vacuous: "+r.Vacuity)
	}
	if r.Search != nil && r.Search.Certificate != nil && r.Search.Certificate.Assumption != "" {
		texts = append(texts, "assuming: "+r.Search.Certificate.Assumption)
	}
	return texts
}

// suiteAnswer reads the report of a suite.
func suiteAnswer(t *testing.T, data []byte) string {
	r := readGuarded[guardSuite](t, data)
	p := &guardPage{}
	p.line("cases", "%d", r.Total)
	for _, warning := range r.Warnings {
		p.line("warning", "%s", warning)
	}
	for _, c := range r.Cases {
		expected := c.Expect
		if c.ExpectFaults != nil {
			expected += fmt.Sprintf(" by %d", *c.ExpectFaults)
		}
		p.line("case", "%s: %s; %s, expected %s", c.Name, c.Outcome, c.Answer.Verdict, expected)
		p.some("differs", c.Differs)
		p.some("error", c.Error)
		p.some("reason", c.Answer.reason())
		p.scope(c.Answer.Scope)
		if c.Answer.Verdict == "violated" {
			broken := c.Answer.Counterexamples[0]
			p.line("breaks", "%d %s%s", broken.Size, cmp.Or(broken.Schedule, "no faults"), doubts(broken.Minimal, true))
			p.line("facts", "%d: %s", len(broken.Violations), brokenFacts(broken.Violations))
		}
		for _, warning := range c.Answer.warnings() {
			p.line("warning", "%s", warning)
		}
		for _, k := range c.Kept {
			p.line("kept", "%s: %s: %s, as expected: %t", k.File, k.Schedule, strings.TrimSuffix(k.Outcome+": "+k.Reason, ": "), k.Expected)
		}
		p.some("keeps", c.NewKept)
	}
	return p.String()
}
