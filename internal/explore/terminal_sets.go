package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// sets are the fault sets of an answer, in groups that fold.
type sets struct {
	list
	found *Sets        // nil: no question was asked
	note  string       // how many there are, or why there are none
	open  map[int]bool // the groups that are unfolded
	tried int          // the set that was made the current schedule last; -1: none
}

// row is a group, or a set of an unfolded group.
type row struct{ group, set int }

// rows returns the rows of the list.
func (s *sets) rows() []row {
	if s.found == nil {
		return nil
	}
	var all []row
	for i, g := range s.found.Groups {
		all = append(all, row{i, g.Members[0]})
		if s.open[i] {
			for _, set := range g.Members[1:] {
				all = append(all, row{i, set})
			}
		}
	}
	return all
}

// head tells whether a row stands for its group.
func (s *sets) head(r row) bool { return s.found.Groups[r.group].Members[0] == r.set }

// stands returns the row of the set that was tried last, or of its group; -1 without one.
func (s *sets) stands() int {
	rows := s.rows()
	if i := slices.IndexFunc(rows, func(r row) bool { return r.set == s.tried }); i >= 0 || s.tried < 0 {
		return i
	}
	group := s.found.Group(s.tried)
	return slices.IndexFunc(rows, func(r row) bool { return r.group == group })
}

// place says which set of the list a schedule is.
func (s *sets) place(schedule rounds.Schedule) string {
	if s.found == nil || s.tried < 0 || s.found.All[s.tried].Schedule.String() != schedule.String() {
		return ""
	}
	text := fmt.Sprintf("set %d of %d", s.tried+1, len(s.found.All))
	if len(s.found.Groups) < len(s.found.All) {
		text += fmt.Sprintf(" (group %d of %d)", s.found.Group(s.tried)+1, len(s.found.Groups))
	}
	return text
}

// askSets asks for the fault sets that break the promise, under the locks, and tries the
// first.
func (s *screen) askSets() tea.Cmd {
	return s.list(func() tea.Cmd {
		if len(s.pane.sets.found.All) > 0 {
			return s.step(1)
		}
		s.pane.show(setsView)
		s.remark = "there is none"
		return nil
	})
}

// refold puts the fault sets in groups in the next way.
func (s *screen) refold() tea.Cmd {
	if !s.explore.Refold() {
		s.remark = "fault sets of a system are not put in groups: its rules are not known"
		return nil
	}
	return s.list(func() tea.Cmd {
		p := &s.pane.sets
		p.tried = slices.IndexFunc(p.found.All, func(c result.Counterexample) bool { return c.Schedule.String() == s.explore.Schedule().String() })
		p.at = max(p.stands(), 0)
		s.pane.show(setsView)
		return nil
	})
}

// list asks for the fault sets that break the promise, and does something then.
func (s *screen) list(then func() tea.Cmd) tea.Cmd {
	locks, fold := s.explore.Locks(), s.explore.Fold()
	return s.put("looking for fault sets that break the promise", func(ctx context.Context) (func() tea.Cmd, error) {
		a, err := s.explore.Hypotheses(ctx, locks, fold)
		return func() tea.Cmd {
			s.certified = s.certified || a.Verdict == result.Holds && len(locks) == 0 && s.options.Size == 0
			s.pane.sets = sets{found: NewSets(a.Counterexamples, a.Groups, locks), note: s.setsNote(a, fold, len(locks)), open: map[int]bool{}, tried: -1}
			return then()
		}, err
	})
}

// setsNote gives the number of sets under a number of locks and their order, or says why
// there are none.
func (s *screen) setsNote(a *result.Answer, fold string, locks int) string {
	switch {
	case a.Conflict != nil:
		return "no fault set breaks the promise: " + answertext.Conflict(a.Conflict, locks)
	case len(a.Counterexamples) == 0 && a.Limit != nil:
		return "no fault set was found: " + a.Limit.Reason
	case len(a.Counterexamples) == 0:
		return "no fault set within the bounds breaks the promise"
	}
	text := "broken " + answertext.Sets(a, s.options.Size)
	if a.Count != nil && a.Count.Why != "" && a.Limit == nil {
		text += "; counted: " + a.Count.Why
	}
	if text += "; fewest faults first"; a.Counterexamples[0].Cost > 0 {
		text = strings.TrimSuffix(text, "fewest faults first") + "those first that cost least"
	}
	if fold != "" {
		text += fmt.Sprintf("; in groups by %s (f)", fold)
	}
	return text
}

