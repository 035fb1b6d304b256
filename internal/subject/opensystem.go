package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Bounds returns the bounds, with everything implied written out.
func (h *OpenedSystem) Bounds() rounds.Bounds { return h.limits.Normal() }

func (h *OpenedSystem) search(ctx context.Context) (*result.Answer, error) {
	if h.Guided != "" && h.guide == nil {
		return nil, fmt.Errorf("the test lets a guide decide faults (%s), which go test follows, and ldfi if you write --guide, or guide: in a suite, with that file", text.Safe(h.Guided))
	}
	known, a, err := h.known(ctx)
	if a != nil || err != nil {
		return a, err
	}
	o := h.options()
	o.Known = known
	ctx, cancel := answering(ctx, known)
	defer cancel()
	if a, err = h.searchBy(ctx, o); err != nil {
		return nil, err
	}
	search.PastExits(a, o.Past, func(known []result.Violation) (*result.Answer, error) {
		past := o
		past.Past, past.Known = known, nil
		if slices.ContainsFunc(known, search.EndsHost) && (past.Executions == 0 || past.Executions > mostReplaced) {
			past.Executions = mostReplaced
		}
		if strategies.Outside(a.Search.Strategy, h.Offers) { // which fits
			past.Strategy = a.Search.Strategy
		}
		return h.searchBy(ctx, past)
	})
	return a, nil
}

// searchBy searches with the options o, unless the host is lost.
func (h *OpenedSystem) searchBy(ctx context.Context, o search.Options) (*result.Answer, error) {
	ask := func() (*result.Answer, error) {
		if err := h.revive(ctx); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(o.Past, search.EndsHost) {
			return h.searchReplaced(ctx, o)
		}
		return h.system().Search(ctx, o)
	}
	a, err := ask()
	var once error // by which the host was lost, and not again
	for range tries {
		was := err
		var lost *finding
		if lost, err = h.found(ctx, err); lost != nil {
			return h.answer(lost), nil
		}
		if err != nil || a != nil {
			break
		}
		once = was
		a, err = ask()
	}
	if err != nil {
		if ctx.Err() != nil {
			return inconclusive(h.Bounds(), result.Ended(ctx)), nil
		}
		return nil, err
	}
	if once != nil {
		a.Warnings = append(a.Warnings, specs.Warning{Position: specs.Position{File: "host"}, Message: fmt.Sprintf("%v; a second execution did not confirm this, and the search began anew: executions may depend on more than their schedules", once)})
	}
	if _, is := OfNodes(h.question.Command); is && a.Search != nil {
		a.Search.ByHost = false // it is ldfi itself
	}
	h.reach(a)
	for i := range a.Counterexamples {
		c := &a.Counterexamples[i]
		if len(c.Because) == 0 { // the host has searched, and its word is not taken
			if c.Because, err = h.because(ctx, c.Execution, c.Violations[0]); err != nil {
				return nil, err
			}
		}
		h.placed(c.Violations)
		c.Execution.Bounds = withRounds(h.Bounds(), c.Execution.Bounds.EOT)
	}
	return a, nil
}

// mostReplaced limits the executions that a search makes past an end of the host that it
// has found itself: each may take the start of another host.
const mostReplaced = 50

// tries is how often a host may be lost that is not when it is tried again.
const tries = 2

// runsOfPrograms is how often a search executes nodes that are programs of their own, unless
// somebody says otherwise: each time takes a tenth of a second or more.
const runsOfPrograms = 1000

// options returns the options of the search: those of the subject or, where it has none,
// those of the test that is the host.
func (h *OpenedSystem) options() search.Options {
	o := h.Asks
	o.Strategy, o.Seed, o.Executions = cmp.Or(h.question.Strategy, o.Strategy), cmp.Or(h.question.Seed, o.Seed), cmp.Or(h.question.Executions, o.Executions)
	if o.Executions == 0 && slices.Contains(h.Offers, search.OffersSignals) {
		o.Executions = runsOfPrograms
	}
	o.Bounds, o.GoroutineOrders, o.Statistics, o.Steps = h.limits, h.question.GoroutineOrders || o.GoroutineOrders, h.question.Statistics, h.question.Trace
	o.Past, o.Guide, o.Hold = h.question.Past, h.guide, h.question.Hold
	if h.question.Progress != nil {
		o.Progress = func(p result.Progress) { h.question.Progress(fmt.Sprintf("%d executions, %s", p.Executions, p.Text)) }
	}
	return o
}

// options returns the options for listing fault sets of a learned program.
func (s *System) options(goals string) (o ldfi.Options, err error) {
	costs, err := costOf(s.Cost, true)
	if err != nil {
		return o, err
	}
	return s.Common.options(goals, costs), nil
}

