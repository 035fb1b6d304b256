package advise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// mostSuggestions is how many are returned, and mostCandidates how many are checked.
const (
	mostSuggestions = 6
	mostCandidates  = 60
)

// Suggest suggests what to add to a program whose promise a counterexample breaks, which
// has to be a smallest one. Options are those with which it was found. Limits and the end
// of the context are no errors: what is known by then is returned.
func Suggest(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o ldfi.Options, broken *result.Counterexample) (*result.Repairs, error) {
	found, s, err := suggest(ctx, p, b, o, broken)
	if err == nil && s != nil && len(found.Suggestions) == 0 {
		err = s.deadEnd(ctx, found)
	}
	if err != nil && s != nil {
		return s.stopped(ctx, found, err)
	}
	return found, err
}

// suggest looks for suggestions. It returns the search as well; nil if there was none.
func suggest(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o ldfi.Options, broken *result.Counterexample) (*result.Repairs, *repairSearch, error) {
	c, err := newChecker(p, b, o, broken)
	if err != nil {
		return nil, nil, err
	}
	found := &result.Repairs{}
	if broken.Size == 0 {
		found.Note = "the promise is broken without faults, and repairs start from a good execution without faults"
		return found, nil, nil
	}
	s := &repairSearch{checker: c, writer: &writer{p}}
	if err := s.compare(ctx, found, broken.Schedule); err != nil {
		return found, s, err
	}
	err = s.all(ctx)
	found.Suggestions, found.Tried, found.Undecided, found.Vain, found.Kinds = s.suggestions(), s.tried, s.undecided, s.vain, s.triedKinds()
	found.Ends, found.Good = s.ended(), len(s.checker.good)
	found.Note = note(found, broken)
	return found, s, err
}

// compare takes from the difference between the counterexample and the execution without
// faults what was lost and what should not be there.
func (s *repairSearch) compare(ctx context.Context, found *result.Repairs, bad rounds.Schedule) error {
	d, err := s.model.Diff(ctx, causality.Faultless(bad), bad)
	if err != nil {
		return err
	}
	good, err := s.model.Support(ctx, causality.Faultless(bad))
	if err != nil {
		return err
	}
	s.lost, s.surplus, s.good, found.Present = lost(s.program, d), surplus(s.program, d), sent(s.program, good), present(d)
	return nil
}

// stopped says of what a limit or the end of the time interrupted that there may be more.
func (c *checker) stopped(ctx context.Context, found *result.Repairs, err error) (*result.Repairs, error) {
	var facts *limits.LimitError
	var gates *solver.LimitError
	switch {
	case ctx.Err() != nil:
		found.Note = "stopped before everything was tried: " + result.Ended(ctx).Reason
	case errors.As(err, &facts), errors.As(err, &gates):
		found.Note = "nothing was tried: " + err.Error()
	default:
		return nil, err
	}
	return found, nil
}

