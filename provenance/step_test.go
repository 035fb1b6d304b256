package provenance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// TestStep compares steps with the executor: from the state after the round before, under the faults of
// the round, the step has all facts that the execution of the schedule has in it.
func TestStep(t *testing.T) {
	campaign.Run(t, 500, func(ctx context.Context, c oracle.Case) (string, error) { return stepAgrees(ctx, c, 16) })
}

func TestStepOnProtocols(t *testing.T) {
	outcomes := map[string]int{}
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := stepAgrees(t.Context(), c, 32)
			require.NoError(t, err)
			outcomes[outcome]++
		})
	}
	t.Log(outcomes)
	require.GreaterOrEqual(t, outcomes[agreed], 10)
}

// What becomes of a program that is asked for a step.
const (
	untimed  = "not for any number of rounds"
	overflow = "more facts than in the bounded evaluation"
)

func stepAgrees(ctx context.Context, c oracle.Case, schedules int) (string, error) {
	step, outcome, err := stepOf(ctx, &c)
	if step == nil {
		return outcome, err
	}
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return "", err
	}
	for _, s := range c.Schedules(schedules) {
		e, err := m.Execute(ctx, s)
		if err != nil {
			return "", fmt.Errorf("under %q the executor fails: %w", s, err)
		}
		if text, err := followed(c, step, e, s); err != nil || text != "" {
			return text, err
		}
	}
	return agreed, nil
}

// numbering gives the rounds in facts the numbers that they have in a step: behind those that are told apart there is one for
// all between two with crashes.
func numbering(c oracle.Case, s rounds.Schedule) func(recording.Fact) recording.Fact {
	in, most, _ := provenance.Epochs(c.Program, c.Bounds)
	crashes := map[int]bool{}
	for _, f := range s.Faults {
		if f.Kind == rounds.Crash && f.Round > most {
			crashes[f.Round] = true
		}
	}
	return func(f recording.Fact) recording.Fact {
		args := slices.Clone(f.Args)
		for i, v := range args {
			if !in(f.Relation, i) || !v.IsInt() || int(v.Int()) <= most {
				continue
			}
			n := most + 1
			for round := range crashes {
				if round < int(v.Int()) {
					n += 2
				}
			}
			if crashes[int(v.Int())] {
				n++
			}
			args[i] = specs.Int(int64(n))
		}
		f.Args = args
		return f
	}
}

// stepOf returns the step of a case, which gets the program and bounds of the step; nil if there is none, and why.
func stepOf(ctx context.Context, c *oracle.Case) (*provenance.Step, string, error) {
	c.Bounds.EFF, c.Bounds.Implied = 0, false
	if c.Bounds.Omissions != 0 {
		c.Bounds.Omissions = rounds.Unlimited
	}
	c.Program, _ = provenance.Saturated(c.Program)
	o := provenance.Options{MaxFacts: maxFacts, MaxGates: maxGates}
	g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, o)
	if err != nil {
		return nil, limited, nil // or whatever: there is no state
	}
	step, err := provenance.EvaluateStep(ctx, c.Program, c.Bounds, o, g.Carried())
	switch {
	case errors.As(err, new(*provenance.UntimedError)):
		return nil, untimed, nil
	case errors.As(err, new(*limits.UndefinedError)), errors.As(err, new(*limits.RunawayError)), errors.As(err, new(*limits.LimitError)), errors.As(err, new(*solver.LimitError)):
		return nil, undefined, nil // in a state that is not reached
	}
	return step, "", err
}

// followed goes through the rounds of an execution with a step.
func followed(c oracle.Case, step *provenance.Step, e *recording.Execution, s rounds.Schedule) (string, error) {
	circuit := step.Graph.Circuit
	numbered := numbering(c, s)
	roots := append(slices.Clone(step.Next), step.Valid, step.Overflow)
	var facts []*provenance.Fact
	for _, name := range step.Graph.Relations() {
		if strings.ContainsAny(name, "@+ ") || name == "crash" { // what the step remembers; a crash is known before
			continue
		}
		for _, f := range step.Graph.Facts(name, 1) {
			facts, roots = append(facts, f), append(roots, f.Cond())
		}
	}
	foresees := map[string]int{}              // until which round a relation may know of later rounds, which a step does not
	crashes := map[string]bool{"crash": true} // whether it may know of crashes in later rounds
	for range step.Graph.Program.Rules {
		for _, r := range step.Graph.Program.Rules {
			for _, t := range r.Body {
				if t.Atom == nil {
					continue
				}
				until := foresees[t.Atom.Relation]
				if _, at, ok := strings.Cut(t.Atom.Relation, "@"); ok {
					until, _ = strconv.Atoi(at)
				}
				foresees[r.Head.Relation] = max(foresees[r.Head.Relation], until)
				crashes[r.Head.Relation] = crashes[r.Head.Relation] || crashes[t.Atom.Relation] || strings.HasPrefix(t.Atom.Relation, "crash@")
			}
		}
	}
	w := solver.NewWords(circuit, roots...)
	state := make([]bool, len(step.State))
	for round := 1; round <= e.Bounds.EOT; round++ {
		inputs := make([]uint64, circuit.Inputs())
		set := func(l solver.Lit) {
			_, _, _, number := circuit.Node(l)
			inputs[number] = 1
		}
		for i, on := range state {
			if on {
				set(step.State[i].Lit)
			}
		}
		for _, f := range s.Faults {
			if l, ok := step.Ahead(f); ok && round == 1 {
				set(l)
			}
			at := f.Round - round + 1
			undone := f.Kind == rounds.Crash && slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
				return g.Kind == rounds.Restart && g.Process == f.Process && g.Round == f.Round
			})
			switch ahead := (f.Kind == rounds.Restart || undone) && f.Round > 1; {
			case at != 1 && !(ahead && at == 2), ahead && at == 1:
				continue
			}
			l, ok := step.Unit(f)
			if !ok || f.Kind != rounds.Choose {
				f.Round = at
				l, ok = step.Unit(f)
			}
			if !ok {
				return "", fmt.Errorf("%s is no unit of the step", f)
			}
			set(l)
		}
		w.Eval(inputs)
		if w.Value(step.Valid)&1 == 0 {
			return "", fmt.Errorf("under %q the step of round %d is none", s, round)
		}
		later := slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Crash && f.Round > round })
		knows := func(relation string) bool { return foresees[relation] > round || later && crashes[relation] }
		var is, want []string
		for _, f := range facts {
			if w.Value(f.Cond())&1 == 1 && !knows(f.Relation()) {
				is = append(is, recording.Fact{Relation: f.Relation(), Args: f.Args(), Round: round}.String())
			}
		}
		for _, f := range e.Facts {
			if f.Round == round && f.Relation != "crash" && !knows(f.Relation) { // a crash is known before
				want = append(want, numbered(f).String())
			}
		}
		slices.Sort(is)
		slices.Sort(want)
		if !slices.Equal(is, want) {
			return "", fmt.Errorf("under %q the step of round %d gives\n%v\nand the execution has\n%v", s, round, is, want)
		}
		if w.Value(step.Overflow)&1 == 1 {
			if round == e.Bounds.EOT {
				return "", nil // nothing is known of what comes behind it
			}
			return overflow, fmt.Errorf("under %q round %d leads to facts that no round within the bounds has", s, round)
		}
		for i, next := range step.Next {
			state[i] = w.Value(next)&1 == 1
		}
	}
	return "", nil
}
