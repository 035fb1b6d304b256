package vet

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// analysis has the results about a program within bounds.
type analysis struct {
	Program   *dedalus.Program // the part on which the promise depends; the whole program, if there is no promise
	Bounds    rounds.Bounds
	Promise   []string                  // the relations of the promise
	messages  map[string]bool           // the relations that are sent
	timed     map[string]bool           // the relations that depend on no message and no fault
	protocol  map[string]bool           // the relations on which something kept or sent depends
	carried   map[string]bool           // the relations that deductive rules make of messages of other rounds, and whether that is certain
	deductive map[string][]*syntax.Rule // the rules of other relations of the protocol that are not kept or sent
	may       map[string]*may           // the values of other relations, as far as known
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

// Reach returns the meaning of a certificate for asynchronous executions.
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

// evaluate finds the rounds of sends and reads. Reaching a limit is no error: then they are
// not known.
func (a *analysis) evaluate(ctx context.Context) error {
	var err error
	if a.schedule, err = a.findSchedule(ctx); err != nil {
		a.schedule, a.refused = nil, err
	}
	return a.limited(ctx, err)
}

// limited returns an error, unless it is a limit.
func (a *analysis) limited(ctx context.Context, err error) error {
	var limit *limits.LimitError
	var runaway *limits.RunawayError
	var undefined *limits.UndefinedError
	if ctx.Err() == nil && (errors.As(err, &limit) || errors.As(err, &runaway) || errors.As(err, &undefined)) {
		return nil
	}
	return err
}

// at returns a position for a condition.
func at(p specs.Position) *specs.Position { return &p }

// depends tells whether an atom reads a relation that depends on messages or faults.
func (a *analysis) depends(atom *syntax.Atom) bool { return !a.timed[atom.Relation] }

// bounds tells whether a lost message can stand for a late one: whether each message may be
// lost, alone.
func (a *analysis) bounds(leader result.Condition) result.Condition {
	c := result.Condition{Group: result.GroupBounds, Name: "the bounds can lose any late message", Met: result.MetYes, Needed: true}
	b := a.Bounds
	switch {
	case b.Omissions != 0:
		c.Why = "omissions lose single messages"
	case b.Cuts != 0 && b.Period <= 1:
		c.Why = "cuts of one round lose single messages"
	case b.Isolations == 0 && b.Cuts == 0 && b.Partitions == 0 && b.Delays != 0:
		c.Met, c.Why = result.MetNo, "no message is lost within these bounds, so none may come later than max-delay (omissions=0)"
	case b.Isolations == 0 && b.Cuts == 0 && b.Partitions == 0:
		c.Met, c.Why = result.MetNo, "no message is lost within these bounds, so none may be late (omissions=0)"
	case b.Isolations == 0 && b.Cuts == 0:
		c.Met, c.Why = result.MetNo, "a partition loses several messages, but a single message can be late (omissions=0)"
	case b.Period > 1:
		c.Met, c.Why = result.MetNo, "a fault that lasts to the end of its phase loses later messages too, but a single message can be late (omissions=0, period)"
	case leader.Met != result.MetYes:
		c.Met, c.Why = leader.Met, "isolations lose single messages only if each round is one to all or all to one (omissions=0)"
	default:
		c.Why = "isolations lose single messages, because each round is one to all or all to one"
	}
	return c
}

// Groups are all groups, with the place where their conditions are stated.
var Groups = []struct {
	Group  result.ConditionGroup
	Source string
}{
	{result.GroupClosure, "Dragoi et al. 2020, Def. 4.3"},
	{result.GroupLeader, "Dragoi et al. 2020, Thm 5.3"},
	{result.GroupSequentialization, "Dragoi and Inzaghi Pronesti 2022, section 4.2"},
	{result.GroupPromise, "the same in executions that processes cannot tell apart"},
	{result.GroupBounds, "a loss stands for a late message"},
}

// Sentence is the conclusion if all conditions are met.
const Sentence = "the same verdict covers all asynchronous executions within these bounds, where a late message counts as lost"

// ReachOf returns the conclusion of conditions: the sentence if all necessary ones are met,
// or else the first that is not met. A condition that is known to fail comes before one
// that is not known to be met.
func ReachOf(conditions []result.Condition) *result.Reach {
	for _, missing := range []result.Met{result.MetNo, result.MetUnknown} {
		for _, c := range conditions {
			if c.Needed && c.Met == missing {
				return &result.Reach{Text: unshown(&c), Condition: &c}
			}
		}
	}
	return &result.Reach{Shown: true, Text: Sentence}
}

func unshown(c *result.Condition) string {
	if c.Met == result.MetNo {
		return "not shown for asynchronous executions: " + c.Where()
	}
	return "not known for asynchronous executions: " + c.Where()
}

// sequentialized says which of the five conditions of sequentialization are met.
func (a *analysis) sequentialized(tagged result.Condition, used usage) []result.Condition {
	of := func(name, why string) result.Condition {
		return result.Condition{Group: result.GroupSequentialization, Name: name, Met: result.MetYes, Needed: true, Why: why}
	}
	stamped := tagged
	stamped.Group, stamped.Name = result.GroupSequentialization, "(2) what is sent carries the phase and round of its sender"
	return []result.Condition{
		forgetting(of("(1) phase and round only grow", a.clocks()), a.Bounds),
		stamped,
		used.condition(of("(3) no rule takes messages of earlier rounds", "each rule that reads one is for messages of the round before"), used.late),
		used.condition(of("(4) what is read of messages is of the current round", "each rule that reads one is for messages of the round before"), used.late, used.early),
		of("(5) a round sends, receives, and then ends", "in one round a process reads all that has arrived, and sends for the next"),
	}
}
