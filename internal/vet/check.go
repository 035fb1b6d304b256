package vet

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/internal/refusal"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// analysis is what is known about a program within bounds.
type analysis struct {
	Program   *dedalus.Program // what the promise depends on; all of it, if nothing is promised
	Bounds    rounds.Bounds
	Promise   []string                  // the relations of the promise
	messages  map[string]bool           // the relations that are sent
	timed     map[string]bool           // the relations that depend on no message and no fault
	protocol  map[string]bool           // the relations on which something kept or sent depends
	carried   map[string]bool           // what deductive rules make of messages of other rounds, and whether that is certain
	deductive map[string][]*syntax.Rule // the rules of other relations of the protocol that are not kept or sent
	may       map[string]*may           // what is known of other relations
	same      map[string]bool           // whether relations that depend on no message have the same facts in all rounds
	brief     bool                      // the first messages that are read in other rounds are enough
	schedule  *schedule                 // nil: it could not be found
	refused   error                     // why
}

// Conditions returns all conditions of both reductions, and whether they are met, by
// groups.
func Conditions(ctx context.Context, p *dedalus.Program, b rounds.Bounds) ([]result.Condition, error) {
	return newAnalysis(p, b).conditions(ctx)
}

func (a *analysis) conditions(ctx context.Context) ([]result.Condition, error) {
	if err := a.evaluate(ctx); err != nil {
		return nil, err
	}
	alone, tagged, used := a.alone(), a.tagged(), a.used()
	leader, err := a.leader(ctx)
	if err = a.limited(ctx, err); err != nil {
		return nil, err
	}
	all := []result.Condition{alone, a.counted(), tagged, used.closed(), leader}
	all = append(all, a.sequentialized(tagged, used)...)
	all = append(all, a.promise()...)
	return append(all, a.bounds(leader)), nil
}

// Reach returns what a certificate says of asynchronous executions.
func Reach(ctx context.Context, p *dedalus.Program, b rounds.Bounds) (*result.Reach, error) {
	a := newAnalysis(p, b)
	if alone := a.alone(); alone.Met == result.MetNo {
		return ReachOf([]result.Condition{alone}), nil
	}
	a.brief = true
	conditions, err := a.conditions(ctx)
	if err != nil {
		return nil, err
	}
	return ReachOf(conditions), nil
}

func newAnalysis(p *dedalus.Program, b rounds.Bounds) *analysis {
	a := &analysis{Program: p, Bounds: b, Promise: promiseOf(p), messages: map[string]bool{}, carried: map[string]bool{}, may: map[string]*may{}, same: map[string]bool{}}
	if len(a.Promise) > 0 {
		a.Program = p.Slice(a.Promise...)
	}
	for _, r := range a.Program.Rules {
		if r.Kind == syntax.Async {
			a.messages[r.Head.Relation] = true
		}
	}
	a.timed = a.findTimed()
	a.protocol = a.findProtocol()
	a.findMay()
	return a
}

// evaluate finds in which rounds what is sent and read. A limit is no error: then that
// is not known.
func (a *analysis) evaluate(ctx context.Context) error {
	var err error
	if a.schedule, err = a.findSchedule(ctx); err != nil {
		a.schedule, a.refused = nil, err
	}
	return a.limited(ctx, err)
}

// limited returns an error, unless it is a limit.
func (a *analysis) limited(ctx context.Context, err error) error {
	var limit *refusal.LimitError
	var runaway *refusal.RunawayError
	var undefined *refusal.UndefinedError
	if ctx.Err() == nil && (errors.As(err, &limit) || errors.As(err, &runaway) || errors.As(err, &undefined)) {
		return nil
	}
	return err
}

// at returns a position for a condition.
func at(p specs.Position) *specs.Position { return &p }

// depends tells whether an atom reads what depends on messages or faults.
func (a *analysis) depends(atom *syntax.Atom) bool { return !a.timed[atom.Relation] }
