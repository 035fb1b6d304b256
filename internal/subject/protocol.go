package subject

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Protocol is a question about a protocol.
type Protocol struct {
	Common

	Files []string // Dedalus files, one program
	Input *Input   `json:",omitempty"` // in place of facts of the program; nil: none

	MaxFacts, MaxGates int    // the limits on facts and gates; 0: the defaults of [ldfi.Options]
	Group              string `json:"-"` // of a list of fault sets: by what they are put in groups: rounds, symmetry, cause; "": they are not
	Depth              int    `json:"-"` // the levels of explanations; 0: all
	Workers            int    `json:"-"` // how many cores to use; 0: all

	AnyRounds bool           `json:",omitempty"` // it is asked about any number of rounds, each with losses, and not about eot and eff
	Sizes     []int          `json:",omitempty"` // of any number of rounds: the fewest processes and the most with which it is asked; none: as many as there are
	Solver    string         `json:",omitempty"` // the command of a SAT solver in place of the one that is built in
	Certifier solver.Decider `json:"-"`          // see [ldfi.Options]; nil: none

	Certify func(*solver.Certificate) `json:"-"` // see [ldfi.Options]; nil: nobody wants it

	Stages func(result.Stage) `json:"-"` // told in place of Progress how far the ways to decide it are; nil: nobody is
}

// Open reads the program.
func (s *Protocol) Open(ctx context.Context) (*Opened, error) {
	return opening(ctx, s, func() (asked, error) { return s.open() })
}

// Key covers the texts of all files, included ones too.
func (s *Protocol) Key() (string, error) {
	p, err := s.open()
	if err != nil {
		return "", err
	}
	return p.Key()
}

// Copy returns an equal question that can be changed alone.
func (s *Protocol) Copy() Subject {
	other := *s
	return &other
}

// AsProtocol returns the protocol.
func (s *Protocol) AsProtocol() *Protocol { return s }

// AsSystem returns nil.
func (s *Protocol) AsSystem() *System { return nil }

func (s *Protocol) open() (*OpenedProtocol, error) {
	if len(s.Files) == 0 {
		return nil, errNothing
	}
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
	options, err := s.options(goals)
	if err != nil {
		return nil, err
	}
	model, err := ldfi.New(parsed, bounds, options)
	if err != nil {
		return nil, err
	}
	guide, err := s.ReadGuide()
	if err != nil {
		return nil, err
	}
	return &OpenedProtocol{question: s, program: parsed, limits: bounds.Normal(), goals: goals, instead: instead, model: model, guide: guide}, nil
}

var errNothing = errors.New("there is neither a file with a protocol nor a system")

// options returns the options for judging a program, with its limits.
func (s *Protocol) options(goals string) (o ldfi.Options, err error) {
	if err := knownFold(s.Group); err != nil {
		return o, err
	}
	costs, err := costOf(s.Cost, false)
	if err != nil {
		return o, err
	}
	o = s.Common.options(goals, costs)
	o.Fold, o.Depth, o.MaxFacts, o.MaxGates, o.Workers, o.Stages, o.Certifier = s.Group, s.Depth, s.MaxFacts, s.MaxGates, s.Workers, s.Stages, s.Certifier
	o.Certify = s.Certify
	if s.Solver != "" {
		o.Decider, err = solver.NewProgram(s.Solver)
	}
	return o, err
}

// knownFold reports a word by which fault sets cannot be put in groups.
func knownFold(word string) error {
	if folds := ldfi.Folds(); word != "" && !slices.Contains(folds, word) {
		return fmt.Errorf("group %q: fault sets cannot be put in groups by that%s: only by %s", word, text.DidYouMean(word, folds), text.List(folds, "or"))
	}
	return nil
}

// OpenedProtocol is a program with its bounds.
type OpenedProtocol struct {
	question *Protocol
	program  *dedalus.Program
	limits   rounds.Bounds
	goals    string
	instead  []string // the relations whose facts come from the input
	model    *ldfi.Model
	guide    *guide.Guide // nil: there is none
}

// AsProtocol returns the protocol.
func (p *OpenedProtocol) AsProtocol() *OpenedProtocol { return p }

// AsSystem returns nil.
func (p *OpenedProtocol) AsSystem() *OpenedSystem { return nil }

// Close ends nothing.
func (p *OpenedProtocol) Close() error { return nil }

