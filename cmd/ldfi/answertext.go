package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/inwords"
	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// writeAnswer writes what is known about a protocol or a system.
func writeAnswer(w io.Writer, a *result.Answer, again func(rounds.Schedule) string, d drawing) error {
	p, err := answerPage(a, again, d)
	if err != nil {
		return err
	}
	return p.writeTo(w)
}

// answerPage is what is known about a protocol or a system. A counterexample of a
// system is shown with the command that executes it again.
func answerPage(a *result.Answer, again func(rounds.Schedule) string, d drawing) (*page, error) {
	p := newPage(string(a.Verdict), about(a))
	width := scheduleWidth(a.Counterexamples)
	for i, c := range a.Counterexamples {
		name := "faults"
		if i > 0 {
			name = "or"
		}
		if i > 0 && a.Search != nil { // of another property
			p.ofSet("also", inwords.Broken(c.Violations))
			name = "faults"
		}
		p.ofSet(name, text.Pad(scheduleText(c.Schedule), width)+"  "+sizeText(c))
	}
	if a.Verdict == result.Inconclusive && a.Search == nil {
		p.field("decided", decidedLines(a)...)
	}
	if first := a.First(); first != nil && first.Continued != nil {
		p.field("later", first.Continued.String())
	}
	p.field("so far", soFar(a))
	p.field("scope", a.Scope.Text+scopeEnd(a))
	if a.Asynchronous != nil {
		p.field("async", a.Asynchronous.Text)
	}
	if a.Proof != nil {
		p.field("proof", fmt.Sprintf("%s, by %s: the formula %s cannot be satisfied", a.Proof.File, a.Proof.Solver, a.Proof.Formula))
	}
	if a.Margin != nil {
		p.field("margin", marginLines(a.Margin)...)
	}
	p.field("vacuous", a.Vacuity)
	p.cost(a.Stats)
	p.search(a)
	p.limit(a)
	if first := a.First(); first != nil {
		if a.Search != nil {
			for _, c := range a.Counterexamples {
				p.ofSet("again", again(c.Schedule))
			}
		}
		p.field("stack", first.Violations[0].Stack...)
		p.field("conflict", first.Violations[0].Conflict...)
		p.ofSet("because", first.Because...)
		if err := p.diagram(first.Execution, first.Violations, d); err != nil {
			return nil, err
		}
	}
	if a.Repairs != nil {
		fmt.Fprintln(p)
		p.field("repairs", inwords.Repairs(a.Repairs)...)
	}
	return p, nil
}

// about is the heading behind the verdict.
func about(a *result.Answer) string {
	switch {
	case a.First() != nil:
		return inwords.Broken(a.First().Violations)
	case a.Verdict == result.Inconclusive:
		return a.Limit.Reason
	case a.Search != nil && len(a.Search.Known) > 0:
		return "no schedule within the bounds breaks anything but what is known: " + text.List(a.Search.Known, "and")
	case a.Search != nil:
		return "no schedule within the bounds breaks a property"
	default:
		return "no schedule within the bounds breaks the promise" + marginSummary(a.Margin)
	}
}

// sizeText says how many faults there are, and whether fewer could do.
func sizeText(c result.Counterexample) string {
	note := c.Minimality()
	if c.Confirmed && c.Repeats == nil {
		note += "; executed and confirmed"
	}
	return note
}

// soFar says of a search that was stopped how many faults are needed at least, and at
// most.
func soFar(a *result.Answer) string {
	if a.AtLeast == 0 {
		return ""
	}
	s := fmt.Sprintf("no set below %s breaks the promise", text.Plural(a.AtLeast, "fault"))
	if first := a.First(); first != nil {
		s += fmt.Sprintf(", and one of %s does", text.Plural(first.Size, "fault"))
	}
	return s
}

// scheduleWidth aligns the notes behind schedules of reasonable length.
func scheduleWidth(all []result.Counterexample) int {
	width := 28
	for _, c := range all {
		if n := text.Width(scheduleText(c.Schedule)); n <= 60 {
			width = max(width, n)
		}
	}
	return width
}

func scheduleText(s rounds.Schedule) string { return cmp.Or(s.String(), "none") }

// scopeEnd says whether all of the scope is decided. Of a system that is known
// only where nothing is found.
func scopeEnd(a *result.Answer) string {
	switch {
	case a.Search != nil && a.Verdict != result.Holds, a.Search == nil && a.Limit != nil && a.Verdict != result.Inconclusive:
		return ""
	case a.Verdict == result.Inconclusive:
		return ", not all decided"
	default:
		return ", all decided" + search.SettledOn(a)
	}
}

