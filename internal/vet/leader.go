package vet

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// leader tells whether in each round one process sends, or all send to one.
func (a *analysis) leader(ctx context.Context) (result.Condition, error) {
	c := result.Condition{
		Group: result.GroupLeader, Name: "each round is one to all or all to one", Met: result.MetYes, Needed: a.uniform(),
		Why: "in each round one process sends, or all that is sent goes to one",
	}
	if a.schedule == nil {
		return a.unfound(c), nil
	}
	for round := 1; round <= a.Bounds.EOT; round++ {
		if last := a.several(round); last != nil {
			c.Met, c.Position = result.MetUnknown, at(last.Position)
			c.Why = fmt.Sprintf("the rules do not show that one process sends in round %d, or all send to one", round)
			return a.seen(ctx, c)
		}
	}
	return c, nil
}

// uniform tells whether isolations are the only faults that lose messages, so that they
// have to stand for late messages.
func (a *analysis) uniform() bool {
	return a.Bounds.Omissions == 0 && a.Bounds.Isolations != 0 && (a.Bounds.Cuts == 0 || a.Bounds.Period > 1)
}

// several returns a rule by which several processes may send to several in a round; nil if
// there is none.
func (a *analysis) several(round int) *syntax.Rule {
	senders, receivers := map[string]bool{}, map[string]bool{}
	var last *syntax.Rule
	for _, s := range a.schedule.sends {
		for _, one := range s.sent {
			if one.round == round {
				last = s.rule
				to, _ := s.value(one, 0)
				senders[one.sender], receivers[to.Text()] = true, true
			}
		}
	}
	if only(senders) || only(receivers) {
		return nil
	}
	return last
}

// only tells whether there is one process, and it is known.
func only(processes map[string]bool) bool { return len(processes) == 1 && !processes[""] }

// seen looks whether the execution without faults has a round in which several send to
// several.
func (a *analysis) seen(ctx context.Context, c result.Condition) (result.Condition, error) {
	m, err := lockstep.Compile(a.Program, rounds.Bounds{Processes: a.Bounds.Processes, EOT: a.Bounds.EOT}, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return c, err
	}
	e, err := m.Execute(ctx, rounds.Schedule{})
	if err != nil {
		return c, err
	}
	for round := 1; round <= a.Bounds.EOT; round++ {
		senders, receivers := map[string]bool{}, map[string]bool{}
		last := ""
		for _, message := range e.Messages {
			if message.Round == round {
				senders[message.From], receivers[message.To], last = true, true, message.Relation
			}
		}
		if len(senders) > 1 && len(receivers) > 1 {
			c.Met, c.Position = result.MetNo, at(a.first(last))
			c.Why = fmt.Sprintf("in round %d of the execution without faults %d processes send to %d", round, len(senders), len(receivers))
			return c, nil
		}
	}
	return c, nil
}
