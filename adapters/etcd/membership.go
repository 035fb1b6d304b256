package etcd

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Membership returns what holds in every execution of Raft with changes of the
// configuration.
func Membership() []property.Property {
	return []property.Property{LearnersNeverLead, NoTwoMajorities}
}

// LearnersNeverLead says that no process begins to lead while it is a learner as
// far as it knows. A leader that is made a learner may lead on to the end of its
// term, which is how the library does it.
var LearnersNeverLead = property.Property{Name: "learners never lead", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	var violations []result.Violation
	for _, l := range elections(e) {
		c := l.configs[0]
		if l.all(func(c *appliedConfig) bool { return c.learns(l.process) }) {
			text := fmt.Sprintf("%s leads term %d from round %d on, though it is a learner in the configuration of index %d, which it applied in round %d",
				l.process, l.term, l.round, c.index, c.round)
			violations = append(violations, violation("learners never lead", text, l.fact))
		}
	}
	return violations
}}

// NoTwoMajorities says that who begins to lead a term knows the configuration well
// enough. Any majority of the configuration that it has applied by then has a
// process in common with any majority of the newest one that was in use in an
// earlier term: the one with the highest index that any process applied while it
// was in a lower term. Otherwise both could commit without one another.
//
// A leader may lag behind by one change, but not by more: the entry of a second is
// only written when the first is committed, and says so. A leader whose term is
// over, and who does not know that yet, is not judged by what was applied in later
// terms.
var NoTwoMajorities = property.Property{Name: "no two majorities", FactsOnly: true, Func: func(e *recording.Execution) []result.Violation {
	var violations []result.Violation
	for _, l := range elections(e) {
		newest := l.newest
		if newest != nil && l.all(func(c *appliedConfig) bool { return c.index < newest.index && disjoint(c, newest) }) {
			c := l.configs[0]
			text := fmt.Sprintf("%s leads term %d from round %d on with the configuration of index %d, %s, and %s had applied that of index %d, %s, in round %d, in a lower term: they have majorities without a common process",
				l.process, l.term, l.round, c.index, c, newest.process, newest.index, newest, newest.round)
			violations = append(violations, violation("no two majorities", text, l.fact))
		}
	}
	return violations
}}

// disjoint tells whether two configurations have majorities without a common
// process: whether for some majority of the one all others are a majority of the
// other.
func disjoint(c, d *appliedConfig) bool {
	var all []string
	place := map[string]int{}
	for _, list := range [][]string{c.voters, c.outgoing, d.voters, d.outgoing} {
		for _, p := range list {
			if _, ok := place[p]; !ok {
				place[p] = len(all)
				all = append(all, p)
			}
		}
	}
	for set := range 1 << len(all) {
		in := func(p string) bool { return set>>place[p]&1 == 1 }
		if c.majority(in) && d.majority(func(p string) bool { return !in(p) }) {
			return true
		}
	}
	return false
}

// LeavesJoint says that the leader of the last round, of the highest term, is not in
// a joint configuration that it has to leave by itself, if it has been in it for so
// many rounds, if majorities of both sets of voters are up and in no higher term,
// and if the last fault is over for so many rounds. It says nothing of joint configurations that a client has
// to leave, nor of a leader that votes in neither set: what such a leader proposes,
// the library drops. Which leaders leave late only a search finds out
// ([property.Property.ByEnd]).
func LeavesJoint(calm int) property.Property {
	name := fmt.Sprintf("leaves joint configurations after %d calm rounds", calm)
	return property.Property{Name: name, FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) []result.Violation {
		up, last := outages(e)
		f := leaderAtEnd(e)
		if f == nil {
			return nil
		}
		c := inUse(configsOf(e), f.Args[0].Text())
		if c == nil || !c.joint() || !c.implicit || !c.votes(c.process) || !c.majority(among(followers(e, up, *f))) || e.Bounds.EOT-max(last, c.round) < calm {
			return nil
		}
		text := fmt.Sprintf("%s leads in round %d, and has not left the joint configuration of index %d, %s, since it applied it in round %d",
			c.process, e.Bounds.EOT, c.index, c, c.round)
		return []result.Violation{violation(name, text, *f)}
	}}
}

// followers returns those of some processes that may listen to a leader: they are in
// no higher term.
func followers(e *recording.Execution, of []string, leader recording.Fact) []string {
	terms := map[string]int64{}
	for _, f := range e.Facts { // by round
		if f.Relation == "role" {
			terms[f.Args[0].Text()] = f.Args[2].Int()
		}
	}
	return slices.DeleteFunc(of, func(p string) bool { return terms[p] > leader.Args[1].Int() })
}

// leaderAtEnd returns the leader of the last round, of the highest term.
func leaderAtEnd(e *recording.Execution) (last *recording.Fact) {
	for i, f := range e.Facts {
		if f.Relation == "leader" && f.Round == e.Bounds.EOT && (last == nil || f.Args[1].Int() > last.Args[1].Int()) {
			last = &e.Facts[i]
		}
	}
	return last
}

// election is the first round in which a process leads a term.
type election struct {
	process string
	term    int64
	round   int
	fact    recording.Fact
	configs []*appliedConfig // that it may have had then: the last before, and those of the round
	newest  *appliedConfig   // that a process in a lower term has applied, nil if none
}

// all tells whether something is true whichever configuration the process had.
func (l *election) all(is func(*appliedConfig) bool) bool {
	for _, c := range l.configs {
		if !is(c) {
			return false
		}
	}
	return len(l.configs) > 0
}

// elections returns them by round.
func elections(e *recording.Execution) []*election {
	type key struct {
		process string
		term    int64
	}
	configs := configsOf(e)
	seen := map[key]bool{}
	var all []*election
	for _, f := range e.Facts {
		if f.Relation != "leader" || seen[key{f.Args[0].Text(), f.Args[1].Int()}] {
			continue
		}
		l := &election{process: f.Args[0].Text(), term: f.Args[1].Int(), round: f.Round, fact: f}
		seen[key{l.process, l.term}] = true
		for _, c := range configs {
			l.see(c)
		}
		all = append(all, l)
	}
	return all
}

// see takes note of a configuration, which come by round.
func (l *election) see(c *appliedConfig) {
	switch {
	case c.process != l.process:
	case c.round < l.round:
		l.configs = []*appliedConfig{c}
	case c.round == l.round:
		l.configs = append(l.configs, c)
	}
	if c.term < l.term && (l.newest == nil || c.index > l.newest.index) {
		l.newest = c
	}
}
