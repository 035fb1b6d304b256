package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// page is a result as text: a heading, then fields with their names in a column.
type page struct {
	bytes.Buffer
	width int // of the names
}

// newPage starts a page with the verdict and what it is about.
func newPage(verdict, about string) *page {
	p := &page{width: max(len(verdict)+2, 11)}
	fmt.Fprintf(p, "%s%s%s\n", bold(verdict), strings.Repeat(" ", p.width-len(verdict)), about)
	return p
}

// field writes a named line; further lines of the text are indented below it.
func (p *page) field(name, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(fmt.Sprintf("  %-*s%s", p.width-2, name, line), " ")
		fmt.Fprintln(p, line)
		name = ""
	}
}

func (p *page) fields(name string, lines []string) {
	if len(lines) > 0 {
		p.field(name, strings.Join(lines, "\n"))
	}
}

// diagram draws an execution below the fields.
func (p *page) diagram(e *recording.Execution, violations []ldfi.Violation) error {
	var drawing bytes.Buffer
	if err := drawExecution(&drawing, e, violations); err != nil {
		return err
	}
	fmt.Fprintln(p)
	for line := range strings.Lines(drawing.String()) {
		p.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
	}
	return nil
}

func writeReport(w io.Writer, r *ldfi.Report) error {
	p := newPage(string(r.Verdict), reportAbout(r))
	for i, c := range r.Counterexamples {
		name := "faults"
		if i > 0 {
			name = "or"
		}
		p.field(name, counterexampleText(r, c))
	}
	if r.Verdict == ldfi.Inconclusive {
		p.field("decided", decidedText(r))
	}
	p.field("scope", r.Scope.String()+scopeEnd(r))
	if r.Vacuous() {
		p.field("vacuous", r.Vacuity)
	}
	if r.Limit != nil {
		if r.Verdict != ldfi.Inconclusive {
			p.field("stopped", r.Limit.Reason)
		}
		p.fields("largest", growthLines(r.Limit.Growth))
		p.field("try", strings.Join(r.Limit.Advice, "; or "))
	}
	if len(r.Counterexamples) > 0 {
		first := r.Counterexamples[0]
		p.fields("because", first.Reason)
		if err := p.diagram(first.Execution, first.Violations); err != nil {
			return err
		}
	}
	_, err := w.Write(p.Bytes())
	return err
}

func reportAbout(r *ldfi.Report) string {
	switch r.Verdict {
	case ldfi.Violated:
		return violationsText(r.Violations, r.Scope.Bounds.Processes)
	case ldfi.Inconclusive:
		return r.Limit.Reason
	default:
		return "no schedule within the bounds breaks the promise"
	}
}

// violationsText names the first violation and counts the others.
func violationsText(violations []ldfi.Violation, processes []string) string {
	text := violations[0].Text(processes)
	if more := len(violations) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

func counterexampleText(r *ldfi.Report, c ldfi.Counterexample) string {
	note := plural(c.Size, "fault")
	if c.Size == 0 {
		note = "it fails without faults"
	} else if c.Minimal {
		note += ", minimal"
	} else {
		note += ", perhaps not minimal"
	}
	if c.Confirmed {
		note += "; executed and confirmed"
	}
	return fmt.Sprintf("%-*s  %s", scheduleWidth(r.Counterexamples), scheduleText(c.Schedule), note)
}

// scheduleWidth aligns the notes behind schedules of reasonable length.
func scheduleWidth(all []ldfi.Counterexample) int {
	width := 28
	for _, c := range all {
		if n := len(scheduleText(c.Schedule)); n <= 60 {
			width = max(width, n)
		}
	}
	return width
}

func scheduleText(s rounds.Schedule) string {
	if s.String() == "" {
		return "none"
	}
	return s.String()
}

func scopeEnd(r *ldfi.Report) string {
	if r.Verdict == ldfi.Inconclusive {
		return ", not all decided"
	}
	if r.Limit != nil {
		return ""
	}
	return ", all decided"
}

func decidedText(r *ldfi.Report) string {
	if r.Decided == 0 {
		return "nothing"
	}
	text := fmt.Sprintf("up to %s", plural(r.Decided, "round"))
	for _, h := range r.Horizons {
		if h.Verdict == ldfi.Violated {
			text += fmt.Sprintf("\nwith %s it is violated: %s", plural(h.EOT, "round"), scheduleText(h.Schedule))
		}
	}
	return text
}

func growthLines(growth []result.Growth) []string {
	var lines []string
	for _, g := range growth[:min(len(growth), 5)] {
		lines = append(lines, fmt.Sprintf("%s: %s", g.Relation, plural(g.Facts, "fact")))
	}
	return lines
}

func writeInjection(w io.Writer, in *ldfi.Injection) error {
	verdict, about := string(in.Verdict), "the promise is kept in this execution"
	switch in.Verdict {
	case ldfi.Violated:
		about = violationsText(in.Violations, in.Bounds.Processes)
	case "":
		verdict, about = "executed", "the program promises nothing"
	}
	p := newPage(verdict, about)
	p.field("faults", scheduleText(in.Schedule))
	p.fields("because", in.Reason)
	if err := p.diagram(in.Execution, in.Violations); err != nil {
		return err
	}
	_, err := w.Write(p.Bytes())
	return err
}

func writeHypotheses(w io.Writer, r *ldfi.HypothesesReport) error {
	var p *page
	switch {
	case len(r.Hypotheses) > 0:
		p = newPage("violated", hypothesesAbout(r))
		for _, h := range r.Hypotheses {
			p.field(fmt.Sprint(h.Size), fmt.Sprintf("%-*s  %s", scheduleWidth(r.Hypotheses), scheduleText(h.Schedule),
				violationsText(h.Violations, r.Scope.Bounds.Processes)))
		}
	case r.Complete:
		p = newPage("holds", "no fault set within the bounds breaks the promise under these assumptions")
		p.fields("conflict", conflictLines(r.Conflict))
	default:
		p = newPage("inconclusive", r.Limit.Reason)
	}
	p.field("scope", r.Scope.String())
	if r.Limit != nil {
		p.field("try", strings.Join(r.Limit.Advice, "; or "))
	}
	_, err := w.Write(p.Bytes())
	return err
}

func hypothesesAbout(r *ldfi.HypothesesReport) string {
	switch {
	case r.Complete:
		return fmt.Sprintf("by %s, no further ones", plural(len(r.Hypotheses), "minimal fault set"))
	case r.Limit != nil:
		return fmt.Sprintf("by %s, then stopped: %s", plural(len(r.Hypotheses), "fault set"), r.Limit.Reason)
	default:
		return fmt.Sprintf("by %s, there are more (--max)", plural(len(r.Hypotheses), "minimal fault set"))
	}
}

func conflictLines(c *ldfi.Conflict) []string {
	if c == nil {
		return nil
	}
	var lines []string
	for _, text := range c.Require {
		lines = append(lines, "--require '"+text+"'")
	}
	for _, text := range c.Forbid {
		lines = append(lines, "--forbid '"+text+"'")
	}
	switch {
	case c.Scope:
		lines = append(lines, "no schedule within the bounds meets these together")
	case len(lines) == 0:
		lines = append(lines, "the promise holds whatever is assumed")
	default:
		lines = append(lines, "under these alone the promise holds already")
	}
	return lines
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