func decidedLines(a *result.Answer) []string {
	if a.Decided == 0 {
		return []string{"nothing"}
	}
	lines := []string{fmt.Sprintf("up to %s", text.Plural(a.Decided, "round"))}
	for _, h := range a.Horizons {
		if h.Verdict == result.Violated {
			lines = append(lines, fmt.Sprintf("with %s it is violated: %s", text.Plural(h.EOT, "round"), scheduleText(h.Schedule)))
		}
	}
	return lines
}

// search writes how a system was searched.
func (p *page) search(a *result.Answer) {
	s := a.Search
	if s == nil {
		return
	}
	p.field("strategy", s.Why)
	p.field("searched", effort(a))
	if s.Late != nil {
		p.field("late", s.Late.String())
	}
	p.field("by", byHost(a))
	p.field("past", s.Past...)
	p.statistics(s.Statistics)
	p.field("so", s.Guarantee)
	if s.Inexact != "" && a.Verdict == result.Inconclusive && (a.Limit == nil || a.Limit.Kind != refusal.Inexact) {
		p.field("but", result.InexactUnseen(s.Inexact))
	}
	if c := s.Certificate; c != nil {
		p.field("assuming", c.Assumption)
	}
}

// byHost says of which parts of an answer there is only the word of the host.
func byHost(a *result.Answer) string {
	switch {
	case !a.Search.ByHost:
		return ""
	case a.Verdict == result.Violated && a.First().Repeats != nil:
		return hostRepeated(a.First().Repeats)
	case a.Verdict == result.Violated && a.First().Minimal && a.First().Size > 1:
		return "the host; ldfi executed the counterexample itself, twice, and that no fewer faults suffice is the word of the host"
	case a.Verdict == result.Violated:
		return "the host; ldfi executed the counterexample itself, twice"
	case a.Verdict == result.Holds:
		return "the host, and the certificate is its word"
	default:
		return "the host, and what it searched is its word"
	}
}

// hostRepeated says what ldfi executed of a counterexample of a host of which
// executions may differ.
func hostRepeated(n *result.Repeats) string {
	text := "the host; ldfi executed the counterexample itself, " + text.Plural(n.Executions, "time")
	if n.Broken == 0 {
		return text + ", and that it broke in the search is the word of the host"
	}
	if n.Needed > 0 {
		text += ", and that no smaller one breaks as often is the word of the host"
	}
	return text
}

// effort is what the search of a system cost.
func effort(a *result.Answer) string {
	written := text.Plural(a.Search.Executions, "execution")
	if more := a.Stats.Executions - a.Search.Executions - a.Search.Continued - a.Search.Further; more > 0 {
		written += fmt.Sprintf(" to find it and %d to make it smaller", more)
	}
	if a.Search.Continued > 0 {
		written += fmt.Sprintf(", %d to see what is late", a.Search.Continued)
	}
	if s := a.Search; s.Further > 0 {
		written += fmt.Sprintf(", and then %d in search of fewer than %s", s.Further, text.Plural(s.Below, "fault"))
	}
	if n := a.Search.Untried; n > 0 {
		written += fmt.Sprintf(", %s untried", text.Plural(n, "later start"))
	}
	if n := a.Search.States; n > 0 {
		written += ", " + text.Plural(n, "state")
	}
	if c := a.Search.Certificate; c != nil && c.States > 0 {
		written += fmt.Sprintf(", %s, %s", text.Plural(c.States, "state"), text.Plural(c.Transitions, "local transition"))
	}
	return written + fmt.Sprintf("; seed %d", a.Search.Seed)
}

// limit writes what stopped the search, as far as the heading does not.
func (p *page) limit(a *result.Answer) {
	if a.Limit == nil {
		return
	}
	if a.Verdict != result.Inconclusive {
		p.field("stopped", stoppedText(a))
	}
	for i, g := range a.Limit.Growth {
		name := "largest"
		if i > 0 {
			name = ""
		}
		p.field(name, fmt.Sprintf("%s: %s", g.Relation, text.Plural(g.Facts, "fact")))
	}
	p.field("try", strings.Join(a.Limit.Advice, "; or "))
}

// stoppedText says what stopped a search that has a verdict. That a program holds
// is decided before it is asked whether its promise asks for anything.
func stoppedText(a *result.Answer) string {
	if a.Verdict == result.Holds && a.Search == nil {
		return a.Limit.Reason + ", before it was known whether the promise asks for anything that happens"
	}
	return a.Limit.Reason
}
