package answertext

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Answer is what is known about a protocol or a system. A counterexample of a system is
// shown with the command that executes it again.
func Answer(a *result.Answer, again func(rounds.Schedule) string, d Drawing) (*Page, error) {
	p := newPage(string(a.Verdict), About(a), d.Style)
	width := scheduleWidth(a.Counterexamples)
	for i, c := range a.Counterexamples {
		name := "faults"
		if i > 0 {
			name = "or"
		}
		if i > 0 && a.Search != nil { // of another property
			p.ofSet("also", Broken(c.Violations))
			name = "faults"
		}
		p.ofSet(name, text.Pad(Schedule(c.Schedule), width)+"  "+Size(c))
	}
	if a.Verdict == result.Inconclusive && a.Search == nil {
		p.field("decided", decidedLines(a)...)
	}
	if first := a.First(); first != nil && first.Continued != nil {
		p.field("later", first.Continued.String())
	}
	p.field("so far", soFar(a))
	p.field("scope", a.Scope.Text+scopeEnd(a))
	p.anyRounds(a.Rounds)
	p.beyond(a)
	p.safety(a.Safety)
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
		p.space()
		p.field("repairs", Repairs(a.Repairs)...)
	}
	return p, nil
}

// Injection is what happened in one execution.
func Injection(in *result.Injection, d Drawing) (*Page, error) {
	verdict, about := string(in.Verdict), "the promise is kept in this execution"
	switch {
	case in.Verdict == result.Violated:
		about = Broken(in.Violations)
	case in.Verdict == result.Inconclusive:
		about = text.Safe(in.Guidance.File) + " does not allow this schedule"
	case in.Verdict == "":
		verdict, about = "executed", "the program promises nothing"
	case in.Execution.System != "":
		about = "no property is violated in this execution"
	}
	if in.Repeats != nil && in.Repeats.Broken == 0 {
		about = "no property is violated in any of these executions"
	}
	p := newPage(verdict, about, d.Style)
	p.field("faults", Schedule(in.Schedule))
	p.guidance(in.Guidance)
	if in.Repeats != nil {
		p.field("often", in.Repeats.Replayed())
	}
	if len(in.Violations) > 0 {
		p.field("stack", in.Violations[0].Stack...)
		p.field("conflict", in.Violations[0].Conflict...)
	}
	if in.Continued != nil {
		p.field("later", in.Continued.String())
	}
	p.field("but", Lateness(in))
	p.field("because", in.Because...)
	if err := p.diagram(in.Execution, in.Violations, d); err != nil {
		return nil, err
	}
	return p, nil
}

// About is the heading behind the verdict.
func About(a *result.Answer) string {
	switch within := aboutWithin(a); {
	case within != "":
		return within
	case a.First() != nil:
		return Broken(a.First().Violations)
	case a.Verdict == result.Inconclusive:
		return a.Limit.Reason
	case a.Rounds != nil && a.Verdict == result.Holds:
		return "for any number of rounds: whatever was lost before, the promise holds in each"
	case a.Search != nil && len(a.Search.Known) > 0:
		return "no schedule within the bounds breaks a property, apart from known violations: " + text.List(a.Search.Known, "and")
	case a.Search != nil:
		return "no schedule within the bounds breaks a property"
	default:
		return "no schedule within the bounds breaks the promise" + marginSummary(a.Margin)
	}
}

// Size says how many faults there are, and whether fewer could do.
func Size(c result.Counterexample) string {
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
		if n := text.Width(Schedule(c.Schedule)); n <= 60 {
			width = max(width, n)
		}
	}
	return width
}

// Schedule is a schedule of faults in words.
func Schedule(s rounds.Schedule) string { return cmp.Or(s.String(), "none") }

// scopeEnd says whether all of the scope is decided. Of a system that is known
// only where nothing is found.
func scopeEnd(a *result.Answer) string {
	switch {
	case a.Rounds != nil:
		return ""
	case a.Search != nil && a.Verdict != result.Holds, a.Search == nil && a.Limit != nil && a.Verdict != result.Inconclusive:
		return ""
	case a.Guidance != nil && a.Verdict == result.Violated && !a.Complete:
		return "" // further schedules were not executed
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
			lines = append(lines, fmt.Sprintf("with %s it is violated: %s", text.Plural(h.EOT, "round"), Schedule(h.Schedule)))
		}
	}
	return lines
}

// with returns the bounds beyond with a verdict.
func with(m *result.Margin, v result.Verdict) (bounds []string) {
	for _, q := range m.Questions {
		if q.Verdict == v && (v != result.Holds || q.Reason == "") {
			bounds = append(bounds, q.Bounds)
		}
	}
	return bounds
}

// marginSummary says behind the verdict with what it is another one.
func marginSummary(m *result.Margin) string {
	if m == nil {
		return ""
	}
	if broken := with(m, result.Violated); len(broken) > 0 {
		return "; violated with " + text.List(broken, "or")
	}
	return ""
}

// marginLines say what is known of each of the bounds beyond.
func marginLines(m *result.Margin) (lines []string) {
	if m.Note != "" {
		return []string{m.Note}
	}
	for _, q := range m.Questions {
		switch {
		case q.Verdict == result.Violated:
			lines = append(lines, fmt.Sprintf("violated with %s: %s", q.Bounds, Schedule(q.Schedule)))
		case q.Verdict == result.Inconclusive:
			lines = append(lines, fmt.Sprintf("inconclusive with %s: %s", q.Bounds, q.Reason))
		case q.Reason != "":
			lines = append(lines, fmt.Sprintf("holds with %s, but %s", q.Bounds, q.Reason))
		}
	}
	if still := with(m, result.Holds); len(still) > 1 {
		lines = append(lines, "still holds with "+strings.Join(still, ", ")+" (each by itself)")
	} else if len(still) == 1 {
		lines = append(lines, "still holds with "+still[0])
	}
	return lines
}