// step makes the next fault set of the list the current schedule, or the previous one.
func (s *screen) step(by int) tea.Cmd {
	p := &s.pane.sets
	if p.found == nil || !slices.Equal(p.found.Locks, s.explore.Locks()) {
		return s.askSets()
	}
	rows := p.rows()
	if len(rows) == 0 {
		s.remark = p.note
		return nil
	}
	to := p.stands() + by
	if to < 0 || to >= len(rows) {
		s.remark = p.end(by)
		return nil
	}
	return s.try(rows[to].set)
}

// end says how to continue at the end of a list.
func (s *sets) end(by int) string {
	which := "last"
	if by < 0 {
		which = "first"
	}
	if len(s.rows()) < len(s.found.All) {
		return fmt.Sprintf("this was the %s group: 2 lists them, right unfolds one, f folds otherwise", which)
	}
	return fmt.Sprintf("this was the %s set: 2 lists them, k and a ask under assumptions", which)
}

// try makes a fault set the current schedule.
func (s *screen) try(set int) tea.Cmd {
	p := &s.pane.sets
	p.tried = set
	if group := p.found.Group(set); p.found.Groups[group].Members[0] != set {
		p.open[group] = true
	}
	p.at = p.stands()
	cmd := s.change(s.explore.Set(p.found.All[set].Schedule))
	s.grid.toFault(0)
	return cmd
}

// enter tries the fault set of the row, and folds or unfolds its group if it is tried
// already.
func (s *screen) enterSet() tea.Cmd {
	p := &s.pane.sets
	rows := p.rows()
	if len(rows) == 0 {
		return s.askSets()
	}
	r := rows[p.at]
	if p.head(r) && p.tried == r.set {
		p.open[r.group] = !p.open[r.group]
		return nil
	}
	return s.try(r.set)
}

// setLines are the list.
func (p *pane) setLines(height int) []string {
	s := &p.sets
	if s.found == nil {
		return wrapped([]string{"n asks for the fault sets that break the promise, and steps through them"}, p.width)
	}
	rows := s.rows()
	all := wrapped([]string{line(s.note)}, p.width)
	if len(rows) == 0 {
		return all
	}
	chosen := wrapped(p.reason(rows[min(s.at, len(rows)-1)]), p.width)
	chosen = chosen[:min(len(chosen), max(height/2, 4))]
	from, to := s.window(max(height-len(all)-len(chosen), 1), len(rows))
	stands := s.stands()
	for i := from; i < to; i++ {
		all = append(all, p.setLine(rows[i], i == s.at, i == stands))
	}
	return append(all, chosen...)
}

// setLine is a group, or one of its sets: where the cursor is, and the set that was tried.
func (p *pane) setLine(r row, at, stands bool) string {
	s := &p.sets
	c, g := s.found.All[r.set], s.found.Groups[r.group]
	mark, fold, tried, like := " ", " ", " ", ""
	if at {
		mark = ">"
	}
	if stands {
		tried = "*"
	}
	switch {
	case s.head(r) && len(g.Members) > 1 && s.open[r.group]:
		fold = "-"
	case s.head(r) && len(g.Members) > 1:
		fold, like = "+", "   and "+likeThis(g)
	case !s.head(r):
		fold = "   "
		if c.Renamed != "" {
			like = "   the same with " + c.Renamed
		}
	}
	return fmt.Sprintf("%s%s%s %s  %s%s", mark, fold, tried, answertext.Rank(c), line(c.Schedule.String()), line(like))
}

// likeThis gives the number of the other sets of a group, and how they differ from the
// first.
func likeThis(g Group) string {
	text := fmt.Sprintf("%d more", len(g.Members)-1)
	if same := answertext.Same(g.Group); same != "" {
		return text + ", " + same
	}
	return text
}

// reason explains the place of the set of a row, what it breaks and cuts, and what it has
// in common with others.
func (p *pane) reason(r row) []string {
	c, g := p.sets.found.All[r.set], p.sets.found.Groups[r.group]
	text := c.Minimality()
	if c.Cost > 0 {
		text = fmt.Sprintf("cost %d, %s", c.Cost, text)
	}
	all := []string{fmt.Sprintf("%d. %s: %s", r.set+1, text, line(answertext.Broken(c.Violations)))}
	all = append(all, labelled("cuts", answertext.Cuts(c, p.explore.Bounds().Processes))...)
	if g.Number > 0 {
		all = append(all, labelled("group", answertext.Group(g.Group)...)...)
	}
	return append(all, labelled("because", c.Because...)...)
}

// labelled is a text with a name before it, indented; nothing without a text.
func labelled(name string, texts ...string) []string {
	var all []string
	for _, text := range texts {
		if text != "" {
			all = append(all, "  "+pad(name, nameWidth-2)+line(text))
		}
		name = ""
	}
	return all
}
