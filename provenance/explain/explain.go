package explain

import (
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
)

// mention returns the change of a fact that holds here and not there.
type mention func(f *provenance.Fact, here, there *Explainer) *change

// explain finds the parts of the derivation of a fact that the other world lacks.
func (ch *change) explain(mention mention) {
	ch.firing = ch.here.derivation(ch.fact)
	switch {
	case ch.firing == nil:
		ch.faults = append(ch.faults, result.Cause{How: causality.Program})
	case ch.firing.Chosen():
		ch.chosen()
	case len(ch.firing.Rows()) > 0:
		ch.rows(mention)
	default:
		ch.parts(ch.firing, ch.here, ch.there, mention)
	}
	if ch.firing != nil && ch.versions() {
		ch.only(ch.firing)
	}
	if len(ch.needs)+len(ch.faults) == 0 && ch.versions() {
		ch.otherwise()
	}
	if len(ch.needs)+len(ch.faults) == 0 {
		ch.faults = append(ch.faults, result.Cause{How: causality.Program})
	}
}

// rows finds which values that an aggregate summarises are missing, or are there
// besides.
func (ch *change) rows(mention mention) {
	for _, row := range ch.here.summarised(ch.fact, ch.firing) {
		ch.parts(row, ch.here, ch.there, mention)
	}
	theirs := ch.rowsThere()
	if theirs == nil {
		return
	}
	for _, row := range ch.there.gained(ch.fact, theirs, ch.firing, ch.here) {
		ch.parts(row, ch.there, ch.here, mention)
	}
}

// parts finds the parts of a firing that takes place here and that are missing there.
func (ch *change) parts(f *provenance.Firing, here, there *Explainer, mention mention) {
	before := len(ch.needs) + len(ch.faults)
	for _, fact := range f.Positive() {
		switch {
		case there.Holds(in(there, fact)):
			ch.shares(fact)
		case builtIn(fact, here):
			ch.happens(fact, here, there)
		default:
			ch.add(mention(fact, here, there))
		}
	}
	for _, absence := range f.Negative() {
		matching := there.Matching(absence)
		switch {
		case len(matching) == 0:
		case builtIn(matching[0], there): // one is enough
			ch.happens(matching[0], there, here)
		default:
			ch.add(mention(matching[0], there, here))
		}
	}
	if len(ch.needs)+len(ch.faults) == before && !ch.versions() {
		ch.prevented(f, here, there)
	}
}

func (ch *change) add(need *change) {
	if !slices.Contains(ch.needs, need) && !(ch.versions() && behind(ch, need)) { // of two programs each may need the other's
		ch.needs = append(ch.needs, need)
	}
}

func (ch *change) shares(f *provenance.Fact) {
	if !slices.ContainsFunc(ch.shared, func(known *provenance.Fact) bool {
		return known == f || ch.versions() && known.Ground().Compare(f.Ground()) == 0
	}) {
		ch.shared = append(ch.shared, f)
	}
}

func (ch *change) blame(cause result.Cause, by rounds.Fault) {
	cause.Fault.Faults = []rounds.Fault{by}
	if !slices.ContainsFunc(ch.faults, func(c result.Cause) bool {
		return c.How == cause.How && slices.Equal(c.Fault.Faults, cause.Fault.Faults) && c.From == cause.From && c.To == cause.To && c.Round == cause.Round
	}) {
		ch.faults = append(ch.faults, cause)
	}
}

// builtIn tells whether a fact is one of crashes and restarts, as the schedule has them.
func builtIn(f *provenance.Fact, x *Explainer) bool {
	return f.Relation() == syntax.Crash || f.Relation() == syntax.Booted && len(f.Firings()) == 0 && !f.Given()
}

// happens blames the fault of a built-in fact that holds here, and not there. A fault that
// both programs suffer, though only one of them reads it, is not blamed.
func (ch *change) happens(f *provenance.Fact, here, there *Explainer) {
	by, how := rounds.Fault{Kind: rounds.Restart, Process: f.Arg(0).Text(), Round: f.Round()}, causality.Back
	if f.Relation() == syntax.Crash {
		by, how = rounds.Fault{Kind: rounds.Crash, Process: f.Arg(1).Text(), Round: int(f.Arg(2).Int())}, causality.Crashed
	}
	if suffers(here, by) != suffers(there, by) {
		ch.blame(result.Cause{How: how}, by)
	}
}

// chosen blames the choice of the environment.
func (ch *change) chosen() {
	fact, unless, _ := ch.firing.Choice()
	if slices.Contains(ch.here.Schedule.Faults, fact) {
		ch.blame(result.Cause{How: causality.Chosen}, fact)
		return
	}
	for _, other := range unless {
		if slices.Contains(ch.there.Schedule.Faults, other) {
			ch.blame(result.Cause{How: causality.Chosen}, other)
		}
	}
}