// Model returns the model, which explains facts and exports what was evaluated.
func (p *OpenedProtocol) Model() *ldfi.Model { return p.model }

// Bounds returns the bounds, with everything implied written out.
func (p *OpenedProtocol) Bounds() rounds.Bounds { return p.limits }

// Inexact is empty.
func (p *OpenedProtocol) Inexact() string { return "" }

// Read returns the files of the program, with all that it includes.
func (p *OpenedProtocol) Read() []string {
	if p.guide == nil {
		return p.program.Files
	}
	return append(slices.Clone(p.program.Files), p.question.path(p.question.Guide))
}

// Instead returns the relations whose facts in the program are replaced by those of its
// input.
func (p *OpenedProtocol) Instead() []string { return p.instead }

// Relations returns the relations of the program, and the relations of its messages, both
// sorted.
func (p *OpenedProtocol) Relations() (all, sent []string) {
	for _, r := range p.program.Relations() {
		all = append(all, r.Name)
	}
	for _, r := range p.program.Rules {
		if r.Kind == syntax.Async {
			sent = append(sent, r.Head.Relation)
		}
	}
	slices.Sort(sent)
	return all, slices.Compact(sent)
}

// Given returns the facts that the program states, as they are written, and the relations
// read by the rules on which its promise depends.
func (p *OpenedProtocol) Given() (facts, reads []string) {
	for _, f := range p.program.Facts {
		facts = append(facts, f.String())
	}
	part, err := ldfi.Promised(p.program)
	if err != nil {
		return facts, nil
	}
	for _, r := range part.Rules {
		for _, t := range r.Body {
			if t.Atom != nil {
				reads = append(reads, t.Atom.Relation)
			}
		}
	}
	return facts, reads
}

// promises are the relations whose rules state the promise of a program.
var promises = []string{"pre", "post", "good", "violation"}

// Promise returns the rules that state the promise, with their positions.
func (p *OpenedProtocol) Promise() []string {
	part, err := ldfi.Promised(p.program)
	if err != nil {
		return []string{err.Error()}
	}
	var all []string
	for _, r := range part.Rules {
		if slices.Contains(promises, r.Head.Relation) {
			all = append(all, fmt.Sprintf("%s   %s:%d", r, filepath.Base(r.Position.File), r.Position.Line))
		}
	}
	for _, f := range part.Facts {
		if slices.Contains(promises, f.Relation) {
			all = append(all, fmt.Sprintf("%s   %s:%d", f, filepath.Base(f.Position.File), f.Position.Line))
		}
	}
	return all
}

// search asks the model: all schedules at once, or one after the other by lineage.
func (p *OpenedProtocol) search(ctx context.Context) (a *result.Answer, err error) {
	switch {
	case p.guide != nil && (p.question.AnyRounds || p.question.Strategy != "" || p.question.Solver != "" || p.question.Certifier != nil):
		return nil, errors.New("a guide is followed in executions of all schedules within bounds, by no solver and no other strategy")
	case p.guide != nil:
		a, err = p.model.Guided(ctx, p.guide)
	case len(p.question.Sizes) > 0:
		a, err = p.model.AnyRoundsOfSizes(ctx, p.question.Sizes[0], p.question.Sizes[1])
	case p.question.AnyRounds:
		a, err = p.model.AnyRounds(ctx)
	case p.question.Strategy != "":
		a, err = p.model.Loop(ctx, p.question.Trace)
	default:
		a, err = p.model.Check(ctx)
	}
	if err != nil {
		return nil, err
	}
	a.Warnings = slices.DeleteFunc(a.Warnings, func(w specs.Warning) bool { return p.question.Input.explains(w) })
	return a, nil
}

// Bounded returns the question that explains an answer within bounds: in place of any number of rounds
// it is about theirs.
func (o *Opened) Bounded(b rounds.Bounds) (*Opened, error) {
	p := o.AsProtocol()
	if p == nil || !p.question.AnyRounds && p.limits.Within == "" {
		return o, nil
	}
	bounded := *p
	bounded.question = p.question.within(b)
	options, err := bounded.question.options(p.goals)
	if err != nil {
		return nil, err
	}
	if n := len(b.Processes); n != len(p.limits.Processes) {
		of, err := p.model.OfSize(n)
		if err != nil {
			return nil, err
		}
		bounded.program, bounded.limits = of.Program(), of.Bounds()
	}
	if bounded.limits, err = bounded.limits.Lasting(b.EOT).Knowing(bounded.program); err != nil {
		return nil, err
	}
	if bounded.model, err = ldfi.New(bounded.program, bounded.limits, options); err != nil {
		return nil, err
	}
	return &Opened{&bounded, bounded.question}, nil
}

