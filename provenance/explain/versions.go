package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// versions tells whether the two worlds are those of two programs.
func (ch *change) versions() bool { return ch.here.Graph != ch.there.Graph }

// only blames the rule of a firing if the other program does not have it. It names the
// rules that the other program has in its place.
func (ch *change) only(f *provenance.Firing) {
	if f.Rule() == nil || rule(ch.there.Graph, f.Rule()) != nil {
		return
	}
	cause := result.Cause{How: causality.Program}
	for _, r := range instead(ch.there.Graph, ch.here.Graph, f.Rule().Head.Relation) {
		cause.Instead = append(cause.Instead, result.Derivation{Rule: r.String(), Position: r.Position})
	}
	ch.faults = append(ch.faults, cause)
}

// rule returns the rule of a program that is the same except for the names of variables,
// nil if there is none.
func rule(g *provenance.Graph, wanted *syntax.Rule) *syntax.Rule {
	for _, r := range g.Program.Rules {
		if r.Head.Relation == wanted.Head.Relation && r.Canonical() == wanted.Canonical() {
			return r
		}
	}
	return nil
}

// instead returns the rules for a relation that the program has contains and the program
// lacks does not.
func instead(has, lacks *provenance.Graph, relation string) []*syntax.Rule {
	var all []*syntax.Rule
	for _, r := range has.Program.Rules {
		if r.Head.Relation == relation && rule(lacks, r) == nil {
			all = append(all, r)
		}
	}
	return all
}

// otherwise blames other differences of two programs whose derivations are the same: the
// possible choices of the environment, the settings for executions of a schedule, or rules
// of only one program that keep a fact, which a stopped process then keeps.
func (ch *change) otherwise() {
	differ := settingsApart(ch.here.Graph.Bounds, ch.there.Graph.Bounds)
	switch {
	case ch.firing == nil:
	case ch.firing.Chosen():
		ch.faults = append(ch.faults, result.Cause{How: causality.Chosen})
	case len(differ) > 0:
		ch.faults = append(ch.faults, result.Cause{How: causality.Settings, Settings: differ})
	case ch.firing.Rule() == nil:
		ch.faults = append(ch.faults, result.Cause{How: causality.Stays})
	}
}

// settingsApart returns the keys of the settings in which two bounds differ.
func settingsApart(a, b rounds.Bounds) []string {
	var keys []string
	for _, s := range []struct {
		key   string
		alike bool
	}{
		{"crash", a.CrashStop == b.CrashStop},
		{"durable", alike(a.Durable, b.Durable)},
		{"join", slices.Equal(joins(a), joins(b))},
		{"own", a.OwnLost == b.OwnLost},
		{"reliable", alike(a.Reliable, b.Reliable)},
	} {
		if !s.alike {
			keys = append(keys, s.key)
		}
	}
	return keys
}

func alike(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// joins returns the rounds in which processes join, by the order of their names.
func joins(b rounds.Bounds) []int {
	var all []int
	for _, p := range slices.Sorted(slices.Values(b.Processes)) {
		all = append(all, b.Joined(p))
	}
	return all
}

// obstructed finds the facts that prevent the other program's rules, which replace the rule
// that gives a fact here, from giving it too: facts in which the two worlds differ.
func (ch *change) obstructed(mention mention) []*change {
	var all []*change
	if ch.firing == nil || ch.firing.Rule() == nil || rule(ch.there.Graph, ch.firing.Rule()) != nil {
		return nil
	}
	for _, r := range instead(ch.there.Graph, ch.here.Graph, ch.fact.Relation()) {
		present, absent := ch.there.Obstacles(r, ch.fact)
		for _, f := range present {
			if !ch.here.Holds(in(ch.here, f)) && !builtIn(f, ch.there) {
				all = append(all, mention(f, ch.there, ch.here))
			}
		}
		for _, f := range absent {
			if fact := ch.here.Graph.Find(f.Relation, f.Args, f.Round); ch.here.Holds(fact) && !builtIn(fact, ch.here) {
				all = append(all, mention(fact, ch.here, ch.there))
			}
		}
	}
	return all
}

// behind tells whether the change cause is effect, or one of its causes.
func behind(cause, effect *change) bool {
	seen := map[*change]bool{}
	var visit func(ch *change) bool
	visit = func(ch *change) bool {
		if ch == cause {
			return true
		}
		if seen[ch] {
			return false
		}
		seen[ch] = true
		return slices.ContainsFunc(ch.needs, visit)
	}
	return visit(effect)
}

// rowsThere returns the rows from which an aggregating rule gives the group of the fact in
// the other world, with the firing that summarises them; nil if there is none.
func (ch *change) rowsThere() *provenance.Firing {
	if !ch.versions() {
		return ch.firing
	}
	same := rule(ch.there.Graph, ch.firing.Rule())
	if same == nil {
		return nil
	}
	for _, f := range ch.there.Graph.Facts(ch.fact.Relation(), ch.fact.Round()) {
		for _, firing := range f.Firings() {
			if firing.Rule() == same && ch.there.Fires(firing) && firing.Round() == ch.firing.Round() && sender(firing) == sender(ch.firing) && sameGroup(same, f, ch.fact) {
				return firing
			}
		}
	}
	return nil
}

// sender is the sender of the fact of a firing, "" if it is not sent.
func sender(f *provenance.Firing) string {
	if d := f.Delivery(); d != nil {
		return d.From
	}
	return ""
}
