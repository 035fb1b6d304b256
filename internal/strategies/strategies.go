package strategies

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
)

// all are the strategies, the most demanding ones first.
var all = []*search.Strategy{Exhaustive, LearnStates, Lineage, Enumerate, Spread, Uniform, Sample, PCT, Bonus, Negative, Waypoint, Drop, Ahead}

// Names returns the names of all strategies, the most demanding ones first.
func Names() []string {
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

// Check reports a name that no strategy has. The empty one is that of the
// strategy that fits.
func Check(name string) error {
	if name == "" {
		return nil
	}
	_, err := named(name)
	return err
}

// Outside tells whether a target is searched without looking into its processes: by
// the strategy of this name or, without one, because they offer no states.
func Outside(name string, offers []string) bool {
	if name == "" {
		return !slices.Contains(offers, search.OffersFingerprints)
	}
	s, err := named(name)
	return err == nil && !s.Needs.States
}

func named(name string) (*search.Strategy, error) {
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("there is no strategy %q: the strategies are %s", name, strings.Join(Names(), ", "))
}

// Run searches a target by the strategy of the options, or else by the first one that fits.
// When the context ends, or the budget is used up, the answer is inconclusive. The error
// says that the target cannot be searched, or is a *search.ExecutionError: a process did
// something that a system must not do; or a *system.NondeterminismError.
func Run(ctx context.Context, t *search.Target, o search.Options) (*result.Answer, error) {
	s, strategy, why, err := begin(ctx, t, o)
	if err != nil {
		return nil, err
	}
	if len(o.Bounds.Kinds) > 0 {
		o.Bounds.Kinds = s.Bounds.Kinds // those that are sent
	}
	if s.Known != nil && strategy.Part == nil {
		return nil, fmt.Errorf("strategy %s cannot go on with executions that others have made", strategy.Name)
	}
	if o.Strategy == "" && !search.Simple(s.Bounds) {
		s.Trial, s.States = true, min(s.States, statesOfTrial)
	}
	a, err := strategy.Search(ctx, s)
	if err == nil && s.Trial && a.Limit != nil && a.Limit.Kind == result.LimitSize {
		why = Spread.Name + ", because " + a.Limit.Reason + few(s.Bounds)
		s, a, err = instead(ctx, t, o, s.Executions)
	}
	if err != nil {
		return nil, err
	}
	a.Search.Why = why
	sayGuidance(ctx, s, a)
	if s.Guide == nil || !unfaulted(s.Bounds) {
		everyOne(ctx, s, a)
	}
	s.Unjudged(a)
	t.Passed(a)
	s.Vacuity(a)
	s.Warn(ctx, a)
	if a.Verdict == result.Holds {
		a.Asynchronous = vet.ReachOfSystem(t.Properties, s.Bounds)
	}
	return a, nil
}

// few says why Spread draws few isolations and partitions at a time, if the bounds have any.
func few(b rounds.Bounds) string {
	switch {
	case b.Isolations != 0 && b.Partitions != 0:
		return ": few isolations and partitions at a time find most bugs soonest"
	case b.Isolations != 0:
		return ": few isolations at a time find most bugs soonest"
	case b.Partitions != 0:
		return ": few partitions at a time find most bugs soonest"
	}
	return ""
}

// Schedules are few enough to execute them all up to these multiples of the executions that
// were asked for, or were made before the search was stopped.
const (
	fewTimes     = 3
	fewTimesMade = 10
)

// everyOne advises to execute every schedule within the bounds, where some were and the
// others are few.
func everyOne(ctx context.Context, s *search.Session, a *result.Answer) {
	if a.Limit == nil || s.Inexact != "" || Enumerate.Refuses(s) != nil {
		return
	}
	most := 0
	switch {
	case ctx.Err() == nil && a.Limit.Kind == result.LimitExecutions:
		most = fewTimes * s.Options.Executions
	case ctx.Err() != nil && s.Strategy != Enumerate.Name:
		most = fewTimesMade * a.Search.Executions
	}
	all := schedules.Count(s.Bounds)
	if all.Cmp(big.NewInt(int64(most))) > 0 {
		return
	}
	text := fmt.Sprintf("every one of the %s schedules: --strategy enumerate --executions %s", text.Number(all, 9), all)
	if s.Varies(ctx) {
		text += ", all of one seed"
	}
	a.Limit.Advice = append(a.Limit.Advice, text)
}

// Part makes some of the executions of the search that Run makes. It is an error if that
// cannot be made in parts.
func Part(ctx context.Context, t *search.Target, o search.Options, p search.Part) (*search.Stretch, error) {
	s, strategy, _, err := begin(ctx, t, o)
	if err != nil {
		return nil, err
	}
	return strategy.SearchPart(ctx, s, p)
}

// begin begins a search, and returns its strategy, and why it is that.
func begin(ctx context.Context, t *search.Target, o search.Options) (*search.Session, *search.Strategy, string, error) {
	var err error
	if t.System != nil || slices.Contains(o.Bounds.Kinds, rounds.AllKinds) { // else whoever asks has looked
		if o.Bounds, err = t.WithKinds(ctx, o.Bounds, o.Settings); err != nil {
			return nil, nil, "", err
		}
	}
	s, err := search.NewSession(t, o)
	if err != nil {
		return nil, nil, "", err
	}
	if o.Hold && unfaulted(s.Bounds) {
		return nil, nil, "", errors.New("hold leaves out faults that harm what leads to a waypoint, and the bounds allow no faults: give some, such as --isolations 2")
	}
	if o.Guide != nil && unfaulted(s.Bounds) {
		if o.Executions == 0 {
			s.Options.Executions = seeds
		}
		if o.Strategy == "" {
			s.Strategy = Uniform.Name
			return s, Uniform, "one execution for each seed, because only " + o.Guide.Name() + " decides faults", nil
		}
	}
	strategy, why, err := pick(ctx, s)
	if err != nil {
		return nil, nil, "", err
	}
	s.Strategy = strategy.Name
	return s, strategy, why, nil
}

// Learn learns the behaviour of the processes of a target within the bounds of the options,
// regardless of violations. The error is that of the strategy learn, if it cannot search
// the target, or if processes have no names for their states.
func Learn(ctx context.Context, t *search.Target, o search.Options) (*learned.Learned, error) {
	if t.System == nil {
		return nil, errors.New("the host only executes schedules, and shows no states of processes that could be learned")
	}
	without, err := search.NewTarget(t.System, []property.Property{Nothing()})
	if err != nil {
		return nil, err
	}
	o.Strategy = LearnStates.Name
	if o.Bounds, err = t.WithKinds(ctx, o.Bounds, o.Settings); err != nil {
		return nil, err
	}
	s, err := search.NewSession(without, o)
	if err != nil {
		return nil, err
	}
	if err := LearnStates.Refuses(s); err != nil {
		return nil, err
	}
	if !slices.Contains(s.Offers, search.OffersFingerprints) {
		return nil, fmt.Errorf("the processes of system %q name no states that could be learned: give them a method Fingerprint() string (system.Fingerprinter)", s.Name)
	}
	l, err := LearnAll(ctx, s)
	if err != nil {
		return nil, err
	}
	l.Answer.Search.Why = o.Strategy + ", as asked"
	return l, nil
}

// statesOfTrial is the number of global states that are visited before schedules are drawn
// instead, if there may be many states.
const statesOfTrial = 100_000

// instead draws schedules after a search that has made before executions, and found
// nothing.
func instead(ctx context.Context, t *search.Target, o search.Options, before int) (*search.Session, *result.Answer, error) {
	o.Strategy, o.Executions = Spread.Name, max(o.Budget()-before, 1)
	s, err := search.NewSession(t, o)
	if err != nil {
		return nil, nil, err
	}
	a, err := Spread.Search(ctx, s)
	if err == nil {
		a.Search.Continued += before // they were late
		a.Stats.Executions += before
	}
	return s, a, err
}

// pick returns the strategy that the options name, or else the first whose needs are met,
// and why, as a sentence. The error says that the named strategy cannot search the target.
func pick(ctx context.Context, s *search.Session) (*search.Strategy, string, error) {
	if s.Strategy != "" {
		asked, err := named(s.Strategy)
		if err != nil {
			return nil, "", err
		}
		if s.Guide != nil && asked.Around != nil {
			asked = asked.Around
		}
		return asked, s.Strategy + ", as asked", asked.Refuses(s)
	}
	if s.Hold {
		return Lineage, Lineage.Name + ", because it knows what waypoints rest on", Lineage.Refuses(s)
	}
	if s.Guide != nil && s.Guide.Waypoints() > 0 && !search.Few(s) {
		return Ahead, Ahead.Name + ", because " + s.Guide.Name() + " has waypoints", Ahead.Refuses(s)
	}
	lack := ""
	for _, strategy := range all {
		if strategy.Why == "" {
			continue
		}
		missing := strategy.Needs.Lack(ctx, s)
		if missing == "" {
			return strategy, strategy.Name + ", because " + strategy.Why, nil
		}
		if strategy.Needs.States {
			lack = missing // states would have been better
		}
	}
	return Spread, Spread.Name + ", because " + lack, nil
}
