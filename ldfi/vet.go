package ldfi

import (
	"context"
	"errors"
	"slices"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Vet returns all warnings about the program, in the order of
// their positions: those that its text shows, and those that only an
// evaluation over all scenarios shows (rules that never fire, a vacuous
// promise, arithmetic without a value). With strict it also reports deductive
// rules that join facts of several locations. Limits and a cancelled context
// are errors here.
func (m *Model) Vet(ctx context.Context, strict bool) ([]specs.Warning, error) {
	all := append(vet.Static(m.program, m.bounds), vet.Crashes(m.program, m.bounds.Crashes != 0)...)
	if strict {
		all = append(all, vet.Locality(m.program)...)
	}
	evaluated, err := m.vetRules(ctx)
	if err != nil {
		return nil, err
	}
	vacuous, err := m.vetPromise(ctx)
	if err != nil {
		return nil, err
	}
	return vet.InOrder(m.program, slices.Concat(all, evaluated, vacuous)), nil
}

// Orders returns the places where the promise depends on when messages arrive: the
// rules that are not monotone. They are no mistakes. If there are none, messages that
// come late or twice break the promise only if they come too late for the last round.
func (m *Model) Orders() []specs.Warning { return vet.InOrder(m.program, vet.Orders(m.program)) }

// vetRules evaluates the whole program.
func (m *Model) vetRules(ctx context.Context) ([]specs.Warning, error) {
	g, err := provenance.Evaluate(ctx, m.program, m.bounds, m.limits())
	if err != nil {
		return nil, err
	}
	machine, err := lockstep.Compile(m.program, m.bounds, lockstep.Options{MaxFacts: m.options.MaxFacts})
	if err != nil {
		return nil, err
	}
	run, err := machine.Run(ctx, rounds.Schedule{})
	if err != nil {
		return nil, err
	}
	equal, err := equalValues(g)
	if err != nil {
		return nil, err
	}
	return slices.Concat(neverFiring(g, vet.Locations(m.program, m.bounds.Processes)), withoutValue(m.program, run.NoValue()), equal), nil
}

// vetPromise warns of a promise that asks for nothing, and of a program that
// makes none.
func (m *Model) vetPromise(ctx context.Context) ([]specs.Warning, error) {
	whole := specs.Position{File: firstFile(m.program)}
	q, err := newQuestion(ctx, m)
	var none *NoPromiseError
	if errors.As(err, &none) {
		return []specs.Warning{{Position: whole, Message: "the program promises nothing: it has no pre and post, violation or good"}}, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := q.whole(ctx, effort{}, &circuitProgress{}, nil)
	if err != nil {
		return nil, err
	}
	sentence, err := q.vacuity(ctx, nil, one(v))
	if sentence == "" || err != nil {
		return nil, err
	}
	return []specs.Warning{{Position: whole, Message: "the promise is vacuous: " + sentence}}, nil
}
