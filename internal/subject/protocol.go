package subject

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// protocol is a program with its bounds.
type protocol struct {
	dir     string // of the subject
	solver  string // "": the one that is built in
	program *dedalus.Program
	limits  rounds.Bounds
	goals   string
	instead []string // the relations whose facts are those of the input
	input   *Input   // nil: none
	model   *ldfi.Model

	most vet.ClosureLimits // of an evaluation

	loops bool // it is decided one schedule after the other
	trace func(result.Step)
}

func openProtocol(s *Subject) (*protocol, error) {
	if err := s.regular(s.Files); err != nil {
		return nil, err
	}
	parsed, instead, err := s.parse()
	if err != nil {
		return nil, err
	}
	bounds, goals, err := rounds.BoundsOf(parsed, s.Bounds)
	if err != nil {
		return nil, err
	}
	options, err := s.optionsOf(goals)
	if err != nil {
		return nil, err
	}
	model, err := ldfi.New(parsed, bounds, options)
	if err != nil {
		return nil, err
	}
	return &protocol{s.Dir, s.Solver, parsed, bounds.Normal(), goals, instead, s.Input, model, vet.ClosureLimits{MaxFacts: s.MaxFacts, MaxGates: s.MaxGates, Witnessed: goals != "every"}, s.Strategy != "", s.Trace}, nil
}

// optionsOf returns how a program is judged, and how much may be spent on it.
func (s *Subject) optionsOf(goals string) (ldfi.Options, error) {
	if err := knownFold(s.Group); err != nil {
		return ldfi.Options{}, err
	}
	cost, err := costOf(s.Cost, s.System != "")
	if err != nil {
		return ldfi.Options{}, err
	}
	o := ldfi.Options{Version: s.Version, Size: s.Size, Cost: cost, Bare: s.Bare, Fold: s.Group, Goals: goals, Max: s.Max, Depth: s.Depth, MaxFacts: s.MaxFacts, MaxGates: s.MaxGates, Workers: s.Workers, Progress: s.Progress, Stages: s.Stages, Certifier: s.Certifier}
	if s.Solver == "" {
		return o, nil
	}
	o.Decider, err = solver.NewProgram(s.Solver)
	return o, err
}

func (p *protocol) Close() error { return nil }

func (p *protocol) Bounds() rounds.Bounds { return p.limits }

func (p *protocol) search(ctx context.Context) (*result.Answer, error) {
	check := p.model.Check
	if p.loops {
		check = func(ctx context.Context) (*result.Answer, error) { return p.model.Loop(ctx, p.trace) }
	}
	a, err := check(ctx)
	if err != nil {
		return nil, err
	}
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w specs.Warning) bool { return p.input.explains(w) })
	return a, nil
}

func (p *protocol) replay(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return p.model.Inject(ctx, s)
}

func (p *protocol) vet(ctx context.Context, strict bool) (*Vetted, error) {
	warnings, err := p.model.Vet(ctx, strict)
	return &Vetted{Warnings: warnings, Orders: &Orders{p.model.Orders()}}, err
}

func (p *protocol) fits(s rounds.Schedule) error {
	if err := s.CheckProgram(); err != nil {
		return err
	}
	if err := s.Check(p.limits); err != nil {
		return err
	}
	if err := p.restarts(s); err != nil {
		return err
	}
	return schedules.Assumed(s, p.limits)
}

// restarts reports a schedule in which processes come back, to a program whose processes
// cannot.
func (p *protocol) restarts(s rounds.Schedule) error {
	if !slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Restart }) {
		return nil
	}
	b := p.limits
	b.Crashes, b.Restarts = rounds.Unlimited, rounds.Unlimited
	return b.CheckRestarts(p.program)
}
