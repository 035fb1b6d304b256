package explore

import (
	"context"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// facts are the facts that hold under the current schedule, and those that could.
type facts struct {
	list
	stale  bool // the schedule has changed
	in     *recording.Execution
	all    []Fact
	seen   []Fact // that have the filter
	filter string
	wrong  error // why the filter, which is in none of them, is no fact
	round  int   // the round of the question; 0: the last one in which the fact holds, or could
}

// current returns the current facts.
func (p *pane) current() *facts {
	f := &p.facts
	if f.stale || f.all == nil {
		in := p.shown()
		if in == nil {
			in = p.ran
		}
		f.all, f.in, f.stale = p.explore.Facts(in), nil, false
		if in != nil {
			f.in = in.Execution
		}
		p.sift()
	}
	return f
}

// sift looks for the facts that have the filter. If there is none the filter may be one.
func (p *pane) sift() {
	f := &p.facts
	f.seen = f.seen[:0]
	for _, fact := range f.all {
		if strings.Contains(fact.Text, f.filter) {
			f.seen = append(f.seen, fact)
		}
	}
	if f.wrong = nil; len(f.seen) == 0 && strings.Contains(f.filter, "(") {
		var typed Fact
		if typed, f.wrong = p.explore.Typed(f.filter, f.in); f.wrong == nil {
			f.seen = append(f.seen, typed)
		}
	}
	f.at = max(min(f.at, len(f.seen)-1), 0)
}

// picked returns the fact under the cursor and its round, and false if there is none.
func (p *pane) picked() (Fact, int, bool) {
	f := p.current()
	if len(f.seen) == 0 {
		return Fact{}, 0, false
	}
	fact := f.seen[min(f.at, len(f.seen)-1)]
	if f.round > 0 {
		return fact, f.round, true
	}
	return fact, fact.Last(), true
}

// turnRound asks about another round.
func (p *pane) turnRound(by int) {
	if _, round, ok := p.picked(); ok {
		p.facts.round = min(max(round+by, 1), p.explore.Bounds().EOT)
	}
}

func (p *pane) factLines(height int) []string {
	f := p.current()
	head := fmt.Sprintf("%d of %d facts", len(f.seen), len(f.all))
	if f.filter != "" {
		head += " with " + line(f.filter)
	}
	all := []string{head + "   / filter  left right round  enter why  t change  P promise"}
	if f.wrong != nil {
		all = append(all, wrapped([]string{line(f.wrong.Error())}, p.width)...)
	}
	from, to := f.window(height-1, len(f.seen))
	for i := from; i < to; i++ {
		fact := f.seen[i]
		mark, round := " ", fact.Last()
		if i == f.at {
			mark = ">"
			_, round, _ = p.picked()
		}
		holds := "absent"
		switch {
		case fact.Broken > 0 && fact.Broken == round:
			holds = "BROKEN"
		case fact.HoldsIn(round):
			holds = "holds"
		}
		all = append(all, fmt.Sprintf("%s %-6s  %s   %s", mark, holds, line(fact.In(round)), spans(fact)))
	}
	return all
}

// spans says in which rounds a fact holds, or could.
func spans(f Fact) string {
	if text := rangesOf(f.Holds); text != "" {
		return "holds in " + text
	}
	if text := rangesOf(f.Possible); text != "" {
		return "possible in " + text
	}
	return "as it was typed"
}

// rangesOf writes rounds as 1..3, 5.
func rangesOf(rounds []bool) string {
	var texts []string
	for first := 1; first < len(rounds); first++ {
		if !rounds[first] {
			continue
		}
		last := first
		for last+1 < len(rounds) && rounds[last+1] {
			last++
		}
		text := fmt.Sprint(first)
		if last > first {
			text = fmt.Sprintf("%d..%d", first, last)
		}
		texts = append(texts, text)
		first = last
	}
	return strings.Join(texts, ", ")
}

// why asks why a fact holds, or why it does not.
func (s *screen) why(fact string) tea.Cmd {
	schedule := s.explore.Schedule()
	return s.put("explaining "+fact, func(ctx context.Context) (func() tea.Cmd, error) {
		explanation, err := s.explore.Why(ctx, fact, schedule)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			s.pane.sayOf(schedule, "why "+line(fact)+under(schedule.String()), written(func(w io.Writer) error { return explanation.WriteText(w) }))
			return nil
		}, nil
	})
}

