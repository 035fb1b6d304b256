package answertext

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// search writes how a system was searched.
func (p *Page) search(a *result.Answer) {
	s := a.Search
	if s == nil {
		p.guidance(a.Guidance)
		p.field("certain", unreached(a))
		return
	}
	p.field("strategy", s.Why)
	p.field("searched", effort(a))
	p.guidance(a.Guidance)
	if s.Late != nil {
		p.field("late", s.Late.String())
	}
	p.field("by", byHost(a))
	p.field("past", s.Past...)
	p.statistics(s.Statistics)
	p.field("so", s.Guarantee)
	if s.Inexact != "" && a.Verdict == result.Inconclusive && (a.Limit == nil || a.Limit.Kind != limits.Inexact) {
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
		return "the host; ldfi executed the counterexample itself, twice, but did not check that fewer faults never suffice"
	case a.Verdict == result.Violated:
		return "the host; ldfi executed the counterexample itself, twice"
	case a.Verdict == result.Holds:
		return "the host; ldfi did not check its certificate"
	default:
		return "the host; ldfi did not check what it searched"
	}
}

// hostRepeated says what ldfi executed of a counterexample of a host of which
// executions may differ.
func hostRepeated(n *result.Repeats) string {
	text := "the host; ldfi executed the counterexample itself, " + text.Plural(n.Executions, "time")
	if n.Broken == 0 {
		return text + ", and it broke only in the search of the host"
	}
	if n.Needed > 0 {
		text += ", but did not check that no smaller one breaks as often"
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
		written += fmt.Sprintf(", %d to see whether something is only late", a.Search.Continued)
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
func (p *Page) limit(a *result.Answer) {
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
		return a.Limit.Reason + "; whether the promise is vacuous was not checked"
	}
	return a.Limit.Reason
}

// cost writes what the answer about a protocol cost, if that is asked for.
func (p *Page) cost(s result.Stats) {
	if s.Workers == 0 { // of a system
		return
	}
	by := ""
	if s.Way != "" {
		by = "decided by " + s.Way + ", with "
	}
	p.field("cost", fmt.Sprintf("%s%s: %s, %s, %s, %s; %.0f ms", by, text.Plural(s.Workers, "core"), text.Plural(s.Facts, "fact"), text.Plural(s.Gates, "gate"),
		text.Plural(s.SolverCalls, "solver call"), text.Plural(s.Executions, "execution"), s.Times.Total))
}

// statistics writes what the executions of a search were like.
func (p *Page) statistics(s *result.Statistics) {
	if s == nil {
		return
	}
	rows := [][]string{{"of " + text.Plural(s.Executions, "execution"), "median", "mean", "least", "most"}}
	for _, row := range []struct {
		name string
		result.Figure
	}{
		{"rounds", s.Rounds},
		{"rounds with a quorum", s.QuorumRounds},
		{"phases", s.Phases},
		{"phases with a quorum", s.QuorumPhases},
		{"messages sent", s.Sent},
		{"messages that arrive", s.Arrived},
	} {
		median := strconv.FormatFloat(row.Median, 'f', -1, 64)
		rows = append(rows, []string{row.name, median, fmt.Sprintf("%.2f", row.Mean), strconv.Itoa(row.Least), strconv.Itoa(row.Most)})
	}
	var b bytes.Buffer
	text.Table(&b, "", rows)
	p.field("figures", strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
}

// Learned is how much was learned of a system, and in which file the program was written;
// "" if in none.
func Learned(l *learned.Learned, p *learned.Program, file string, style diagram.Style) *Page {
	known := text.Plural(len(l.Table.Steps), "step") + " of " + text.Plural(len(l.Table.Processes), "process")
	word, about := "complete", known+": within the bounds nothing else can happen"
	if !l.Complete() {
		word, about = "partial", l.Answer.Limit.Reason+": "+known+" are known, and the program counts any other step as broken"
	}
	page := newPage(word, about, style)
	page.field("scope", l.Answer.Scope.Text)
	page.field("from", text.Plural(l.Answer.Stats.Executions, "execution"))
	page.field("left out", p.Left...)
	for _, name := range p.Late {
		page.field("late", fmt.Sprintf("the program judges %s after the last round; a search of the system waits longer, and excuses what is only late", name))
	}
	page.field("wrote", file)
	return page
}
