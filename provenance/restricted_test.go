package provenance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// TestAmongAgrees compares the facts of random programs under a list of schedules with
// what the concrete executor finds under each.
func TestAmongAgrees(t *testing.T) {
	campaign.Run(t, 300, func(ctx context.Context, c oracle.Case) (string, error) {
		return agreeAmong(ctx, c, 100)
	})
}

func TestAmongAgreesOnProtocols(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := agreeAmong(t.Context(), c, 100)
			require.NoError(t, err)
			require.Equal(t, agreed, outcome)
		})
	}
}

// TestGivenAgrees does the same of random parts of the schedules.
func TestGivenAgrees(t *testing.T) {
	campaign.Run(t, 300, func(ctx context.Context, c oracle.Case) (string, error) {
		return agreeGiven(ctx, c, 64)
	})
}

func TestGivenAgreesOnProtocols(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := agreeGiven(t.Context(), c, 64)
			require.NoError(t, err)
			require.Contains(t, []string{agreed, "no schedule"}, outcome)
		})
	}
}

// agreeAmong compares the two evaluators under a list of schedules.
func agreeAmong(ctx context.Context, c oracle.Case, count int) (string, error) {
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return "", err
	}
	all := distinct(c.Schedules(count))
	among, err := unitsOf(schedules.New(c.Bounds), all)
	if err != nil {
		return "", err
	}
	g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, provenance.Options{MaxFacts: maxFacts, MaxGates: maxGates, Among: among})
	if err != nil {
		return agreeOnError(ctx, m, err, all)
	}
	if len(g.Valid) > 0 {
		return "", errors.New("there are limits besides the list")
	}
	return compareWorlds(ctx, m, g, all)
}

// agreeGiven compares them under the schedules in which some units are as they are in a
// random one.
func agreeGiven(ctx context.Context, c oracle.Case, count int) (string, error) {
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return "", err
	}
	all := distinct(c.Schedules(count))
	u := schedules.New(c.Bounds)
	among, err := unitsOf(u, all)
	if err != nil {
		return "", err
	}
	r := rand.New(rand.NewPCG(c.Seed, 77))
	model := among[r.IntN(len(among))]
	var given []provenance.Given
	for unit := range u.Len() {
		if on := slices.Contains(model, unit); on && r.IntN(2) == 0 || !on && r.IntN(4) == 0 {
			given = append(given, provenance.Given{Unit: unit, On: on})
		}
	}
	inside := slices.DeleteFunc(all, func(s rounds.Schedule) bool {
		units, _ := u.Units(s)
		return !meets(units, given)
	})
	g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, provenance.Options{MaxFacts: maxFacts, MaxGates: maxGates, Given: given})
	if err != nil {
		return agreeOnError(ctx, m, err, inside)
	}
	if err := refusesOthers(g, u, given, inside); err != nil {
		return "", err
	}
	return compareWorlds(ctx, m, g, inside)
}

func meets(units []int, given []provenance.Given) bool {
	return !slices.ContainsFunc(given, func(given provenance.Given) bool { return slices.Contains(units, given.Unit) != given.On })
}

// refusesOthers checks that a schedule outside of the part has no world.
func refusesOthers(g *provenance.Graph, u *schedules.Universe, given []provenance.Given, inside []rounds.Schedule) error {
	for _, s := range inside {
		units, _ := u.Units(s)
		for _, one := range given {
			other := slices.Clone(units)
			if one.On {
				other = slices.DeleteFunc(other, func(unit int) bool { return unit == one.Unit })
			} else {
				other = append(other, one.Unit)
			}
			outside := u.Schedule(func(unit int) bool { return slices.Contains(other, unit) })
			if _, err := g.Under(outside); err == nil {
				return fmt.Errorf("%q has a world, but %v is given", outside, one)
			}
		}
	}
	return nil
}

// protocol returns a protocol of testdata by its name.
func protocol(t *testing.T, name string) oracle.Case {
	t.Helper()
	for _, c := range oracle.Protocols(t) {
		if strings.TrimSuffix(c.Name, ".ded") == name {
			return c
		}
	}
	t.Fatalf("there is no protocol %s", name)
	return oracle.Case{}
}

func distinct(schedules []rounds.Schedule) (some []rounds.Schedule) {
	seen := map[string]bool{}
	for _, s := range schedules {
		if text := s.Normal().String(); !seen[text] {
			seen[text] = true
			some = append(some, s)
		}
	}
	return some
}

