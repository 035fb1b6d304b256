package ldfi

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// The effect of a fault of a set shows when the fault alone is undone. That keeps the
// promise, if no fault can be left out of the set. Then the outcome differs, and so does a
// part of each of its derivations: down to messages that the fault loses, all of which are
// named, or to a process that it stops or that others learn about.

// cuts says that of each fault of a schedule that breaks the promise.
func (q *question) cuts(g *provenance.Graph, bad *provenance.World, broken result.Violation) []result.Cut {
	var all []result.Cut
	does := map[effect]bool{}
	for _, u := range causality.LeaveOutEach(bad.Schedule, func(s rounds.Schedule) error { return s.Check(q.bounds) }) {
		good, err := g.Under(u.Rest)
		if err != nil {
			continue // of this the graph knows nothing: it has but some schedules
		}
		if c := cutBetween(good, bad, broken); c != nil {
			c.cut.Fault = u.Fault
			all = append(all, c.result())
			maps.Copy(does, c.does)
		}
	}
	q.causes[bad.Schedule.String()] = slices.SortedFunc(maps.Keys(does), effect.compare)
	return all
}

// cutting compares two worlds, of which only the bad one has a fault.
type cutting struct {
	good, bad *provenance.World
	seen      map[*provenance.Fact]bool
	lost      map[message]bool
	effects   map[string]bool
	does      map[effect]bool // the effects of the fault, in any round
	cut       result.Cut
}

// cutBetween returns the differences between two worlds in an outcome; nil if there are
// none.
func cutBetween(good, bad *provenance.World, broken result.Violation) *cutting {
	c := &cutting{good: good, bad: bad, seen: map[*provenance.Fact]bool{}, lost: map[message]bool{}, effects: map[string]bool{}, does: map[effect]bool{}}
	facts := []recording.Fact{broken.Fact}
	if broken.While != nil {
		facts = append(facts, *broken.While)
	}
	for _, f := range facts {
		fact := bad.Graph.Find(f.Relation, f.Args, f.Round)
		if good.Holds(fact) != bad.Holds(fact) {
			c.cut.Fact, c.cut.Missing = f, good.Holds(fact)
			c.differs(fact)
			return c
		}
	}
	return nil
}

// differs looks at all derivations of a fact that only one of the worlds has.
func (c *cutting) differs(f *provenance.Fact) {
	if c.seen[f] {
		return
	}
	c.seen[f] = true
	here, there := c.good, c.bad
	if c.bad.Holds(f) {
		here, there = there, here
	}
	for _, firing := range f.Firings() {
		if here.Fires(firing) {
			c.prevented(f, firing, here, there)
		}
	}
}

// prevented follows the parts of a firing that takes place in one world and that the other
// world lacks.
func (c *cutting) prevented(f *provenance.Fact, firing *provenance.Firing, here, there *provenance.World) {
	met := false
	for _, used := range firing.Positive() {
		if !there.Holds(used) {
			met = true
			c.follow(used)
		}
	}
	for _, absence := range firing.Negative() {
		for _, used := range absence.Facts {
			if there.Holds(used) {
				met = true
				c.follow(used)
			}
		}
	}
	for _, row := range firing.Rows() {
		switch {
		case here.Fires(row) && !there.Fires(row):
			met = true
			c.prevented(f, row, here, there)
		case there.Fires(row) && !here.Fires(row):
			met = true
			c.prevented(f, row, there, here)
		}
	}
	if !met {
		c.ends(f, firing, here, there)
	}
}

// follow continues with a fact that a derivation needs, or needs to be absent, unless it is
// a fact about the fault itself.
func (c *cutting) follow(f *provenance.Fact) {
	switch {
	case f.Relation() == syntax.Crash:
		c.effect(f.Arg(1).Text(), "others are told that %s has crashed")
	case f.Relation() == syntax.Booted && len(f.Firings()) == 0:
		c.effect(f.Arg(0).Text(), "%s is back")
	default:
		c.differs(f)
	}
}

// ends records the direct effect of the fault on a firing: it loses the message, or strikes
// the process.
func (c *cutting) ends(f *provenance.Fact, firing *provenance.Firing, here, there *provenance.World) {
	d, processes := firing.Delivery(), there.Graph.Bounds.Processes
	switch p := firing.StopsWith(); {
	case d != nil && here == c.bad && (d.Arrival > d.Round || loses(there, d)):
		c.effects[fmt.Sprintf("%s arrives in round %d", message{f.Relation(), d.From, d.To, d.Round}, d.Arrival)] = true
		c.message(d, f.Relation(), arrives)
	case d != nil && loses(there, d):
		c.lost[message{f.Relation(), d.From, d.To, d.Round}] = true
		c.message(d, f.Relation(), isLost)
	case firing.Rule() == nil && firing.Chosen():
		c.effect("the environment", "%s chooses something else")
	case p >= 0 && there.Environment.Down(p, firing.Round()):
		c.effect(processes[p], "%s has stopped")
	case firing.Rule() == nil:
		c.effect(f.Arg(0).Text(), "%s keeps what it has as it has stopped")
	case firing.Forgets() >= 0:
		c.effect(processes[firing.Forgets()], "%s forgets what is not durable")
	default:
		c.effect("somebody", "%s forgets what is not durable")
	}
}

// effect records an effect of the fault other than losing messages.
func (c *cutting) effect(process, format string) {
	c.effects[fmt.Sprintf(format, process)] = true
	c.does[effect{what: format, from: process, missing: c.cut.Missing}] = true
}

// message records the effect of the fault on messages of a relation on a link.
func (c *cutting) message(d *provenance.Delivery, relation, what string) {
	c.does[effect{relation, what, d.From, d.To, c.cut.Missing}] = true
}

// loses tells whether a message does not arrive in its round.
func loses(w *provenance.World, d *provenance.Delivery) bool {
	processes := w.Graph.Bounds.Processes
	_, lost := w.Environment.Of(d.Of, d.Nth).Cause(slices.Index(processes, d.From), slices.Index(processes, d.To), d.Round)
	return lost
}

// result writes it down.
func (c *cutting) result() result.Cut {
	for _, m := range slices.SortedFunc(maps.Keys(c.lost), compareMessages) {
		c.cut.Messages = append(c.cut.Messages, m.String())
	}
	c.cut.Effects = slices.Sorted(maps.Keys(c.effects))
	return c.cut
}
