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
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Vet returns all warnings about a program within bounds, in the order of
// their positions: those that its text shows, and those that only an
// evaluation over all scenarios shows (rules that never fire, a vacuous
// promise, arithmetic without a value). With strict it also reports deductive
// rules that join facts of several locations. Limits and a cancelled context
// are errors here.
func Vet(ctx context.Context, p *dedalus.Program, b rounds.Bounds, strict bool, o Options) ([]specs.Warning, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	b, o = b.Normal(), o.normal()
	all := staticWarnings(p, b)
	if strict {
		all = append(all, vet.Locality(p)...)
	}
	evaluated, err := vetRules(ctx, p, b, o)
	if err != nil {
		return nil, err
	}
	vacuous, err := vetPromise(ctx, p, b, o)
	if err != nil {
		return nil, err
	}
	return vet.InOrder(p, slices.Concat(all, evaluated, vacuous)), nil
}

// vetRules evaluates the whole program.
func vetRules(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options) ([]specs.Warning, error) {
	g, err := provenance.Evaluate(ctx, p, b, provenance.Options{
		MaxFacts: o.MaxFacts,
		MaxGates: o.MaxGates,
		Progress: func(round int) { o.Progress(Progress{Stage: Evaluating, Horizon: b.EOT, Round: round}) },
	})
	if err != nil {
		return nil, err
	}
	m, err := lockstep.Compile(p, b, lockstep.Options{MaxFacts: o.MaxFacts})
	if err != nil {
		return nil, err
	}
	run, err := m.Run(ctx, rounds.Schedule{})
	if err != nil {
		return nil, err
	}
	return append(neverFiring(g, vet.Locations(p, b.Processes)), withoutValue(p, run.NoValue())...), nil
}

// vetPromise warns of a promise that asks for nothing, and of a program that
// makes none.
func vetPromise(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options) ([]specs.Warning, error) {
	whole := specs.Position{File: firstFile(p)}
	t, err := newTrial(ctx, p, b, o)
	var none *NoPromiseError
	if errors.As(err, &none) {
		return []specs.Warning{{Position: whole, Message: "the program promises nothing: it has no pre and post, violation or good"}}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := t.evaluate(ctx); err != nil {
		return nil, err
	}
	sentence, err := t.vacuity(ctx)
	if sentence == "" || err != nil {
		return nil, err
	}
	return []specs.Warning{{Position: whole, Message: "the promise is vacuous: " + sentence}}, nil
}
