package diagram

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// send is what a diagram draws in one line: messages of one relation from one
// process in one round, equally many to each receiver.
type send struct {
	round  int
	from   string
	label  string
	strong bool
	self   bool           // one of the receivers is the sender
	to     map[int]bool   // the columns of other receivers, and whether they miss it
	beyond []string       // receivers that are no processes
	causes []rounds.Fault // of the losses
	waits  []int          // the rounds in which it arrives after a pause
}

// sends returns what is to be drawn of the messages of an execution, by round.
func (d *diagram) sends(messages []recording.Message) map[int][]send {
	type link struct {
		round              int
		from, to, relation string
	}
	type bundle struct {
		round          int
		from, relation string
		copies         int
	}
	copies := map[link]int{}
	for _, m := range messages {
		copies[link{m.Round, m.From, m.To, m.Relation}]++
	}
	bundles := map[bundle]*send{}
	var order []bundle
	for _, m := range messages {
		b := bundle{m.Round, m.From, m.Relation, copies[link{m.Round, m.From, m.To, m.Relation}]}
		if bundles[b] == nil {
			bundles[b] = &send{
				round: m.Round, from: m.From, to: map[int]bool{},
				label:  d.label(m.Relation, b.copies),
				strong: slices.Contains(d.options.Highlight, m.Relation),
			}
			order = append(order, b)
		}
		bundles[b].add(m, d.column)
	}
	slices.SortFunc(order, func(a, b bundle) int {
		return cmp.Or(cmp.Compare(a.round, b.round), cmp.Compare(d.place(a.from), d.place(b.from)),
			cmp.Compare(a.from, b.from), cmp.Compare(a.relation, b.relation), cmp.Compare(a.copies, b.copies))
	})
	byRound := map[int][]send{}
	for _, b := range order {
		byRound[b.round] = append(byRound[b.round], *bundles[b])
	}
	return byRound
}

// add adds the receiver of a message.
func (s *send) add(m recording.Message, column map[string]int) {
	to, ok := column[m.To]
	switch {
	case !ok:
		if !slices.Contains(s.beyond, m.To) {
			s.beyond = append(s.beyond, m.To)
		}
	case m.From == m.To:
		s.self = true
	default:
		s.to[to] = m.Lost
	}
	if m.Arrival > 0 && !slices.Contains(s.waits, m.Arrival) {
		s.waits = append(s.waits, m.Arrival)
	}
	if m.Lost && !slices.Contains(s.causes, m.Cause) {
		s.causes = append(s.causes, m.Cause)
	}
}

// label returns the name of a relation, cut where many columns leave little room
// for it, and the number of its messages if there are several.
func (d *diagram) label(relation string, copies int) string {
	room := width/max(len(d.processes), 1) - 6
	text := shorten(clean(relation), min(max(room, 4), 16))
	if copies > 1 {
		text += fmt.Sprintf(" ×%d", copies)
	}
	return text
}

// drawSend returns the row of a send.
func (d *diagram) drawSend(s send) string {
	row := d.lifelines(s.round)
	from, ok := d.column[s.from]
	if ok {
		d.arrows(&row, from, s)
	}
	var remarks []string
	if !ok {
		var names []string
		for _, to := range slices.Sorted(maps.Keys(s.to)) {
			names = append(names, clean(d.processes[to]))
		}
		remarks = append(remarks, strings.TrimSpace(fmt.Sprintf("%s from nobody to %s", s.label, strings.Join(names, ", "))))
	}
	for _, name := range s.beyond {
		remarks = append(remarks, fmt.Sprintf("%s to %q, which is no process", s.label, name))
	}
	if len(s.causes) > 0 {
		slices.SortFunc(s.causes, rounds.Fault.Compare)
		remarks = append(remarks, "lost: "+rounds.Schedule(s.causes).String())
		d.explain("─✗ lost")
	}
	slices.Sort(s.waits)
	for _, round := range s.waits {
		if round > d.eot {
			remarks = append(remarks, "waits until the end")
			continue
		}
		remarks = append(remarks, fmt.Sprintf("waits until round %d", round))
	}
	return d.finish(row, strings.Join(remarks, "; "), fault)
}

// arrows draws the arrows from a column to the receivers.
func (d *diagram) arrows(row *canvas, from int, s send) {
	p := plain
	if s.strong {
		p = strong
	}
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
	if !d.crashedBy(from, s.round) {
		row.set(d.x(from), junction(left < from, right > from), p)
	}
	text := " " + s.label + " "
	if right > from {
		row.set(d.x(from)+2, text, p)
	}
	if left < from {
		row.set(d.x(from)-1-textWidth(text), text, p)
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
