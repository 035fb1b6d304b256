package guide_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// promises are what random systems promise.
var promises = []string{
	`violation(P) :- p(P, 1, _), q(Q, 2, _), P != Q.`,
	`violation(P) :- p(P, 0, R), p(P, 1, S), R < S.`,
	`pre(P) :- q(P, _, _). post(P) :- p(P, _, R), R > 1.`,
	`violation(P) :- q(P, N, R), eot(R), q(Q, N, R), Q != P.`,
	`violation(P) :- q(P, 2, R), lost(P, _, _, _, R).`,
}

// surrounded is a random small system, with a guide, and bounds around it.
type surrounded struct {
	system *system.System
	guide  *guide.Guide
	bounds rounds.Bounds
	what   string
}

func randomlySurrounded(t *testing.T, seed uint64) surrounded {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	g, text := guide.RandomForSystems(t, rng)
	factor, names := 1+rng.IntN(4), []string{"a", "b", "c"}[:2+rng.IntN(2)]
	s := &system.System{
		Name: "mixers", Processes: names, Rounds: 3, Fixed: true,
		New: func(name string, _ *rand.Rand) system.Process {
			return &guide.Mixer{Names: names, Seed: factor, State: slices.Index(names, name)}
		},
		Properties: []property.Property{rules.New("promise", promises[rng.IntN(len(promises))])},
	}
	b := []rounds.Bounds{
		{Omissions: 1}, {Isolations: 2, Period: 2}, {Crashes: 1}, {Isolations: 1, Crashes: 1}, {Cuts: 1}, {Delays: 1, EFF: 3},
		{Omissions: 1, EFF: 3, Kinds: []string{"v"}}, {Partitions: 1, Omissions: 1, EFF: 2},
		{Omissions: 1, EFF: 2, Deliver: "majority"}, {Omissions: 1, Reliable: []string{"a>b"}}, {Omissions: 1, Crashes: 1, EFF: 2, NeverCrash: []string{"b"}},
	}[rng.IntN(11)]
	if len(names) == 2 {
		b.Omissions, b.Partitions, b.Deliver = b.Omissions+1, 0, ""
	}
	c := surrounded{system: s, guide: g, bounds: b}
	limits := c.assumed()
	limits.Omissions, limits.Isolations, limits.Crashes, limits.Delays = b.Omissions, b.Isolations, b.Crashes, b.Delays
	c.what = fmt.Sprintf("seed %d, factor %d, %s, %s\n%s", seed, factor, limits, s.Properties[0].Rules.Text, text)
	return c
}

// assumed returns bounds of the system with the assumptions alone.
func (c surrounded) assumed() rounds.Bounds {
	b := c.system.Bounds(0)
	b.Deliver, b.Reliable, b.NeverCrash = c.bounds.Deliver, c.bounds.Reliable, c.bounds.NeverCrash
	return b
}

// truth is what happens under all schedules within the bounds, by definition.
type truth struct {
	violated, prevented, reached int
	all                          []rounds.Schedule
}

func (c surrounded) truth(t *testing.T) (all truth) {
	t.Helper()
	checker, err := property.Compile(c.system.Properties[0])
	require.NoError(t, err)
	target, err := search.NewTarget(c.system, nil)
	require.NoError(t, err)
	session, err := search.NewSession(target, search.Options{Bounds: c.bounds, Guide: c.guide, Workers: 1})
	require.NoError(t, err)
	executor, err := session.Guided(true)
	require.NoError(t, err)
	good, bad := c.guide.Ends()
	for schedule := range schedules.New(session.Bounds).All() {
		what := fmt.Sprintf("%s\nunder %s", c.what, schedule)
		schedule = session.With(schedule)
		defined := guide.ByDefinition(t, c.guide, c.system, c.assumed(), schedule, what)
		all.all = append(all.all, schedule)
		e, violations, err := executor.Execute(t.Context(), schedule)
		require.NoError(t, err, what)
		session.Count(len(all.all), e)
		require.Equal(t, defined.Prevented, session.Prevents(len(all.all)), what)
		require.Nil(t, execution.FirstDivergence(defined.Execution, e), "%s\nby definition: %s\nsteered: %s", what, defined.Schedule, e.Schedule)
		if defined.Prevented {
			all.prevented++
			continue
		}
		judged, err := checker.Check(defined.Execution)
		require.NoError(t, err, what)
		entered := slices.ContainsFunc(defined.Moves, func(m guide.Move) bool { return slices.Contains(bad, m.To) })
		require.Equal(t, len(judged) > 0 || entered, len(violations) > 0, what)
		if len(violations) > 0 {
			all.violated++
		}
		switch n := c.guide.Waypoints(); {
		case len(good) == 0 && n > 0 && defined.Reached == n:
			all.reached++
		}
	}
	return all
}

