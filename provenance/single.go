package provenance

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// singles are the messages that faults hit alone.
type singles struct {
	list    []Numbered
	known   map[sentRow]string // their kinds
	firing  map[*Firing]string // those that send them
	numbers map[*Firing]int
}

// sentRow is a message by the numbers of its arguments.
type sentRow struct {
	relation    string
	round, from int
	head        string
}

// single makes faults of single messages units of the graph.
func (g *Graph) single(list []Numbered) {
	if list == nil {
		return
	}
	g.singles = &singles{list, map[sentRow]string{}, map[*Firing]string{}, map[*Firing]int{}}
	var faults []rounds.Fault
	for _, m := range list {
		faults = append(faults, rounds.Fault{Of: m.Relation, Nth: m.Nth})
		var head []uint32
		for _, v := range m.Args {
			head = append(head, g.values.id(v))
		}
		row := sentRow{m.Relation, m.Round, slices.Index(g.Bounds.Processes, m.From), text(head)}
		g.singles.known[row] = schedules.Single(m.Relation, m.Nth)
	}
	g.Universe = schedules.NewSingle(g.Bounds, faults)
}

// kindOf returns the kind of a message that a rule sends, if faults can hit it alone.
func (ev *evaluation) kindOf(r *rule, from int, head []uint32, round int) string {
	if s := ev.graph.singles; s != nil {
		if kind := s.known[sentRow{base(r.head.name), round, from, text(head)}]; kind != "" {
			return kind
		}
	}
	return r.kindOf()
}

// sends takes note of the kind of the message of a firing.
func (ev *evaluation) sends(f *Firing, head []uint32) {
	if s := ev.graph.singles; s != nil && f.to >= 0 {
		if kind := s.known[sentRow{base(f.rule.head.name), int(f.round), int(f.from), text(head)}]; kind != "" {
			s.firing[f] = kind
			f.number(head)
		}
	}
}

// kindOf returns the kind of the message of the firing, if faults can hit it alone.
func (f *Firing) kindOf() string {
	if s := f.rule.graph.singles; s != nil {
		if kind := s.firing[f]; kind != "" {
			return kind
		}
	}
	return f.rule.kindOf()
}

// known tells whether a fault of one message is a unit: one has its number.
func (g *Graph) known(f rounds.Fault) bool {
	return g.singles != nil && slices.ContainsFunc(g.singles.list, func(m Numbered) bool { return m.Relation == f.Of && m.Nth == f.Nth })
}

// Nth returns the number of a message of those that faults hit alone, 0 for others.
func (g *Graph) Nth(relation, from, to string, round int, args []specs.Value) int {
	if g.singles == nil {
		return 0
	}
	for _, m := range g.singles.list {
		if m.Relation == relation && m.From == from && m.To == to && m.Round == round && slices.Equal(m.Args, args) {
			return m.Nth
		}
	}
	return 0
}

// number takes note of the number of the message of a firing.
func (f *Firing) number(head []uint32) {
	g := f.rule.graph
	var args []specs.Value
	for _, id := range head {
		args = append(args, g.values.list[id])
	}
	g.singles.numbers[f] = g.Nth(base(f.rule.head.name), g.Bounds.Processes[f.from], g.Bounds.Processes[f.to], int(f.round), args)
}
