package advise

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// What a check may cost. The limits of work come first on every machine that is not slow:
// the time is there so that nobody waits for long.
const (
	mostFacts = 100_000
	mostGates = 2_000_000
)

var patience = 5 * time.Second

// checker decides programs with candidates.
type checker struct {
	program       *dedalus.Program
	bounds        rounds.Bounds
	options       ldfi.Options
	model         *ldfi.Model // of the program as it is
	size          int         // of a smallest counterexample to it
	chosen        rounds.Schedule
	specification map[string]bool // relations that only the promise is about
	spoken        []string        // relations whose facts have to be there as before
	before        map[string]bool
	known         []rounds.Schedule // that break the program, or what it was with a candidate, with so many faults or fewer

	good []good // executions by which changes are measured

	tried, undecided int
	vain             int            // of those tried: with these the promise is about something else, or kept in vain
	kinds            map[string]int // how many of those tried are of a kind
	failed           []*ldfi.Model  // the programs with those that do not help
}

// outcome is what is known of a program with a candidate.
type outcome struct {
	holds, violated bool // neither: not decided, or in vain
	size            int
	schedule        rounds.Schedule
}

// compare puts what helps more behind what helps less.
func (o outcome) compare(other outcome) int {
	value := func(o outcome) int {
		switch {
		case o.holds:
			return 1 << 30
		case o.violated:
			return o.size
		}
		return -1
	}
	return value(o) - value(other)
}

// better tells whether an outcome is better than another one.
func (o outcome) better(other outcome) bool { return o.compare(other) > 0 }

func newChecker(p *dedalus.Program, b rounds.Bounds, o ldfi.Options, broken *result.Counterexample) (*checker, error) {
	m, err := ldfi.New(p, b, o)
	if err != nil {
		return nil, err
	}
	o.Max, o.Certifier, o.Stages, o.MaxFacts, o.MaxGates = 1, nil, nil, limit(o.MaxFacts, mostFacts), limit(o.MaxGates, mostGates)
	return &checker{
		program: p, bounds: b, options: o, model: m, size: broken.Size, known: []rounds.Schedule{broken.Schedule},
		chosen: causality.Faultless(broken.Schedule), specification: syntax.Specification(p.Rules), spoken: spoken(p), kinds: map[string]int{},
	}, nil
}

// limit is a limit of the user that is not above another one.
func limit(asked, most int) int {
	if asked <= 0 {
		return most
	}
	return min(asked, most)
}

// helps tells whether an outcome is better than that of the program as it is.
func (c *checker) helps(o outcome) bool { return o.holds || o.violated && o.size > c.size }

// check decides the program with a candidate. One that is no program, such as one in which
// a column would hold strings and integers, or in which something is missing without
// faults that the promise is about, has no outcome.
func (c *checker) check(ctx context.Context, added candidate) (o outcome, err error) {
	if c.tried == mostCandidates {
		return o, ctx.Err()
	}
	p, err := dedalus.ParseText("with a suggestion", added.program(c.program))
	if err != nil {
		return o, nil
	}
	b := c.bounds
	b.Durable = slices.Concat(b.Durable, added.durable())
	if b, err = b.Knowing(p); err != nil {
		return o, nil
	}
	m, err := ldfi.New(p, b, c.options)
	if err != nil {
		return o, nil
	}
	c.tried++
	for _, kind := range added.kinds() {
		c.kinds[kind]++
	}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if kept, err := c.keeps(within, p, b); err != nil || !kept {
		c.inVain(err)
		return o, c.decidable(ctx, err)
	}
	if beaten, err := c.beaten(within, m); err != nil || beaten {
		if err == nil {
			c.failed = append(c.failed, m)
		}
		return outcome{violated: err == nil, size: c.size}, c.decidable(ctx, err)
	}
	a, err := m.Hypotheses(within, nil, nil)
	if err != nil {
		return o, c.decidable(ctx, err)
	}
	switch first := a.First(); {
	case ctx.Err() != nil:
		return o, context.Cause(ctx)
	case a.Verdict == result.Holds && a.Vacuity == "" && a.Limit == nil:
		o.holds = true
	case a.Verdict == result.Violated && first.Minimal:
		if o.violated, o.size, o.schedule = true, first.Size, first.Schedule; !c.helps(o) {
			c.known, c.failed = append(c.known, first.Schedule), append(c.failed, m)
		}
	case a.Limit != nil:
		c.undecided++
	}
	if !c.helps(o) {
		return o, nil
	}
	if still, err := c.possible(within, added, b); err != nil || !still {
		return outcome{}, c.decidable(ctx, err)
	}
	return o, nil
}

// inVain counts one with which the promise is kept in vain, if nothing went wrong.
func (c *checker) inVain(err error) {
	if err == nil {
		c.vain++
	}
}

// possible tells whether what a candidate asks for can still happen. Where it is not known
// within the limits the candidate is undecided.
func (c *checker) possible(ctx context.Context, added candidate, b rounds.Bounds) (bool, error) {
	for _, part := range added {
		if part.probe == nil {
			continue
		}
		p, err := dedalus.ParseText("with a suggestion and a question", added.program(c.program)+part.probe.rule+"\n")
		if err != nil {
			return false, nil
		}
		m, err := ldfi.New(p, b, c.options)
		if err != nil {
			return false, nil
		}
		asked, err := m.WhatIf(ctx, result.Wanted{Fact: part.probe.fact})
		if err != nil {
			return false, err
		}
		switch asked.Answer {
		case result.Unknown:
			c.undecided++
			return false, nil
		case result.Impossible:
			c.inVain(nil)
			return false, nil
		}
	}
	return true, nil
}

