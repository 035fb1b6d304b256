package terminal

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/minimality"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// sets are fault sets that were asked for, in groups that fold.
type sets struct {
	list
	found *explore.Sets // nil: none were asked for
	note  string        // how many there are, or why there are none
	open  map[int]bool  // the groups that are unfolded
	tried int           // the set that was made the current schedule last; -1: none
}

// row is a group, or a set of one that is unfolded.
type row struct{ group, set int }

// rows are what there is in the list.
func (s *sets) rows() []row {
	if s.found == nil {
		return nil
	}
	var all []row
	for i, g := range s.found.Groups {
		all = append(all, row{i, g.Sets[0]})
		if s.open[i] {
			for _, set := range g.Sets[1:] {
				all = append(all, row{i, set})
			}
		}
	}
	return all
}

// head tells whether a row stands for its group.
func (s *sets) head(r row) bool { return s.found.Groups[r.group].Sets[0] == r.set }

// place says which of the sets a schedule is.
func (s *sets) place(schedule rounds.Schedule) string {
	if s.found == nil || s.tried < 0 || s.found.All[s.tried].Schedule.String() != schedule.String() {
		return ""
	}
	return fmt.Sprintf("set %d of %d", s.tried+1, len(s.found.All))
}

// askSets asks for the fault sets that break the promise, under the locks.
func (s *screen) askSets() tea.Cmd {
	locks := s.explore.Locks()
	return s.put("looking for fault sets that break the promise", func(ctx context.Context) (func() tea.Cmd, error) {
		a, err := s.explore.Hypotheses(ctx, locks)
		return func() tea.Cmd { return s.foundSets(a.Counterexamples, locks, setsNote(a)) }, err
	})
}

// foundSets shows fault sets, and tries the first.
func (s *screen) foundSets(all []result.Counterexample, locks []explore.Lock, note string) tea.Cmd {
	s.pane.sets = sets{found: explore.NewSets(all, locks), note: note, open: map[int]bool{}, tried: -1}
	if len(all) == 0 {
		s.pane.show(setsView)
		s.remark = "there is none"
		return nil
	}
	return s.step(1)
}

// setsNote says how many there are, or why there are none.
func setsNote(a *result.Answer) string {
	n := len(a.Counterexamples)
	switch {
	case a.Conflict != nil:
		return "no fault set breaks the promise: " + explore.Conflict(a.Conflict)
	case n == 0 && a.Limit != nil:
		return "no fault set was found: " + a.Limit.Reason
	case n == 0:
		return "no fault set within the bounds breaks the promise"
	case a.Complete:
		return plural.Of(n, "fault set") + ", no further ones" + setsRank
	case a.Count != nil && a.Count.Exact:
		return fmt.Sprintf("%d of %s", n, plural.Of(a.Count.Sets, "fault set")) + setsRank
	case a.Count != nil:
		return fmt.Sprintf("%d of at least %s", n, plural.Of(a.Count.Sets, "fault set")) + setsRank
	case a.Limit != nil:
		return fmt.Sprintf("%s, then stopped: %s", plural.Of(n, "fault set"), a.Limit.Reason)
	case a.Search != nil:
		return "the first that the search found"
	default:
		return plural.Of(n, "fault set") + ", and there are more" + setsRank
	}
}

const setsRank = "; fewest faults first"

// step makes the next fault set the current schedule, or the one before.
func (s *screen) step(by int) tea.Cmd {
	p := &s.pane.sets
	if p.found == nil || !slices.Equal(p.found.Locks, s.explore.Locks()) {
		return s.askSets()
	}
	n := len(p.found.All)
	if n == 0 {
		s.remark = p.note
		return nil
	}
	to := p.tried + by
	if to < 0 || to >= n {
		s.remark = "there is no further one in this list"
		return nil
	}
	return s.try(to)
}

// try makes a fault set the current schedule.
func (s *screen) try(set int) tea.Cmd {
	p := &s.pane.sets
	p.tried = set
	if group := p.found.Group(set); p.found.Groups[group].Sets[0] != set {
		p.open[group] = true
	}
	p.at = slices.IndexFunc(p.rows(), func(r row) bool { return r.set == set })
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
	room := max(height-len(all)-min(len(chosen), 4), 1)
	from, to := s.window(room, len(rows))
	for i := from; i < to; i++ {
		all = append(all, p.setLine(rows[i], i == s.at))
	}
	return append(all, chosen[:min(len(chosen), 4)]...)
}

// setLine is a group, or one of its sets.
func (p *pane) setLine(r row, at bool) string {
	s := &p.sets
	c := s.found.All[r.set]
	sign, more := "   ", ""
	if n := len(s.found.Groups[r.group].Sets); s.head(r) && n > 1 {
		sign, more = " + ", fmt.Sprintf("   and %d in other rounds", n-1)
		if s.open[r.group] {
			sign, more = " - ", ""
		}
	}
	if !s.head(r) {
		sign = "     "
	}
	mark := " "
	if at {
		mark = ">"
	}
	if r.set == s.tried {
		sign = sign[:len(sign)-1] + "*"
	}
	return fmt.Sprintf("%s%s%s%s", mark, sign, line(c.Schedule.String()), more)
}

// reason says why the set of a row stands where it does, and what it does.
func (p *pane) reason(r row) []string {
	c := p.sets.found.All[r.set]
	text := fmt.Sprintf("%d. %s", r.set+1, minimality.Text(&c))
	if c.Cost > 0 {
		text = fmt.Sprintf("%d. cost %d, %s", r.set+1, c.Cost, minimality.Text(&c))
	}
	var all []string
	for i, v := range c.Violations {
		if i == 0 {
			all = append(all, text+": "+line(v.String()))
		}
	}
	for _, because := range c.Because {
		all = append(all, "   "+line(because))
	}
	return all
}