func unitsOf(u *schedules.Universe, schedules []rounds.Schedule) (among [][]int, err error) {
	for _, s := range schedules {
		units, err := u.Units(s)
		if err != nil {
			return nil, err
		}
		among = append(among, units)
	}
	return among, nil
}

// compareWorlds compares all facts of a graph under some schedules with executions.
func compareWorlds(ctx context.Context, m *lockstep.Machine, g *provenance.Graph, schedules []rounds.Schedule) (string, error) {
	for _, s := range schedules {
		w, err := g.Under(s)
		if err != nil {
			return "", err
		}
		for _, valid := range g.Valid {
			if !w.True(valid) {
				return "", fmt.Errorf("%q is within the bounds but not valid in the circuit", s)
			}
		}
		run, err := m.Run(ctx, s)
		if errors.As(err, new(*limits.LimitError)) {
			return limited, nil
		}
		if err != nil {
			return "", fmt.Errorf("under %q the executor fails: %w", s, err)
		}
		if err := compareWorld(g, w, run); err != nil {
			return "", fmt.Errorf("under %q %w", s, err)
		}
	}
	if len(schedules) == 0 {
		return "no schedule", nil
	}
	return agreed, nil
}

func compareWorld(g *provenance.Graph, w *provenance.World, run *lockstep.Run) error {
	for _, r := range g.Program.Relations() {
		for t := 1; t <= g.Bounds.EOT; t++ {
			var have [][]specs.Value
			for _, f := range g.Facts(r.Name, t) {
				if f.Cond() == solver.False {
					return fmt.Errorf("%s is no possible fact", f)
				}
				if w.Holds(f) {
					have = append(have, f.Args())
				}
			}
			want := run.Facts(r.Name, t)
			if !slices.EqualFunc(have, want, slices.Equal[[]specs.Value]) {
				return fmt.Errorf("%s@%d has %v in the circuit and %v when executed", r.Name, t, have, want)
			}
		}
	}
	return nil
}

// TestRestrictionsThatMakeNoSense: each is an error that says what is wrong.
func TestRestrictionsThatMakeNoSense(t *testing.T) {
	c := protocol(t, "delivery/simple")
	for want, o := range map[string]provenance.Options{
		"a list of schedules has none":             {Among: [][]int{}},
		"[1 0] is no set of units in ascending":    {Among: [][]int{{1, 0}}},
		"[100000] is no set of units in ascending": {Among: [][]int{{100_000}}},
		"there is no unit -1":                      {Given: []provenance.Given{{Unit: -1}}},
		"is given both to happen and not to":       {Given: []provenance.Given{{Unit: 0}, {Unit: 0, On: true}}},
		"with a list of schedules no unit is given": {
			Among: [][]int{{}}, Given: []provenance.Given{{Unit: 0}},
		},
	} {
		_, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, o)
		require.ErrorContains(t, err, want)
	}
}

// TestUnderNoneOfThoseListed: a graph of some schedules has no world of another.
func TestUnderNoneOfThoseListed(t *testing.T) {
	c := protocol(t, "delivery/simple")
	g, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{Among: [][]int{{}, {0}}})
	require.NoError(t, err)
	_, err = g.Under(g.Universe.Schedule(func(unit int) bool { return unit == 0 }))
	require.NoError(t, err)
	_, err = g.Under(g.Universe.Schedule(func(unit int) bool { return unit == 1 }))
	require.ErrorContains(t, err, "none of the 2 schedules that were evaluated")
}

// TestWork: an evaluation with too small a budget of work ends at a limit that says so,
// the same every time, and tells how much it did.
func TestWork(t *testing.T) {
	c := protocol(t, "delivery/ack")
	var all, some atomic.Int64
	_, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{Work: &all})
	require.NoError(t, err)
	require.Positive(t, all.Load())
	_, err = provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{MaxSteps: all.Load()})
	require.NoError(t, err)
	for range 2 {
		_, err = provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{MaxSteps: all.Load() / 2, Work: &some})
		var limit *limits.LimitError
		require.ErrorAs(t, err, &limit)
		require.Equal(t, provenance.StepsOfWork, limit.What)
		require.EqualValues(t, limit.Count, some.Load())
	}
}
