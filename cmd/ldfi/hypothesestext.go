package main

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/inwords"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// listing says what was asked for with a list of fault sets.
type listing struct {
	size        int      // at most so many faults; 0: any number
	assumptions int      // how many there are
	unfold      bool     // show all sets of a group
	drawn       *drawing // show a diagram of each; nil: none
}

// hypothesesPage is the fault sets that break the promise under assumptions,
// or why there is none.
func hypothesesPage(a *result.Answer, l listing) (*page, error) {
	p := newPage(string(a.Verdict), inwords.Sets(a, l.size))
	width := scheduleWidth(a.Counterexamples)
	set := func(c result.Counterexample) error { return p.set(c, width, a.Scope.Bounds.Processes, l.drawn) }
	if err := eachSet(a, l.unfold, func(g result.Group) { p.field("group", inwords.Group(g)...) }, set); err != nil {
		return nil, err
	}
	if a.Count != nil && a.Limit == nil {
		p.field("counted", a.Count.Why)
	}
	p.field("conflict", inwords.Conflict(a.Conflict, l.assumptions))
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

// eachSet goes through fault sets: if they are in groups through one group after the
// other, of which the first set stands for the others unless they are to be unfolded.
func eachSet(a *result.Answer, unfold bool, group func(result.Group), set func(result.Counterexample) error) error {
	if len(a.Groups) == 0 {
		for _, c := range a.Counterexamples {
			if err := set(c); err != nil {
				return err
			}
		}
		return nil
	}
	for _, g := range a.Groups {
		group(g)
		for i, c := range a.Counterexamples {
			if c.Group != g.Number || i+1 != g.First && !unfold {
				continue
			}
			if err := set(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// set writes a fault set, its schedule so wide.
func (p *page) set(c result.Counterexample, width int, processes []string, drawn *drawing) error {
	p.ofSet(inwords.Rank(c), text.Pad(scheduleText(c.Schedule), width)+"  "+setText(c))
	p.ofSet("cuts", inwords.Cuts(c, processes))
	if drawn == nil {
		return nil
	}
	p.ofSet("because", c.Because...)
	if err := p.diagram(c.Execution, c.Violations, *drawn); err != nil {
		return err
	}
	fmt.Fprintln(p)
	return nil
}

// setText says what a fault set breaks, and by which names it differs from the first of
// its group.
func setText(c result.Counterexample) string {
	text := inwords.Broken(c.Violations) + inwords.Unneeded(c)
	if c.Renamed != "" {
		text += "; with " + c.Renamed
	}
	return text
}

// listed says how the fault sets of a system were found.
func (p *page) listed(s *result.Search) {
	if s == nil {
		return
	}
	p.field("strategy", s.Why)
	p.field("searched", fmt.Sprintf("%s; seed %d", text.Plural(s.Executions, "execution"), s.Seed))
}