// suspect adds nothing: the rules of a protocol show the cause.
func (p *OpenedProtocol) suspect(context.Context, *result.Answer) {}

func (p *OpenedProtocol) replay(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	if p.question.AnyRounds {
		return p.model.InjectAnyRounds(ctx, s)
	}
	return p.model.Inject(ctx, s)
}

// watched lets no rule of the guide decide, so that only its automaton follows, unless what the rules decide is in the
// schedule already.
func (p *OpenedProtocol) watched(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	if p.guide == nil || p.question.AnyRounds {
		return p.replay(ctx, s)
	}
	if _, bad := p.guide.Ends(); len(bad) == 0 {
		return p.replay(ctx, s)
	}
	in, err := p.model.InjectGuided(ctx, p.guide, s)
	if err != nil || in.Schedule.String() != s.String() {
		var deciding []int
		for i, r := range p.guide.Rules() {
			if !slices.Contains([]string{"goto", "good", "bad"}, r.Name) {
				deciding = append(deciding, i)
			}
		}
		if in, err = p.model.InjectGuided(ctx, p.guide.Without(deciding...), s); err != nil {
			return nil, err
		}
	}
	in.Guidance = nil
	return in, nil
}

// comment adds nothing: the model has given the reasons.
func (p *OpenedProtocol) comment(context.Context, *result.Injection) error { return nil }

func (p *OpenedProtocol) hypotheses(ctx context.Context, require, forbid []string) (*result.Answer, error) {
	if p.question.AnyRounds {
		return p.model.HypothesesAnyRounds(ctx)
	}
	return p.model.Hypotheses(ctx, require, forbid)
}

func (p *OpenedProtocol) whatIf(ctx context.Context, wanted result.Wanted) (*result.WhatIf, error) {
	return p.model.WhatIf(ctx, wanted)
}

func (p *OpenedProtocol) diff(ctx context.Context, good, bad rounds.Schedule) (*result.Difference, error) {
	return p.model.Diff(ctx, good, bad)
}

func (p *OpenedProtocol) diffWith(ctx context.Context, other asked, s rounds.Schedule) (*result.Difference, error) {
	d, err := p.model.DiffWith(ctx, other.AsProtocol().model, s)
	if err != nil || d.Outcome != 0 || p.guide == nil {
		return d, err
	}
	for _, side := range []struct {
		of *OpenedProtocol
		*result.Side
	}{{p, &d.Bad}, {other.AsProtocol(), &d.Good}} {
		in, err := side.of.watched(ctx, s)
		if err != nil {
			return nil, err
		}
		side.Verdict, side.Violations = in.Verdict, in.Violations
	}
	return d, nil
}

func (p *OpenedProtocol) vet(ctx context.Context, strict bool) (*Vetted, error) {
	warnings, err := p.model.Vet(ctx, strict)
	if err != nil {
		return &Vetted{Warnings: warnings, Orders: &Orders{p.model.Orders()}}, err
	}
	finite, err := p.model.Finite(ctx)
	return &Vetted{Warnings: warnings, Orders: &Orders{p.model.Orders()}, Rounds: finite, Within: p.suggested()}, err
}

// suggested says what else to ask, if the promise is judged at eot, and eff is before it.
func (p *OpenedProtocol) suggested() string {
	judged := slices.ContainsFunc(p.program.Rules, func(r *syntax.Rule) bool { return r.Head.Relation == "pre" || r.Head.Relation == "post" })
	if !judged || p.limits.EFF == 0 || p.limits.Within != "" || p.goals == "witnessed" {
		return ""
	}
	return "ldfi run --within least asks how soon after the last fault pre implies post, for any number of rounds"
}

// Spare returns a schedule unchanged.
func (p *OpenedProtocol) Spare(s rounds.Schedule) rounds.Schedule { return s }

// Within reports a bound of the question that a schedule exceeds.
func (p *OpenedProtocol) Within(s rounds.Schedule) error {
	b, err := p.BoundsOf(s)
	if err != nil {
		return err
	}
	return schedules.Within(s, b)
}