func under(schedule string) string {
	if schedule == "" {
		return ", without faults"
	}
	return ", under " + line(schedule)
}

// whatIf asks which faults to undo if the current ones have changed a fact, and otherwise
// which faults would change it: make it vanish if it holds, and appear if it does not.
func (s *screen) whatIf(fact string) tea.Cmd {
	locks, schedule := s.explore.Locks(), s.explore.Schedule()
	return s.put("which faults change "+fact, func(ctx context.Context) (func() tea.Cmd, error) {
		u, err := s.explore.Undoing(ctx, fact, schedule)
		if err != nil {
			return nil, err
		}
		if u != nil {
			return func() tea.Cmd { s.sayUndoing(fact, schedule, u); return nil }, nil
		}
		w, err := s.explore.WhatIf(ctx, fact, locks)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd { s.sayWhatIf(fact, w, len(locks)); return nil }, nil
	})
}

// sayUndoing shows which faults to undo.
func (s *screen) sayUndoing(fact string, schedule rounds.Schedule, u *Undoing) {
	change, then := "goes", "is absent"
	if u.Back {
		change, then = "comes back", "holds"
	}
	var lines []string
	for _, way := range u.Ways {
		lines = append(lines, fmt.Sprintf("without %s   executed: it %s", line(way.String()), then))
	}
	if u.Stopped {
		lines = append(lines, "perhaps fewer are enough: not all ways were tried")
	}
	s.pane.sayOf(schedule, fmt.Sprintf("which faults to undo so that %s %s%s", line(fact), change, under(schedule.String())), lines)
	s.offer(u.Left)
}

// sayWhatIf shows the fewest faults that change a fact, under a number of locks.
func (s *screen) sayWhatIf(fact string, w *result.WhatIf, locks int) {
	doing := "appears"
	if w.Absent {
		doing = "vanishes"
	}
	title := fmt.Sprintf("which faults make it so that %s %s", line(fact), doing)
	if locks > 0 {
		title += ", under " + text.Plural(locks, "lock")
	}
	s.pane.say(title, whatIfLines(w))
	var schedules []rounds.Schedule
	for _, c := range w.Sets {
		if c.Size > 0 {
			schedules = append(schedules, c.Schedule)
		}
	}
	s.offer(schedules)
}

// offer makes enter try the schedules of an answer.
func (s *screen) offer(schedules []rounds.Schedule) {
	if s.pane.offered, s.pane.next = schedules, 0; len(schedules) > 0 {
		s.remark = "enter tries it; n goes back to fault sets that break the promise"
	}
}

// take makes the next schedule that the answer names the current one.
func (s *screen) take() tea.Cmd {
	p := &s.pane
	if len(p.offered) == 0 {
		return nil
	}
	at := p.next % len(p.offered)
	p.next = at + 1
	cmd := s.change(s.explore.Set(p.offered[at]))
	s.grid.toFault(0)
	if s.remark == "" {
		s.remark = fmt.Sprintf("tried %d of %d: enter tries the next, 1 shows the diagram, u undoes", at+1, len(p.offered))
	}
	return cmd
}

// whatIfLines are an answer in words.
func whatIfLines(w *result.WhatIf) []string {
	var all []string
	switch {
	case w.Answer == result.Possible && w.Sets[0].Size == 0:
		all = append(all, "nothing: it is so without faults")
	case w.Answer == result.Possible:
		for _, c := range w.Sets {
			all = append(all, line(c.Schedule.String()), "  executed: "+line(c.Violations[0].String()))
			for _, because := range c.Because {
				all = append(all, "  "+line(because))
			}
		}
	case w.Answer == result.Impossible && w.Conflict != nil && len(w.Conflict.Require)+len(w.Conflict.Forbid) > 0:
		all = append(all, "nothing does it: "+line(answertext.Conflict(w.Conflict, len(w.Require)+len(w.Forbid))))
	case w.Answer == result.Impossible:
		all = append(all, "no faults within the bounds do it: all schedules are decided")
	default:
		all = append(all, "not known: "+line(w.Limit.Reason), answertext.SoFar(w))
	}
	return all
}
