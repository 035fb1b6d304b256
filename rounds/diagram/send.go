package diagram

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// send is what Write draws in one line: messages that say the same from one process
// in one round, equally many to each receiver.
type send struct {
	round    int
	from     int // a column; -1 for nobody
	relation string
	says     string
	copies   int
	label    string
	self     bool         // one of the receivers is the sender
	to       map[int]bool // the columns of other receivers, and whether they miss it
	beyond   []string     // receivers that are no processes
	lost     []arrow      // that do not arrive
	again    bool         // it is a duplicate
	comes    []coming     // when it arrives, if not at once
}

// sends joins the arrows of a round that are drawn in one line.
func (d *diagram) sends(r round) []*send {
	type link struct {
		from, to               int
		target, relation, says string
		again                  bool
	}
	copies := map[link]int{}
	for _, a := range r.arrows {
		copies[link{a.from, a.to, a.target, a.relation, a.says, a.again}] += a.copies
	}
	var all []*send
	for _, a := range r.arrows {
		n := copies[link{a.from, a.to, a.target, a.relation, a.says, a.again}]
		i := slices.IndexFunc(all, func(s *send) bool {
			return s.from == a.from && s.relation == a.relation && s.says == a.says && s.copies == n && s.again == a.again
		})
		if i < 0 {
			i = len(all)
			all = append(all, &send{
				round: r.number, from: a.from, relation: a.relation, says: a.says, copies: n,
				label: d.label(a, n), to: map[int]bool{}, again: a.again,
			})
		}
		all[i].add(a)
	}
	slices.SortStableFunc(all, func(a, b *send) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.relation, b.relation), cmp.Compare(a.says, b.says), cmp.Compare(a.copies, b.copies))
	})
	return all
}

// add adds the receiver of an arrow.
func (s *send) add(a arrow) {
	switch {
	case a.to < 0:
		if !slices.Contains(s.beyond, a.target) {
			s.beyond = append(s.beyond, a.target)
		}
	case a.from == a.to:
		s.self = true
	default:
		s.to[a.to] = a.lost
	}
	if a.coming != (coming{}) && !slices.Contains(s.comes, a.coming) {
		s.comes = append(s.comes, a.coming)
	}
	if a.lost {
		s.lost = append(s.lost, a)
	}
}

// drawSend returns the row of a send.
func (d *diagram) drawSend(s *send) string {
	row := d.lifelines(s.round, false)
	var remarks []string
	if s.from >= 0 {
		d.arrows(&row, s)
	} else {
		var names []string
		for _, to := range slices.Sorted(maps.Keys(s.to)) {
			names = append(names, text.Safe(d.processes[to]))
		}
		remarks = append(remarks, strings.TrimSpace(fmt.Sprintf("%s from nobody to %s", s.label, strings.Join(names, ", "))))
	}
	for _, name := range s.beyond {
		remarks = append(remarks, fmt.Sprintf("%s to %q, which is no process", s.label, name))
	}
	if len(s.lost) > 0 {
		remarks = append(remarks, "lost: "+d.lostBy(s))
		d.explain("─✗ lost")
	}
	slices.SortFunc(s.comes, func(a, b coming) int { return a.arrival - b.arrival })
	for _, c := range s.comes {
		remarks = append(remarks, d.comes(c))
	}
	return d.finish(row, strings.Join(remarks, "; "), fault)
}

// lostBy says which faults lose a send, and of what is drawn once how often they do.
func (d *diagram) lostBy(s *send) string {
	slices.SortStableFunc(s.lost, func(a, b arrow) int { return a.cause.Compare(b.cause) })
	var all []string
	for i, a := range s.lost {
		if i > 0 && s.lost[i-1].cause == a.cause {
			continue
		}
		text := a.cause.String()
		if times := d.oftenBy(s, a.cause); times != "" {
			text += " (" + times + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// oftenBy says how often a fault loses a send, by its receivers if these differ.
func (d *diagram) oftenBy(s *send, cause rounds.Fault) string {
	var all []string
	differs, first := false, arrow{}
	for _, a := range s.lost {
		if a.cause != cause {
			continue
		}
		if first.cause != cause {
			first = a
		}
		differs = differs || a.losses != first.losses
		if a.losses != (losses{}) {
			all = append(all, text.Safe(d.processes[a.to])+" "+a.losses.String())
		}
	}
	if !differs && len(all) > 0 {
		return first.losses.String()
	}
	return strings.Join(all, "; ")
}

// arrows draws the arrows from the sender's column to the receivers.
func (d *diagram) arrows(row *canvas, s *send) {
	p := plain
	if slices.Contains(d.options.Highlight, s.relation) {
		p = strong
	}
	from := s.from
	left, right := from, from
	for to := range s.to {
		left, right = min(left, to), max(right, to)
	}
	for x := d.x(left) + 1; x < d.x(right); x++ {
		if x != d.x(from) {
			row.set(x, "─", p)
		}
	}
	for column := left + 1; column < right; column++ {
		row.set(d.x(column), "┼", p)
	}
	for to, lost := range s.to {
		d.head(row, from, to, lost, p)
	}
	if from >= len(d.processes) || !d.crashedBy(from, s.round, false) {
		row.set(d.x(from), junction(left < from, right > from), p)
	}
	written := " " + s.label + " "
	if right > from {
		row.set(d.x(from)+2, written, p)
	}
	if left < from {
		row.set(d.x(from)-1-text.Width(written), written, p)
	}
	if s.self && right == from {
		row.set(d.x(from)+1, "↺ "+s.label, p)
	}
}

// head draws the end of an arrow beside the receiver's lifeline.
func (d *diagram) head(row *canvas, from, to int, lost bool, p paint) {
	at, tip := d.x(to)-1, "▶"
	if to < from {
		at, tip = d.x(to)+1, "◀"
	}
	if lost {
		tip, p = "✗", fault
	}
	row.set(at, tip, p)
}

// junction is the sender's lifeline where arrows leave it.
func junction(left, right bool) string {
	switch {
	case left && right:
		return "┼"
	case left:
		return "┤"
	case right:
		return "├"
	default:
		return "│"
	}
}