// BoundsOf returns the bounds with which a schedule is compared: for any number of rounds, those with
// as many rounds as it has.
func (p *OpenedProtocol) BoundsOf(s rounds.Schedule) (rounds.Bounds, error) {
	if !p.question.AnyRounds && p.limits.Within == "" {
		return p.limits, nil
	}
	return p.limits.Lasting(max(s.LastRound(), p.limits.Shortest())).Knowing(p.program)
}

func (p *OpenedProtocol) fits(s rounds.Schedule) error {
	if err := s.CheckProgram(); err != nil {
		return err
	}
	b, err := p.BoundsOf(s)
	if err != nil {
		return err
	}
	if err := s.Check(b); err != nil {
		return err
	}
	if err := p.restarts(s); err != nil {
		return err
	}
	return schedules.Assumed(s, b)
}

// restarts reports a schedule in which processes restart, if the processes of the program
// cannot.
func (p *OpenedProtocol) restarts(s rounds.Schedule) error {
	if !slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Restart }) {
		return nil
	}
	b := p.limits
	b.Crashes, b.Restarts = rounds.Unlimited, rounds.Unlimited
	return b.CheckRestarts(p.program)
}

// Possible reports why the protocol cannot be asked within the bounds b.
func (p *OpenedProtocol) Possible(b rounds.Bounds) error {
	return errors.Join(b.Validate(), b.CheckProgram(), b.CheckRestarts(p.program))
}

// SearchWithin decides whether the protocol keeps its promise within other bounds.
func (p *OpenedProtocol) SearchWithin(ctx context.Context, b rounds.Bounds) (*result.Answer, error) {
	options, err := p.question.options(p.goals)
	if err != nil {
		return nil, err
	}
	options.Progress, options.Stages, options.Certifier, options.Max = nil, nil, nil, 1
	if b.EOT != p.limits.EOT && len(b.Choose) > 0 { // there are others in other rounds
		if b, err = b.Declared(p.program); err != nil {
			return nil, err
		}
	}
	m, err := ldfi.New(p.program, b, options)
	if err != nil {
		return nil, err
	}
	if p.question.AnyRounds {
		return m.AnyRounds(ctx)
	}
	return m.Check(ctx)
}

// Repairs suggests additions to the protocol, so that its promise survives the faults of
// the answer a. Each suggestion is checked.
func (p *OpenedProtocol) Repairs(ctx context.Context, a *result.Answer) (*result.Repairs, error) {
	first := a.First()
	switch {
	case first == nil:
		return &result.Repairs{Note: fmt.Sprintf("there is nothing to repair: the verdict is %s", a.Verdict)}, nil
	case !first.Minimal:
		return &result.Repairs{Note: "nothing was tried: a repair is compared with a smallest fault set, and this one may not be smallest"}, nil
	}
	options, err := p.question.options(p.goals)
	if err != nil {
		return nil, err
	}
	return limits.Await(ctx, limits.QuestionGrace, func() (*result.Repairs, error) {
		return advise.Suggest(ctx, p.program, p.limits, options, first)
	})
}

// Closure looks for an execution with late messages that no execution in lock-step rounds
// looks like. What is known when the context ends is returned with its error.
func (p *OpenedProtocol) Closure(ctx context.Context) (*vet.Unclosed, error) {
	most := vet.ClosureLimits{MaxFacts: p.question.MaxFacts, MaxGates: p.question.MaxGates, Witnessed: p.goals != "every"}
	return limits.Await(ctx, limits.QuestionGrace, func() (*vet.Unclosed, error) {
		return vet.FindUnclosed(ctx, p.program, p.limits, most, lateDraws)
	})
}

// lateDraws is the number of drawn schedules with several late messages.
const lateDraws = 1_000

// Folds are the words by which fault sets can be put in groups.
func (p *OpenedProtocol) Folds() []string { return ldfi.Folds() }

// Folding returns the same protocol with another setting for grouping its listed fault
// sets: a word of Folds, or "" for no groups.
func (p *OpenedProtocol) Folding(word string) (*Opened, error) {
	about, folding := *p.question, *p
	about.Group, folding.question = word, &about
	options, err := about.options(p.goals)
	if err != nil {
		return nil, err
	}
	folding.model, err = ldfi.New(p.program, p.limits, options)
	return &Opened{&folding, &about}, err
}