// because explains how faults lead to a violation.
func (h *OpenedSystem) because(ctx context.Context, e *recording.Execution, v result.Violation) ([]string, error) {
	t := h.Target
	t.Without = h.system().Without // of the host that lives
	return t.Because(ctx, func(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error) {
		in, err := h.replay(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		return in.Execution, in.Violations, nil
	}, e, v, h.limits.EOT)
}

func (h *OpenedSystem) replay(ctx context.Context, s rounds.Schedule) (*result.Injection, error) {
	return h.surviving(ctx, func(asked *remote.System) (*result.Injection, error) {
		r, err := asked.Replay(ctx, s, h.limits.EOT)
		if err != nil {
			return nil, err
		}
		return h.injected(s, r), nil
	})
}

// surviving calls execute. If the host is lost in the call, surviving starts it again, or
// returns a finding.
func (h *OpenedSystem) surviving(ctx context.Context, execute func(*remote.System) (*result.Injection, error)) (*result.Injection, error) {
	if err := h.revive(ctx); err != nil {
		return nil, err
	}
	in, err := execute(h.system())
	for range tries {
		var lost *finding
		if lost, err = h.found(ctx, err); lost != nil {
			return h.injection(lost), nil
		}
		if err != nil || in != nil {
			break
		}
		in, err = execute(h.system())
	}
	return in, err
}

// comment explains how faults lead to the first violation, and names package variables that
// may be the cause.
func (h *OpenedSystem) comment(ctx context.Context, in *result.Injection) (err error) {
	if in.Verdict == result.Violated && in.Repeats == nil {
		if in.Because, err = h.because(ctx, in.Execution, in.Violations[0]); err != nil {
			return err
		}
	}
	in.Warnings = h.suspects(ctx, in.Warnings, in.Verdict == result.Violated && in.Schedule.Size() == 0, in.Execution.Inexact, in.Repeats)
	return nil
}

// injected returns the result of executing a schedule.
func (h *OpenedSystem) injected(s rounds.Schedule, r *search.Replayed) *result.Injection {
	r.Execution.Bounds = withRounds(h.Bounds(), r.Execution.Bounds.EOT)
	in := &result.Injection{
		Verdict: result.Holds, Schedule: s.Normal(), Within: true,
		Violations: h.placed(r.Left), Bounds: h.Bounds(), Execution: r.Execution,
		Continued: r.Continued, Late: r.Late, Awaited: h.placed(r.Awaited), Repeats: r.Repeats,
		Warnings: h.WarningsOf(r.Execution),
	}
	in.Warnings = append(in.Warnings, search.NeverSent(r.Execution)...)
	if s.Size() == 0 {
		in.Warnings = append(in.Warnings, h.MoreRounds(r.Execution.Bounds.EOT, r.Aftermath)...)
	}
	s.Faults = slices.DeleteFunc(slices.Clone(s.Faults), func(f rounds.Fault) bool {
		return h.guide != nil || f.Kind == rounds.Lie || f.Kind == rounds.Tick || f.Kind == rounds.Ask // no bounds speak of these
	})
	if outside := cmp.Or(schedules.Within(s, h.Bounds()), schedules.AssumedOfSystem(s, h.Bounds())); outside != nil {
		in.Within = false
		in.Warnings = append(in.Warnings, specs.Warning{
			Position: specs.Position{File: "schedule"}, Message: fmt.Sprintf("this lies outside the bounds: %v", cmp.Or(errors.Unwrap(outside), outside)),
		})
	}
	if len(in.Violations) > 0 {
		in.Verdict = result.Violated
	}
	return in
}

// withRounds returns the bounds b with the rounds of a recording, eot. A recording of a
// system has no budgets: it gets those of the question.
func withRounds(b rounds.Bounds, eot int) rounds.Bounds {
	b.EOT = eot
	return b
}

// Spare returns a schedule with the setting reliable of the bounds, if it has none.
func (h *OpenedSystem) Spare(s rounds.Schedule) rounds.Schedule {
	if s.Settings.Reliable == "" {
		s.Settings.Reliable = syntax.LinksText(h.Bounds().Reliable)
	}
	return s
}

// Within reports a bound of the question that a schedule exceeds.
func (h *OpenedSystem) Within(s rounds.Schedule) error { return schedules.WithinSystem(s, h.Bounds()) }

func (h *OpenedSystem) fits(s rounds.Schedule) error {
	b := h.limits
	if b.Points == nil { // the system declares its points: there are none
		b.Points = map[string][]string{}
	}
	if err := s.Check(b); err != nil {
		return err
	}
	return schedules.Assumed(s, h.Bounds())
}

// placed says in which files the properties are stated that are broken.
func (h *OpenedSystem) placed(all []result.Violation) []result.Violation {
	for i, v := range all {
		if file := h.question.fileOf(v.Property); file != "" {
			all[i].Position = specs.Position{File: file, Line: 1, Column: 1}
		}
	}
	return all
}

func (h *OpenedSystem) vet(ctx context.Context, _ bool) (*Vetted, error) {
	warnings, err := h.Target.DeadCount(h.Bounds())
	if err != nil {
		return nil, err
	}
	tests, err := h.system().Vet(ctx, h.question.Executions, h.question.Seed)
	if err == nil && slices.Contains(h.Offers, search.OffersMachines) {
		if e, _, err := h.system().Execute(ctx, rounds.Schedule{}, h.limits.EOT, messages.Always); err == nil {
			warnings = append(warnings, h.WarningsOf(e)...)
		}
	}
	return &Vetted{Warnings: warnings, Tests: tests}, err
}

// Inexact says why executions of one schedule may differ; empty if they cannot.
func (h *OpenedSystem) Inexact() string { return h.System.Inexact }

// Read returns the files with properties.
func (h *OpenedSystem) Read() []string { return h.question.paths(h.question.Properties) }

// Promise is the names of the properties.
func (h *OpenedSystem) Promise() []string {
	var all []string
	for _, p := range h.Properties {
		all = append(all, p.Name)
	}
	return all
}
