package ldfi

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Model is a program with the bounds within which it is to keep its promise. Each
// method answers one kind of question. Several goroutines can call them at once.
type Model struct {
	program *dedalus.Program
	bounds  rounds.Bounds
	options Options

	fewGates int // symmetry is ignored up to this number of gates

	size  int                 // the most faults of the sets that are searched for; 0: any number
	costs map[rounds.Kind]int // the costs that order sets; nil: sets are ordered by the number of faults
}

// New returns the model of the program p within the bounds b. It returns an error when
// the bounds are wrong.
func New(p *dedalus.Program, b rounds.Bounds, o Options) (*Model, error) {
	if err := errors.Join(b.Validate(), b.CheckProgram(), b.CheckRestarts(p), b.CheckKinds(p)); err != nil {
		return nil, err
	}
	b, err := b.Knowing(p)
	if err != nil {
		return nil, err
	}
	o = o.normal()
	if o.Progress != nil {
		o.Progress = oneAtATime(o.Progress)
	}
	return &Model{program: p, bounds: b.Normal(), options: o, fewGates: fewGates}, nil
}

// oneAtATime makes calls wait for each other.
func oneAtATime(tell func(string)) func(string) {
	var one sync.Mutex
	return func(doing string) {
		one.Lock()
		defer one.Unlock()
		tell(doing)
	}
}

// limits are the limits of an evaluation of the relations only, all if there are none.
func (m *Model) limits(only ...string) provenance.Options {
	return provenance.Options{Only: only, MaxFacts: m.options.MaxFacts, MaxGates: m.options.MaxGates}
}

// world evaluates some relations under one schedule, which may lie outside the
// bounds on the number of faults.
func (m *Model) world(ctx context.Context, s rounds.Schedule, only ...string) (*provenance.World, *provenance.Graph, error) {
	o := m.limits(only...)
	var err error
	if o.Single, err = m.numbered(ctx, s); err != nil {
		return nil, nil, err
	}
	g, err := provenance.Evaluate(ctx, m.program, provenance.Covering(m.program, m.bounds, s), o)
	if err != nil {
		return nil, nil, err
	}
	w, err := g.Under(s)
	return w, g, err
}

// numbered returns the messages of the execution of a schedule that it hits alone, of several of a relation.
func (m *Model) numbered(ctx context.Context, s rounds.Schedule) (all []provenance.Numbered, err error) {
	if provenance.Numbers(s) == nil {
		return nil, nil
	}
	machine, err := lockstep.Compile(m.program, m.bounds, lockstep.Options{MaxFacts: m.options.MaxFacts})
	if err != nil {
		return nil, err
	}
	e, err := machine.Execute(ctx, s)
	if err != nil {
		return nil, err
	}
	type stream struct {
		from, to, relation string
		round              int
	}
	sent := map[stream]int{}
	all = []provenance.Numbered{}
	for i := range e.Messages {
		x := &e.Messages[i]
		if x.Again {
			continue
		}
		of := stream{x.From, x.To, x.Relation, x.Round}
		sent[of]++
		hits := func(f rounds.Fault) bool {
			return f.Nth == sent[of] && f.Of == x.Relation && f.Process == x.From && f.To == x.To && f.Round <= x.Round && x.Round <= max(f.Round, f.Until)
		}
		if slices.ContainsFunc(s.Faults, hits) {
			all = append(all, provenance.Numbered{From: x.From, To: x.To, Round: x.Round, Relation: x.Relation, Args: x.Args, Nth: sent[of]})
		}
	}
	return all, nil
}

// stated adds to violations a text about what is broken, and the position of the promise.
func (m *Model) stated(broken []result.Violation) []result.Violation {
	for i, v := range broken {
		broken[i].Property = v.Fact.Relation
		broken[i].Text = sentence(v, m.bounds)
		broken[i].Phase = m.bounds.PhaseOf(v.Fact.Round)
		broken[i].Position = m.definition(v.Fact.Relation)
	}
	return broken
}

// definition returns the position of the first rule of a relation or, without rules, of its
// first fact.
func (m *Model) definition(relation string) specs.Position {
	for _, r := range m.program.Rules {
		if r.Head.Relation == relation {
			return r.Position
		}
	}
	for _, f := range m.program.Facts {
		if f.Relation == relation {
			return f.Position
		}
	}
	for _, c := range m.program.Choices {
		if c.Relation == relation {
			return c.Position
		}
	}
	return specs.Position{File: firstFile(m.program), Line: 1, Column: 1}
}

// senders returns the rules that send the messages of an execution.
func (m *Model) senders(e *recording.Execution) []result.Sender {
	sent := map[string]bool{}
	for _, message := range e.Messages {
		sent[message.Relation] = true
	}
	var list []result.Sender
	for _, r := range m.program.Rules {
		if relation := r.Head.Relation; r.Kind == syntax.Async && sent[relation] {
			sent[relation] = false
			list = append(list, result.Sender{Relation: relation, Position: r.Position})
		}
	}
	return list
}
