package vet

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// executor executes a program under schedules with delays. A delayed message becomes an
// omission, and facts that are stated in the round after its arrival.
type executor struct {
	bounds  rounds.Bounds
	values  map[string]specs.Value // of processes
	machine *lockstep.Machine
	senders []*syntax.Rule // the @async rules
}

// present is a relation that has all processes, in round 1.
const present = "present "

func outbox(i int) string { return fmt.Sprintf("outbox %d", i) }

// newExecutor compiles a program with an additional rule beside each rule that sends, which
// gives the messages sent.
func newExecutor(p *dedalus.Program, b rounds.Bounds, maxFacts int) (*executor, error) {
	x := &executor{bounds: b, values: map[string]specs.Value{}}
	c := *p
	c.Rules, c.Facts = slices.Clone(p.Rules), slices.Clone(p.Facts)
	for _, name := range b.Processes {
		x.values[name] = p.ProcessValue(name)
		c.Facts = append(c.Facts, &syntax.Fact{Relation: present, Args: []specs.Value{x.values[name]}, Round: 1})
	}
	for _, r := range p.Rules {
		if r.Kind == syntax.Async {
			c.Rules = append(c.Rules, delayedSend(r, outbox(len(x.senders)), len(c.Rules)))
			x.senders = append(x.senders, r)
		}
	}
	var err error
	x.machine, err = lockstep.Compile(&c, b, lockstep.Options{MaxFacts: maxFacts})
	return x, err
}

// delayedSend returns the rule for the messages of a rule that sends: its head, with the
// sender in front.
func delayedSend(r *syntax.Rule, relation string, index int) *syntax.Rule {
	var sender syntax.Expr = &syntax.Constant{Value: specs.String("")}
	if here := r.Location(); here != nil {
		sender = here
	}
	body := slices.Clone(r.Body)
	if to := r.Destination(); to != nil {
		body = append(body, syntax.Term{Atom: &syntax.Atom{Relation: present, Args: []syntax.Expr{to}}, At: 1})
	}
	head := syntax.Atom{Relation: relation, Args: append([]syntax.Expr{sender}, r.Head.Args...)}
	return &syntax.Rule{Index: index, Head: head, Kind: syntax.Deductive, Body: body, Position: r.Position}
}

// run executes a schedule.
func (x *executor) run(ctx context.Context, s rounds.Schedule) (*lockstep.Run, error) {
	s = s.Normal()
	var delays []rounds.Fault
	prompt := rounds.Schedule{}
	for _, f := range s.Faults {
		if f.Kind == rounds.Delay {
			delays = append(delays, f)
			f = rounds.Fault{Kind: rounds.Omit, Process: f.Process, To: f.To, Round: f.Round}
		}
		prompt.Faults = append(prompt.Faults, f)
	}
	slices.SortStableFunc(delays, func(a, b rounds.Fault) int { return a.Round - b.Round })
	var late []recording.Fact
	run, err := x.machine.RunWith(ctx, prompt, nil)
	for _, f := range delays {
		if err != nil {
			return nil, err
		}
		late = append(late, x.arriving(run, s, f)...)
		run, err = x.machine.RunWith(ctx, prompt, late)
	}
	return run, err
}

// arriving returns the facts of a delayed message. The messages sent in a round depend on
// earlier arrivals.
func (x *executor) arriving(run *lockstep.Run, s rounds.Schedule, f rounds.Fault) []recording.Fact {
	arrives := f.Round + f.By
	if down(s, f.Process, f.Round) || x.bounds.CrashStop && down(s, f.To, arrives) {
		return nil
	}
	var facts []recording.Fact
	for i, r := range x.senders {
		for _, row := range run.Facts(outbox(i), f.Round) {
			if row[0] == x.values[f.Process] && row[1] == x.values[f.To] {
				facts = append(facts, recording.Fact{Relation: r.Head.Relation, Args: row[1:], Round: arrives + 1})
			}
		}
	}
	return facts
}

// down tells whether a process has crashed by a round.
func down(s rounds.Schedule, process string, round int) bool {
	return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Crash && f.Process == process && f.Round <= round
	})
}
