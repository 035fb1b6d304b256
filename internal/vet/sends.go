package vet

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// maxFacts limits the facts of relations that depend on no message.
const maxFacts = 200_000

// schedule has the rounds of sends, and the reads of messages of another round.
type schedule struct {
	timed *lockstep.Run // the facts of the relations that depend on no message
	sends []*send
	leaks []leak
}

// send is an @async rule.
type send struct {
	rule    *syntax.Rule
	sender  syntax.Expr   // over known variables; nil: the sender is not known
	columns []int         // the columns of the head whose values are known
	values  []syntax.Expr // and these values
	sent    []sent
}

// sent is a message that a rule may send in a round.
type sent struct {
	round  int
	sender string        // "": not known
	values []specs.Value // of the columns that are known
}

// relation is the relation whose facts are the messages that a rule may send.
func (s *send) relation() string { return fmt.Sprintf("message %d", s.rule.Index) }

// value returns the value of a column, and whether it is known.
func (s *send) value(one sent, column int) (specs.Value, bool) {
	i := slices.Index(s.columns, column)
	if i < 0 {
		return specs.Value{}, false
	}
	return one.values[i], true
}

func (a *analysis) findSchedule(ctx context.Context) (*schedule, error) {
	s := &schedule{}
	base := a.timedProgram()
	for _, r := range a.Program.Rules {
		if r.Kind == syntax.Async {
			sends, rule := a.sending(r)
			s.sends = append(s.sends, sends)
			base = plus(base, rule)
		}
	}
	var err error
	if s.timed, err = a.run(ctx, base, nil); err != nil {
		return nil, err
	}
	for _, each := range s.sends {
		each.read(s.timed, a.Bounds.EOT)
	}
	s.leaks, err = a.findLeaks(ctx, s.sends)
	return s, err
}

// timedProgram returns the rules and facts of the relations that depend on no message.
func (a *analysis) timedProgram() *dedalus.Program {
	names := []string{}
	for _, r := range a.Program.Relations() {
		if a.timed[r.Name] {
			names = append(names, r.Name)
		}
	}
	p := a.Program.Slice(names...)
	for _, r := range a.Program.Relations() {
		if m := a.may[r.Name]; m != nil {
			p = plus(p, m.rules...)
		}
	}
	p.Facts = slices.Clone(p.Facts)
	for round := range a.Bounds.EOT {
		p.Facts = append(p.Facts, &syntax.Fact{Relation: always, Round: round + 1})
	}
	return p
}

// plus adds rules to a program.
func plus(p *dedalus.Program, rules ...*syntax.Rule) *dedalus.Program {
	c := *p
	c.Rules = slices.Clone(p.Rules)
	for _, r := range rules {
		r.Index = len(c.Rules)
		c.Rules = append(c.Rules, r)
	}
	return &c
}

// run executes a program without faults.
func (a *analysis) run(ctx context.Context, p *dedalus.Program, facts []*syntax.Fact) (*lockstep.Run, error) {
	p.Facts = append(slices.Clone(p.Facts), facts...)
	m, err := lockstep.Compile(p, rounds.Bounds{Processes: a.Bounds.Processes, EOT: a.Bounds.EOT}, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return nil, err
	}
	return m.Run(ctx, rounds.Schedule{})
}

// sending returns the known part of a rule that sends, and a rule for it.
func (a *analysis) sending(r *syntax.Rule) (*send, *syntax.Rule) {
	s, b := &send{rule: r}, a.abstract(r)
	for i, e := range r.Head.Args {
		if v, ok := b.value(e); ok {
			s.columns, s.values = append(s.columns, i), append(s.values, v)
		}
	}
	columns := s.values
	if here := r.Location(); here != nil {
		if v, ok := b.value(here); ok {
			s.sender = v
			columns = append(slices.Clone(columns), v)
		}
	}
	return s, b.gives(s.relation(), columns)
}

// read reads the messages that the rule may send.
func (s *send) read(run *lockstep.Run, eot int) {
	for round := 1; round <= eot; round++ {
		for _, row := range run.Facts(s.relation(), round) {
			one := sent{round: round, values: row[:len(s.columns)]}
			if s.sender != nil {
				one.sender = row[len(s.columns)].Text()
			}
			s.sent = append(s.sent, one)
		}
	}
}
