package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Listing says what was asked for with a list of fault sets.
type Listing struct {
	Size        int  // at most so many faults; 0: any number
	Assumptions int  // how many there are
	Unfold      bool // show all sets of a group
	Diagrams    bool // of each set one is shown, with the reasons
	Drawing     Drawing
}

// Hypotheses is the fault sets that break the promise under assumptions,
// or why there is none.
func Hypotheses(a *result.Answer, l Listing) (*Page, error) {
	p := newPage(string(a.Verdict), Sets(a, l.Size), l.Drawing.Style)
	width := scheduleWidth(a.Counterexamples)
	set := func(c result.Counterexample) error { return p.set(c, width, a.Scope.Bounds.Processes, l) }
	if err := eachSet(a, l.Unfold, func(g result.Group) { p.field("group", Group(g)...) }, set); err != nil {
		return nil, err
	}
	if a.Count != nil && a.Limit == nil {
		p.field("counted", a.Count.Why)
	}
	p.field("conflict", Conflict(a.Conflict, l.Assumptions))
	p.field("scope", a.Scope.Text)
	p.field("vacuous", a.Vacuity)
	p.listed(a.Search)
	p.cost(a.Stats)
	if a.Limit != nil {
		if a.Verdict == result.Holds {
			p.field("stopped", a.Limit.Reason+"; which assumptions cause this, and whether the promise is vacuous under them, was not checked")
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
func (p *Page) set(c result.Counterexample, width int, processes []string, l Listing) error {
	p.ofSet(Rank(c), text.Pad(Schedule(c.Schedule), width)+"  "+Set(c))
	p.ofSet("cuts", Cuts(c, processes))
	if !l.Diagrams {
		return nil
	}
	p.ofSet("because", c.Because...)
	if err := p.diagram(c.Execution, c.Violations, l.Drawing); err != nil {
		return err
	}
	p.space()
	return nil
}

// Set says what a fault set breaks, and by which names it differs from the first of
// its group.
func Set(c result.Counterexample) string {
	text := Broken(c.Violations) + Unneeded(c)
	if c.Renamed != "" {
		text += "; with " + c.Renamed
	}
	return text
}

// listed says how the fault sets of a system were found.
func (p *Page) listed(s *result.Search) {
	if s == nil {
		return
	}
	p.field("strategy", s.Why)
	p.field("searched", fmt.Sprintf("%s; seed %d", text.Plural(s.Executions, "execution"), s.Seed))
}