// spares tells whether without faults there is what a part wants to be there.
func (c *checker) spares(ctx context.Context, p part) (bool, error) {
	if p.spare == nil {
		return true, nil
	}
	asked, err := dedalus.ParseText("with a question", candidate{}.program(c.program)+p.spare.rule+"\n")
	if err != nil {
		return false, nil
	}
	m, err := lockstep.Compile(asked, c.bounds, lockstep.Options{Only: []string{p.spare.relation}, MaxFacts: c.options.MaxFacts})
	if err != nil {
		return false, c.decidable(ctx, err)
	}
	run, err := m.Run(ctx, c.chosen)
	if err != nil {
		return false, c.decidable(ctx, err)
	}
	for round := 1; round <= c.bounds.EOT; round++ {
		if len(run.Facts(p.spare.relation, round)) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// beaten tells whether a schedule that is known to break such a program, with no more
// faults than before, breaks this one too, so that it does not help: to execute some
// schedules costs less than to decide a program.
func (c *checker) beaten(ctx context.Context, m *ldfi.Model) (bool, error) {
	for _, s := range c.known {
		in, err := m.Inject(ctx, s)
		if err != nil {
			return false, err
		}
		if in.Verdict == result.Violated {
			return true, nil
		}
	}
	return false, nil
}

// decidable passes on errors that do not only say that a candidate cannot be decided: it
// may have no meaning, or be too large.
func (c *checker) decidable(ctx context.Context, err error) error {
	var undefined *limits.UndefinedError
	var runaway *limits.RunawayError
	var limit *limits.LimitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &undefined), errors.As(err, &runaway):
		return nil
	case errors.As(err, &limit), errors.Is(err, context.DeadlineExceeded):
		c.undecided++
		return nil
	}
	return err
}

// keeps tells whether without faults a program has of what the promise is about what the
// program has as it is: pre and post, or good, in the last round, and in whatever round
// what the rules for violation speak about. With less the promise would be kept in vain,
// and with more the program does something else.
func (c *checker) keeps(ctx context.Context, p *dedalus.Program, b rounds.Bounds) (bool, error) {
	var err error
	if c.before == nil {
		if c.before, err = c.facts(ctx, c.program, c.bounds); err != nil {
			return false, err
		}
	}
	with, err := c.facts(ctx, p, b)
	if err != nil {
		return false, err
	}
	return maps.Equal(c.before, with), nil
}

// facts returns what the promise is about that there is without faults.
func (c *checker) facts(ctx context.Context, p *dedalus.Program, b rounds.Bounds) (map[string]bool, error) {
	m, err := lockstep.Compile(p, b, lockstep.Options{Only: slices.Concat(ends, c.spoken), MaxFacts: c.options.MaxFacts})
	if err != nil {
		return nil, err
	}
	run, err := m.Run(ctx, c.chosen)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, relation := range ends {
		for _, args := range run.Facts(relation, b.EOT) {
			all[named(relation, args)] = true
		}
	}
	for _, relation := range c.spoken {
		for round := 1; round <= b.EOT; round++ {
			for _, args := range run.Facts(relation, round) {
				all[named(relation, args)] = true
			}
		}
	}
	return all, nil
}

// ends are the relations of which the promise is about the last round.
var ends = []string{"pre", "post", "good"}

// gone returns what there is of relations in the counterexample, each fact in its first
// round, that there is not with a candidate under the same faults.
func (c *checker) gone(ctx context.Context, added candidate) (facts []recording.Fact, err error) {
	relations := added.less()
	if len(relations) == 0 {
		return nil, nil
	}
	p, err := dedalus.ParseText("with a suggestion", added.program(c.program))
	if err != nil {
		return nil, err
	}
	before, err := c.first(ctx, c.program, relations)
	if err != nil {
		return nil, err
	}
	with, err := c.first(ctx, p, relations)
	if err != nil {
		return nil, err
	}
	for name, fact := range before {
		if _, still := with[name]; !still {
			facts = append(facts, fact)
		}
	}
	slices.SortFunc(facts, recording.Fact.Compare)
	return facts, nil
}

// first returns the facts of relations that a program has under the counterexample, each
// in its first round.
func (c *checker) first(ctx context.Context, p *dedalus.Program, relations []string) (map[string]recording.Fact, error) {
	m, err := lockstep.Compile(p, c.bounds, lockstep.Options{Only: relations, MaxFacts: c.options.MaxFacts})
	if err != nil {
		return nil, err
	}
	run, err := m.Run(ctx, c.known[0])
	if err != nil {
		return nil, err
	}
	all := map[string]recording.Fact{}
	for _, relation := range relations {
		for round := c.bounds.EOT; round > 0; round-- {
			for _, args := range run.Facts(relation, round) {
				all[named(relation, args)] = recording.Fact{Relation: relation, Args: args, Round: round}
			}
		}
	}
	return all, nil
}

// stated are the relations that state the promise itself.
var stated = append([]string{"violation"}, ends...)

func named(relation string, args []specs.Value) string {
	name := relation
	for _, v := range args {
		name += "\x00" + v.String()
	}
	return name
}

// spoken returns the relations that the rules for violation speak about.
func spoken(p *dedalus.Program) (names []string) {
	for _, r := range p.Rules {
		if r.Head.Relation != "violation" {
			continue
		}
		for _, t := range r.Body {
			if t.Atom != nil && !t.Negated && t.Atom.Relation != syntax.Crash && !slices.Contains(names, t.Atom.Relation) {
				names = append(names, t.Atom.Relation)
			}
		}
	}
	return names
}

// forgettable returns the relations of the protocol that a process loses in a restart.
func (c *checker) forgettable() (names []string) {
	for _, r := range c.program.Rules {
		name := r.Head.Relation
		if r.Kind == syntax.Next && !c.specification[name] && !slices.Contains(c.bounds.Durable, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