// lost returns the rules of what the counterexample lacks, those nearest to the first
// difference first.
func lost(p *dedalus.Program, d *result.Difference) (rules []*syntax.Rule) {
	for _, change := range d.Changes {
		if r := ruleAt(p, change.Position); r != nil && change.Missing && !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	return rules
}

// sent returns the rules of a part of a program by which messages are sent.
func sent(p, part *dedalus.Program) (rules []*syntax.Rule) {
	for _, r := range part.Rules {
		if r := ruleAt(p, r.Position); r != nil && r.Kind == syntax.Async {
			rules = append(rules, r)
		}
	}
	return rules
}

func ruleAt(p *dedalus.Program, at specs.Position) *syntax.Rule {
	for _, r := range p.Rules {
		if r.Position == at {
			return r
		}
	}
	return nil
}

// repairSearch tries candidates: single parts, and where none of these is enough all of a kind
// together, without what they do not need.
type repairSearch struct {
	*checker
	writer     *writer
	lost, good []*syntax.Rule
	surplus    []derived

	helpful []checked
}

// checked is a candidate and what it comes to.
type checked struct {
	candidate
	outcome
	losses
	gone []recording.Fact // that the protocol does not have any more under the faults that broke the promise
}

func (s *repairSearch) all(ctx context.Context) error {
	for _, p := range s.singles() {
		if p.kind == threshold && s.mended(p.instead) {
			continue
		}
		if spares, err := s.spares(ctx, p); err != nil {
			return err
		} else if !spares {
			continue
		}
		if _, err := s.try(ctx, candidate{p}); err != nil {
			return err
		}
	}
	mended := func(worst int) bool {
		return slices.ContainsFunc(s.helpful, func(c checked) bool { return c.holds && len(c.ends) == 0 && rank(c.kinds()) <= worst })
	}
	if mended(0) {
		return nil
	}
	for _, together := range s.together() {
		if err := s.smallest(ctx, together); err != nil {
			return err
		}
	}
	if mended(1) {
		return nil
	}
	for _, p := range s.numbers() {
		if s.mended(p.instead) {
			continue
		}
		if _, err := s.try(ctx, candidate{p}); err != nil {
			return err
		}
	}
	return nil
}

// mended tells whether another rule in place of one is known to mend everything.
func (s *repairSearch) mended(instead []*syntax.Rule) bool {
	return slices.ContainsFunc(s.helpful, func(c checked) bool {
		return c.holds && len(c.candidate) == 1 && len(c.rules()) > 0 && slices.Equal(c.candidate[0].instead, instead)
	})
}

// singles are the parts that concern what the counterexample lacks.
func (s *repairSearch) singles() (all []part) {
	add := func(p part, ok bool) {
		if ok {
			all = append(all, p)
		}
	}
	promised := s.specification
	for _, r := range s.lost {
		if r.Kind == syntax.Async && !promised[r.Head.Relation] {
			add(s.writer.resend(r))
			add(s.writer.relay(r))
			add(s.writer.everybody(r))
			add(s.writer.through(r))
		}
	}
	for _, r := range s.lost {
		if !promised[r.Head.Relation] {
			add(s.writer.remember(&r.Head))
		}
	}
	if s.bounds.Restarts != 0 {
		for _, name := range s.forgettable() {
			add(s.writer.durable(name), true)
		}
	}
	n := len(s.bounds.Processes)
	for _, d := range s.surplus {
		name := d.rule.Head.Relation
		if !slices.Contains(stated, name) {
			all = append(all, s.writer.thresholds(d.rule, n)...)
		}
		if !promised[name] {
			add(s.writer.leaveOut(d))
		}
	}
	for _, r := range s.lost {
		if r.Kind == syntax.Async {
			for _, enough := range slices.Compact([]int{n/2 + 1, n}) {
				add(s.writer.acknowledge(r, "pre", enough))
			}
		}
	}
	return all
}

// together are parts of a kind, or of two, for everything that the good outcome needs.
func (s *repairSearch) together() (all []candidate) {
	of := func(make func(*syntax.Rule) (part, bool)) (c candidate) {
		for _, r := range s.good {
			if p, ok := make(r); ok && !s.specification[r.Head.Relation] {
				c = append(c, p)
			}
		}
		return c
	}
	again, relayed, wide, copied := of(s.writer.resend), of(s.writer.relay), of(s.writer.everybody), of(s.writer.through)
	for _, c := range []candidate{again, relayed, wide, copied, slices.Concat(again, relayed), slices.Concat(again, wide), slices.Concat(again, copied)} {
		if len(c) > 1 {
			all = append(all, c)
		}
	}
	if s.bounds.Restarts != 0 {
		var c candidate
		for _, name := range s.forgettable() {
			c = append(c, s.writer.durable(name))
		}
		all = append(all, c)
	}
	return all
}

// try checks a candidate, and keeps it if it helps.
func (s *repairSearch) try(ctx context.Context, c candidate) (outcome, error) {
	o, err := s.check(ctx, c)
	if err != nil || !s.helps(o) {
		return o, err
	}
	gone, err := s.gone(ctx, c)
	if err != nil {
		return o, err
	}
	return o, s.keep(ctx, checked{candidate: c, outcome: o, gone: gone})
}

// smallest checks a candidate, and if it helps more than what is known leaves out of it
// what it does not need.
func (s *repairSearch) smallest(ctx context.Context, c candidate) error {
	o, err := s.check(ctx, c)
	if err != nil || !s.helps(o) || slices.ContainsFunc(s.helpful, func(known checked) bool { return !o.better(known.outcome) }) {
		return err
	}
	for i := 0; i < len(c) && len(c) > 1; {
		fewer := schedules.LeaveOut(c, i)
		less, err := s.check(ctx, fewer)
		if err != nil {
			return err
		}
		if !s.helps(less) || o.better(less) {
			i++
			continue
		}
		c, o = fewer, less
	}
	return s.keep(ctx, checked{candidate: c, outcome: o})
}

// keep keeps one that helps, with what good executions lose by it.
func (s *repairSearch) keep(ctx context.Context, c checked) (err error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if c.losses, err = s.loses(within, c.candidate); err != nil {
		return s.decidable(ctx, err)
	}
	s.helpful = append(s.helpful, c)
	return nil
}

// suggestions are the candidates that help, what helps most first, of those that help
// as much the ones by which good executions lose least, and of these the ones that change
// least. What changes the promise comes last.
func (s *repairSearch) suggestions() (all []result.Repair) {
	last := func(c checked) int { return max(rank(c.kinds()), 1) }
	slices.SortStableFunc(s.helpful, func(a, b checked) int {
		return cmp.Or(last(a)-last(b), b.compare(a.outcome), a.sum-b.sum, rank(a.kinds())-rank(b.kinds()), len(a.candidate)-len(b.candidate))
	})
	for _, c := range s.helpful {
		if len(all) < mostSuggestions && len(c.ends) == 0 {
			all = append(all, s.repair(c))
		}
	}
	return all
}

// ended are those that are not suggested because something would end.
func (s *repairSearch) ended() (all []result.Repair) {
	for _, c := range s.helpful {
		if len(all) < mostSuggestions && len(c.ends) > 0 {
			all = append(all, s.repair(c))
		}
	}
	return all
}

// rank orders suggestions: first those that add to the protocol, then those that let it do
// less, and last those that change its promise.
func rank(kinds []string) int {
	switch {
	case slices.Contains(kinds, acknowledge):
		return 2
	case slices.Contains(kinds, threshold), slices.Contains(kinds, constant), slices.Contains(kinds, without):
		return 1
	}
	return 0
}

func (c candidate) kinds() (all []string) {
	for _, kind := range kinds {
		if slices.ContainsFunc(c, func(p part) bool { return p.kind == kind }) {
			all = append(all, kind)
		}
	}
	return all
}

func (s *repairSearch) repair(c checked) result.Repair {
	r := result.Repair{Text: c.text(), Kinds: c.kinds(), Rules: c.rules(), Verdict: result.Holds, Buys: "holds for the same bounds", Gone: c.gone, Loses: c.all, Ends: c.ends}
	for _, p := range c.candidate {
		for _, old := range p.instead {
			r.Instead = append(r.Instead, result.Derivation{Rule: old.String(), Position: old.Position})
		}
	}
	if names := c.durable(); len(names) > 0 {
		r.Durable = slices.Concat(s.bounds.Durable, names)
	}
	if !c.holds {
		r.Verdict, r.Size, r.Schedule = result.Violated, c.size, c.schedule
		r.Buys = fmt.Sprintf("then %s are needed, not %d", text.Plural(c.size, "fault"), s.size)
	}
	return r
}

// note says why there are no suggestions, or that none of them is enough.
func note(found *result.Repairs, broken *result.Counterexample) string {
	if slices.ContainsFunc(found.Suggestions, func(r result.Repair) bool { return r.Verdict == result.Holds }) {
		return ""
	}
	s := fmt.Sprintf("none of the %d changes that were tried helps", found.Tried)
	switch {
	case len(found.Suggestions) == 0 && len(found.Ends) > 0:
		return fmt.Sprintf("of the %s that were tried only those help that end what the protocol is for", text.Plural(found.Tried, "change"))
	case len(found.Suggestions) > 0:
		s = fmt.Sprintf("none of the %s that were tried makes the promise hold within the same bounds", text.Plural(found.Tried, "change"))
	case found.Tried == 0:
		s = "nothing that could be changed was found"
	case found.Tried == 1 && found.Undecided == 0:
		s = "the one change that was tried does not help"
	case found.Undecided > 0:
		s = fmt.Sprintf("of %s that were tried %d could not be decided, and no other one helps", text.Plural(found.Tried, "change"), found.Undecided)
	}
	if len(broken.Violations) > 0 && !broken.Violations[0].Missing {
		s += ": the promise is broken by a fact that holds, not by one that is missing"
	}
	return s
}
