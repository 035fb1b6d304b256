package ldfi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/solver"
)

// showing has, for the facts of one execution, the firings that gave them.
type showing struct {
	world      *provenance.World
	conditions map[*provenance.Fact]solver.Lit
	supports   map[*provenance.Fact][]support
	cut        map[*provenance.Fact]bool // more supports than are kept
}

func newShowing(w *provenance.World) *showing {
	return &showing{world: w, conditions: map[*provenance.Fact]solver.Lit{}, supports: map[*provenance.Fact][]support{}, cut: map[*provenance.Fact]bool{}}
}

// condition returns when the fact comes about by firings that took place. It implies
// the condition of the fact, and holds in the world.
func (s *showing) condition(f *provenance.Fact) solver.Lit {
	shown := s.conditionOf(f)
	if !s.world.True(shown) {
		return f.Cond() // it was reached through a circle first
	}
	return shown
}

func (s *showing) conditionOf(f *provenance.Fact) solver.Lit {
	if known, ok := s.conditions[f]; ok {
		return known // False while it is being computed: no fact is its own reason
	}
	s.conditions[f] = solver.False
	c := s.world.Graph.Circuit
	shown := solver.False
	if f.Given() || f.Relation() == "crash" {
		shown = f.Cond()
	}
	for _, firing := range f.Firings() {
		if s.world.Fires(firing) {
			shown = c.Or(shown, s.conditionOfFiring(firing))
		}
	}
	s.conditions[f] = shown
	return shown
}

// conditionOfFiring takes the condition of an aggregate as a whole: it depends on absent
// rows, too.
func (s *showing) conditionOfFiring(f *provenance.Firing) solver.Lit {
	c := s.world.Graph.Circuit
	if len(f.Rows()) > 0 || f.Rule() == nil {
		return f.Cond()
	}
	all := []solver.Lit{}
	for _, used := range f.Positive() {
		all = append(all, s.conditionOf(used))
	}
	for _, absence := range f.Negative() {
		for _, absent := range absence.Facts {
			all = append(all, absent.Cond().Not())
		}
	}
	if s.world.Graph.Bounds.Restarts != 0 { // a crash need not prevent it, which its process can survive
		return c.Ands(append(all, f.Prevented().Not())...)
	}
	if d := f.Delivery(); d != nil {
		all = append(all, d.Cond)
	}
	for _, fault := range f.LostBy() {
		if unit, ok := s.world.Graph.Universe.Index(fault); ok {
			all = append(all, s.world.Graph.Inputs[unit].Not())
		}
	}
	return c.Ands(all...)
}

// support has the messages, the absences and the preventing faults of a derivation.
type support struct {
	messages map[message]bool
	lacks    map[string]bool
	faults   map[int]bool // each of these units prevents it: it loses a message, or stops a process
}

func newSupport() support {
	return support{messages: map[message]bool{}, lacks: map[string]bool{}, faults: map[int]bool{}}
}

// message is a message from one process to another in a round.
type message struct {
	relation, from, to string
	round              int
}

func (m message) String() string {
	return fmt.Sprintf("%s %s>%s@%d", m.relation, m.from, m.to, m.round)
}

// mostSupports limits the supports of a fact that are kept; all of them count.
const mostSupports = 8

// outcome returns the supports of a fact.
func (s *showing) outcome(f *provenance.Fact) result.Outcome {
	o := result.Outcome{Fact: f.String()}
	for _, t := range s.supportsOf(f) {
		o.Supports = append(o.Supports, s.named(t))
	}
	o.More = s.cut[f]
	return o
}

// named returns a support with its clause.
func (s *showing) named(t support) result.Support {
	n := result.Support{}
	for _, m := range t.sorted() {
		n.Messages = append(n.Messages, m.String())
	}
	for _, unit := range slices.Sorted(maps.Keys(t.faults)) {
		n.Clause = append(n.Clause, s.world.Graph.Universe.Fault(unit).String())
	}
	n.Lacks = slices.Sorted(maps.Keys(t.lacks))
	return n
}

