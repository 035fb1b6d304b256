package main

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/columns"
	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/internal/shellwords"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// hypothesesPage is the fault sets that break the promise under assumptions,
// or why there is none; each with its diagram, unless drawn is nil.
func hypothesesPage(a *result.Answer, size int, drawn *drawing) (*page, error) {
	p := newPage(string(a.Verdict), hypothesesAbout(a, size))
	width := scheduleWidth(a.Counterexamples)
	for i, c := range a.Counterexamples {
		if len(a.Groups) > 0 && a.Groups[c.Group-1].First != i+1 {
			continue // the first stands for its group
		}
		p.field(rankText(c), columns.Pad(scheduleText(c.Schedule), width)+"  "+setText(c))
		p.field("cuts", cutsText(c, a.Scope.Bounds.Processes))
		if len(a.Groups) > 0 {
			p.field("group", groupLines(a.Groups[c.Group-1])...)
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

// hypothesesAbout is the heading of a list of fault sets that have at most so many
// faults, 0 for any number.
func hypothesesAbout(a *result.Answer, size int) string {
	n, of, these := len(a.Counterexamples), "", "this is the first"
	if n > 1 {
		these = fmt.Sprintf("these are the first %d", n)
	}
	if size > 0 {
		of = " of at most " + plural.Of(size, "fault")
	}
	if len(a.Groups) > 0 {
		these += fmt.Sprintf(", in %s", plural.Of(len(a.Groups), "group"))
	}
	switch {
	case a.Verdict == result.Inconclusive:
		return a.Limit.Reason
	case n == 0:
		return fmt.Sprintf("no fault set%s within the bounds breaks the promise under these assumptions", of)
	case a.Complete:
		grouped := ""
		if len(a.Groups) > 0 {
			grouped = fmt.Sprintf(" in %s", plural.Of(len(a.Groups), "group"))
		}
		return fmt.Sprintf("by %s%s, no further ones%s", plural.Of(n, "fault set"), grouped, of)
	case a.Limit != nil:
		return fmt.Sprintf("by %s, then stopped: %s", plural.Of(n, "fault set"), a.Limit.Reason)
	case a.Count.Exact:
		return fmt.Sprintf("by %s%s, of which %s (--max)", plural.Of(a.Count.Sets, "fault set"), of, these)
	default:
		return fmt.Sprintf("by at least %s%s, of which %s (--max)", plural.Of(a.Count.Sets, "fault set"), of, these)
	}
}

// mostSame is how many other names of a group are listed.
const mostSame = 4

// groupLines says what the sets of a group have in common, and how many they are.
func groupLines(g result.Group) []string {
	if g.Sets == 1 {
		return []string{"alone: " + g.Text}
	}
	lines := []string{fmt.Sprintf("%s: %s", plural.Of(g.Sets, "set"), g.Text)}
	same := g.Same[:min(len(g.Same), mostSame)]
	if len(same) == 0 {
		return lines
	}
	text := "the same with " + strings.Join(same, "; ")
	if more := len(g.Same) - len(same); more > 0 {
		text += "; and in " + plural.Of(more, "more way")
	}
	return append(lines, text)
}

// cutsText says what the faults of a set do to what it breaks.
func cutsText(c result.Counterexample, processes []string) string {
	var texts []string
	for _, cut := range c.Cuts {
		text := cut.String()
		if cut.Fact.Compare(c.Violations[0].Fact) != 0 { // what asks for it
			text += fmt.Sprintf(", else %s would not hold", recording.Display(cut.Fact, processes))
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// setText says what a fault set breaks.
func setText(c result.Counterexample) string { return violationsText(c.Violations) + unneededText(c) }

// rankText is what a fault set is ranked by: what it costs, or how many faults it has.
func rankText(c result.Counterexample) string {
	if c.Cost > 0 {
		return fmt.Sprintf("cost %d", c.Cost)
	}
	return fmt.Sprint(c.Size)
}

// unneededText says which faults are there only because they are required.
func unneededText(c result.Counterexample) string {
	if len(c.Unneeded.Faults) == 0 {
		return ""
	}
	return "; " + minimality.Unneeded(&c)
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
