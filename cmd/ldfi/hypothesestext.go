package main

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/columns"
	"github.com/lineage-driven/ldfi/internal/inwords"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/internal/shellwords"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// hypothesesPage is the fault sets that break the promise under assumptions,
// or why there is none; each with its diagram, unless drawn is nil.
func hypothesesPage(a *result.Answer, size int, drawn *drawing) (*page, error) {
	p := newPage(string(a.Verdict), inwords.Sets(a, size))
	width := scheduleWidth(a.Counterexamples)
	for i, c := range a.Counterexamples {
		if len(a.Groups) > 0 && a.Groups[c.Group-1].First != i+1 {
			continue // the first stands for its group
		}
		p.field(inwords.Rank(c), columns.Pad(scheduleText(c.Schedule), width)+"  "+setText(c))
		p.field("cuts", inwords.Cuts(c, a.Scope.Bounds.Processes))
		if len(a.Groups) > 0 {
			p.field("group", inwords.Group(a.Groups[c.Group-1])...)
		}
		if drawn == nil {
			continue
		}
		p.field("because", c.Because...)
		if err := p.diagram(c.Execution, c.Violations, *drawn); err != nil {
			return nil, err
		}
		fmt.Fprintln(p)
	}
	if a.Count != nil && a.Limit == nil {
		p.field("counted", a.Count.Why)
	}
	p.field("conflict", conflictLines(a.Conflict, "the promise holds whatever is assumed", "under these alone the promise holds already")...)
	p.field("scope", a.Scope.Text)
	p.field("vacuous", a.Vacuity)
	p.listed(a.Search)
	p.cost(a.Stats)
	if a.Limit != nil {
		if a.Verdict == result.Holds {
			p.field("stopped", a.Limit.Reason+", before it was known which assumptions that comes from, and whether anything is asked under them")
		}
		p.field("try", strings.Join(a.Limit.Advice, "; or "))
	}
	return p, nil
}

// setText says what a fault set breaks.
func setText(c result.Counterexample) string {
	return inwords.Broken(c.Violations) + inwords.Unneeded(c)
}

// conflictLines are the assumptions that conflict, and what that comes to: there are none,
// or these are enough.
func conflictLines(c *result.Conflict, none, enough string) []string {
	if c == nil {
		return nil
	}
	var lines []string
	for _, text := range c.Require {
		lines = append(lines, shellwords.Join("--require", text))
	}
	for _, text := range c.Forbid {
		lines = append(lines, shellwords.Join("--forbid", text))
	}
	switch {
	case c.Scope:
		lines = append(lines, "no schedule within the bounds meets these together")
	case len(lines) == 0:
		lines = append(lines, none)
	default:
		lines = append(lines, enough)
	}
	return lines
}

// listed says how the fault sets of a system were found.
func (p *page) listed(s *result.Search) {
	if s == nil {
		return
	}
	p.field("strategy", s.Why)
	p.field("searched", fmt.Sprintf("%s; seed %d", plural.Of(s.Executions, "execution"), s.Seed))
}