func (t support) sorted() []message {
	return slices.SortedFunc(maps.Keys(t.messages), compareMessages)
}

// supportsOf returns the smallest supports of a fact that holds.
func (s *showing) supportsOf(f *provenance.Fact) []support {
	if known, ok := s.supports[f]; ok {
		return known
	}
	s.supports[f] = nil
	var all []support
	if f.Given() || f.Relation() == "crash" {
		all = append(all, newSupport())
	}
	for _, firing := range f.Firings() {
		if s.world.Fires(firing) {
			all = append(all, s.supportsOfFiring(f, firing)...)
		}
	}
	all = s.keep(f, all)
	s.supports[f] = all
	return all
}

// supportsOfFiring combines the supports of all that a firing uses.
func (s *showing) supportsOfFiring(f *provenance.Fact, firing *provenance.Firing) []support {
	own := newSupport()
	if d := firing.Delivery(); d != nil && d.From != "" && d.From != d.To {
		own.messages[message{f.Relation(), d.From, d.To, d.Round}] = true
	}
	for _, fault := range firing.LostBy() {
		if unit, ok := s.world.Graph.Universe.Index(fault); ok && !keeps(f, firing) {
			own.faults[unit] = true
		}
	}
	for _, absence := range firing.Negative() {
		if len(absence.Facts) > 0 {
			own.lacks[lacking(absence)] = true
		}
	}
	all := []support{own}
	for _, used := range firing.Positive() {
		all = s.keep(f, combine(all, s.supportsOf(used)))
		if s.cut[used] {
			s.cut[f] = true
		}
	}
	for _, row := range firing.Rows() {
		if s.world.Fires(row) {
			all = s.keep(f, combine(all, s.supportsOfFiring(f, row)))
		}
	}
	return all
}

// keeps tells whether a firing only carries over a fact of its process, which would keep it
// even after it has stopped.
func keeps(f *provenance.Fact, firing *provenance.Firing) bool {
	return firing.Delivery() == nil && slices.ContainsFunc(f.Firings(), func(other *provenance.Firing) bool {
		return other.Rule() == nil && !other.Chosen() && slices.Contains(firing.Positive(), other.Positive()[0])
	})
}

// lacking names a fact that has to be absent.
func lacking(a *provenance.Absence) string {
	if len(a.Facts) == 1 {
		return a.Facts[0].String()
	}
	return fmt.Sprintf("%s and %s like it", a.Facts[0], text.Plural(len(a.Facts)-1, "other"))
}

func combine(left, right []support) []support {
	var all []support
	for _, l := range left {
		for _, r := range right {
			both := support{messages: maps.Clone(l.messages), lacks: maps.Clone(l.lacks), faults: maps.Clone(l.faults)}
			maps.Copy(both.messages, r.messages)
			maps.Copy(both.lacks, r.lacks)
			maps.Copy(both.faults, r.faults)
			all = append(all, both)
		}
	}
	return all
}

// keep returns the smallest of some supports, none of which has all messages of another.
func (s *showing) keep(f *provenance.Fact, all []support) []support {
	slices.SortStableFunc(all, func(a, b support) int {
		return cmp.Or(cmp.Compare(len(a.messages), len(b.messages)), slices.CompareFunc(a.sorted(), b.sorted(), compareMessages))
	})
	var kept []support
	for _, t := range all {
		if slices.ContainsFunc(kept, func(k support) bool { return k.within(t) }) {
			continue
		}
		if len(kept) == mostSupports {
			s.cut[f] = true
			break
		}
		kept = append(kept, t)
	}
	return kept
}

// within tells whether all messages of a support belong to another.
func (t support) within(other support) bool {
	for m := range t.messages {
		if !other.messages[m] {
			return false
		}
	}
	return true
}

func compareMessages(a, b message) int {
	return cmp.Or(cmp.Compare(a.round, b.round), strings.Compare(a.from, b.from), strings.Compare(a.to, b.to), strings.Compare(a.relation, b.relation))
}
