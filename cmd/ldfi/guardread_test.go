package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file is all that the guard knows of the JSON that ldfi writes. When that
// changes its shape, change the types and the methods here, so that the lines of
// testdata/guard.txt stay as they are.

// guardVerdict is what the reports of run, of programs and of systems, and of
// hypotheses have. Each has a part of the fields.
type guardVerdict struct {
	Verdict         string
	Counterexamples []guardSet
	Hypotheses      []guardSet
	Complete        bool
	Decided         int
	Scope           guardScope
	Vacuity         string
	Warnings        []struct{ Position, Message string }
	Limit           *struct{ Kind, Reason string }
	Conflict        *struct {
		Require, Forbid []string
		Scope           bool
	}

	// Of systems.
	Violations     []guardViolation
	Strategy       string
	StrategyReason string `json:"strategy_reason"`
	Reason         string
	Guarantee      string
	Stats          struct {
		Executions      int
		TotalExecutions int `json:"total_executions"`
		States          int
		Transitions     int
	}
}

// guardSet is a set of faults.
type guardSet struct {
	Schedule           string
	Size               int
	Minimal, Confirmed bool
	Violations         []guardViolation
}

// guardViolation is a fact that is broken.
type guardViolation struct{ Property, Text string }

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
			File, Schedule, Outcome string
			Expected                bool
		}
		Answer struct {
			Verdict, Schedule, Reason string
			Size                      int
			Minimal                   bool
			Violations                []guardViolation
			Scope                     guardScope
			Warnings                  []string
		}
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
	r := readGuarded[guardVerdict](t, data)
	p := &guardPage{}
	p.line("verdict", "%s, %d rounds decided", r.Verdict, r.Decided)
	p.program(r)
	p.some("vacuous", r.Vacuity)
	p.sets(r.Counterexamples, r.Complete, true)
	return p.String()
}

// hypothesesAnswer reads the report of hypotheses. The facts that the sets break
// are counted only: the runs name them.
func hypothesesAnswer(t *testing.T, data []byte) string {
	r := readGuarded[guardVerdict](t, data)
	p := &guardPage{}
	p.program(r)
	if c := r.Conflict; c != nil {
		p.line("conflict", "require %q, forbid %q; no schedule meets them: %t", c.Require, c.Forbid, c.Scope)
	}
	p.sets(r.Hypotheses, r.Complete, false)
	return p.String()
}

// program writes what the reports about programs share.
func (p *guardPage) program(r guardVerdict) {
	p.scope(r.Scope)
	for _, w := range r.Warnings {
		p.line("warning", "%s: %s", w.Position, w.Message)
	}
	if r.Limit != nil {
		p.line("limit", "%s: %s", r.Limit.Kind, r.Limit.Reason)
	}
}

// scope writes the bounds and the exact number of schedules within.
func (p *guardPage) scope(s guardScope) {
	bounds, _, _ := strings.Cut(s.Text, ": ")
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
	return text + doubts(s.Minimal, s.Confirmed)
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
	r := readGuarded[guardVerdict](t, data)
	p := &guardPage{}
	p.line("verdict", "%s", r.Verdict)
	p.some("reason", r.Reason)
	p.some("so", r.Guarantee)
	p.line("how", "%s", r.StrategyReason)
	p.scope(r.Scope)
	p.line("cost", "%d executions, %d with those that make it smaller", r.Stats.Executions, r.Stats.TotalExecutions)
	if r.Stats.States > 0 {
		p.line("decided", "%d states, %d transitions", r.Stats.States, r.Stats.Transitions)
	}
	for _, s := range r.Counterexamples {
		p.line("breaks", "%d %s%s", s.Size, s.Schedule, doubts(s.Minimal, s.Confirmed))
		p.line("facts", "%d: %s", len(r.Violations), brokenFacts(r.Violations))
	}
	return p.String()
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
		p.some("reason", c.Answer.Reason)
		p.scope(c.Answer.Scope)
		if c.Answer.Verdict == "violated" {
			p.line("breaks", "%d %s%s", c.Answer.Size, cmp.Or(c.Answer.Schedule, "no faults"), doubts(c.Answer.Minimal, true))
			p.line("facts", "%d: %s", len(c.Answer.Violations), brokenFacts(c.Answer.Violations))
		}
		for _, warning := range c.Answer.Warnings {
			p.line("warning", "%s", warning)
		}
		for _, k := range c.Kept {
			p.line("kept", "%s: %s: %s, as expected: %t", k.File, k.Schedule, k.Outcome, k.Expected)
		}
		p.some("keeps", c.NewKept)
	}
	return p.String()
}