// TestSearchesAroundGuides compares searches of random small systems around random guides
// with what happens under every schedule by definition.
func TestSearchesAroundGuides(t *testing.T) {
	count := map[string]int{}
	for i := range uint64(max(*guide.Long/25, 2)) {
		c := randomlySurrounded(t, *guide.Seed+8+i) // of the first two one breaks a promise, and one keeps it
		truth := c.truth(t)
		for _, strategy := range []string{"", "enumerate", "exhaustive", "lineage", "uniform", "spread", "ahead", "waypoint", "pct"} {
			if (strategy == "ahead" || strategy == "waypoint") && c.guide.Waypoints() == 0 || strategy == "pct" && c.bounds.Delays == 0 {
				continue
			}
			target, err := search.NewTarget(c.system, nil)
			require.NoError(t, err)
			a, err := strategies.Run(t.Context(), target, search.Options{Strategy: strategy, Bounds: c.bounds, Guide: c.guide, Executions: 5 * len(truth.all), Seed: i})
			what := fmt.Sprintf("strategy %s, %s", strategy, c.what)
			require.NoError(t, err, what)
			count[strategy+" "+string(a.Verdict)]++
			complete := slices.Contains([]string{"", "enumerate", "exhaustive"}, strategy)
			switch {
			case a.Verdict == result.Violated:
				require.Positive(t, truth.violated, what)
				if a.Counterexamples[0].Beside == nil {
					count["found without the guide"]++
				}
				c.replays(t, a.Counterexamples[0], what)
			case complete && truth.prevented == len(truth.all):
				require.Equal(t, result.Inconclusive, a.Verdict, what)
				require.Contains(t, a.Limit.Reason, "no schedule within the bounds", what)
				c.conflicts(t, a.Limit.Reason, truth, what)
			case complete || a.Verdict == result.Holds:
				require.Equal(t, result.Holds, a.Verdict, what)
				require.Zero(t, truth.violated, what)
				c.certified(t, a, truth, what)
			}
		}
	}
	t.Log(count)
	if *guide.Seed == 1 {
		require.Positive(t, count["enumerate violated"])
		require.Positive(t, count["exhaustive holds"])
	}
}

// replays checks that a counterexample breaks the promise without the guide, or beside it enters a bad state.
func (c surrounded) replays(t *testing.T, found result.Counterexample, what string) {
	t.Helper()
	what += "\nfound " + found.Schedule.String()
	e, err := c.system.Run(t.Context(), found.Schedule, system.RunOptions{})
	require.NoError(t, err, what)
	violations, err := c.system.Properties[0].Check(e)
	require.NoError(t, err, what)
	if found.Violations[0].Property == "promise" {
		require.NotEmpty(t, violations, what)
	}
	if found.Beside == nil {
		return
	}
	what += " beside " + found.Beside.String()
	defined := guide.ByDefinition(t, c.guide, c.system, c.assumed(), rounds.Schedule{Settings: rounds.Settings{Reliable: found.Beside.Settings.Reliable}, Faults: found.Beside.Faults}, what)
	require.False(t, defined.Prevented, what)
	require.Nil(t, execution.FirstDivergence(defined.Execution, e), what)
	_, bad := c.guide.Ends()
	require.True(t, len(violations) > 0 || slices.ContainsFunc(defined.Moves, func(m guide.Move) bool { return slices.Contains(bad, m.To) }), what)
}

// conflicts checks that the rules that a reason names allow no schedule, and without any one of them some.
func (c surrounded) conflicts(t *testing.T, reason string, truth truth, what string) {
	t.Helper()
	what += "\n" + reason
	var named []int
	for i, r := range c.guide.Rules() {
		if c.guide.Decides(i) && strings.Contains(reason, fmt.Sprintf("%s of %s", r.Name, r.Position)) {
			named = append(named, i)
		}
	}
	require.NotEmpty(t, named, what)
	allowed := func(rules []int) bool {
		var others []int
		for i := range c.guide.Rules() {
			if c.guide.Decides(i) && !slices.Contains(rules, i) {
				others = append(others, i)
			}
		}
		less := c.guide.Without(others...)
		return slices.ContainsFunc(truth.all, func(s rounds.Schedule) bool {
			return !guide.ByDefinition(t, less, c.system, c.assumed(), s, what).Prevented
		})
	}
	require.False(t, allowed(named), what)
	for i := range named {
		require.True(t, allowed(schedules.LeaveOut(named, i)), "without rule %d: %s", named[i], what)
	}
}

// certified checks the numbers of a certificate.
func (c surrounded) certified(t *testing.T, a *result.Answer, truth truth, what string) {
	t.Helper()
	certificate := a.Search.Certificate
	require.EqualValues(t, len(truth.all), certificate.Schedules.Int64(), what)
	require.LessOrEqual(t, certificate.Executions, len(truth.all), what)
	require.Contains(t, certificate.Assumption, "within random.mg", what)
	switch truth.prevented {
	case 0:
		require.NotContains(t, certificate.Assumption, "does not allow", what)
	default:
		require.True(t, strings.HasSuffix(certificate.Assumption, fmt.Sprintf("does not allow %d schedules", truth.prevented)) || truth.prevented == 1, "%s\n%s", certificate.Assumption, what)
	}
	if g := a.Guidance; a.Search.Strategy == "enumerate" {
		require.Equal(t, len(truth.all), g.Executions, what)
		require.Equal(t, truth.prevented, g.Prevented, what)
		if good, _ := c.guide.Ends(); len(good) == 0 && g.Target != nil {
			require.Equal(t, truth.reached, g.Target.Executions, what)
		}
	}
}
