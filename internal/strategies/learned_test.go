package strategies_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// learn learns a system within bounds, writes that as a program, and reads it back.
func learn(t *testing.T, target target, o search.Options) (*learned.Learned, *ldfi.Model) {
	t.Helper()
	searched, err := search.NewTarget(target.System, nil)
	require.NoError(t, err)
	o.Bounds, o.Settings = target.Bounds, target.Settings
	l, err := strategies.Learn(context.Background(), searched, o)
	require.NoError(t, err)
	bounds := l.Answer.Scope.Bounds
	require.NoError(t, l.Table.Check(bounds.Processes, bounds.EOT))
	p, err := l.Write(learned.Source{Command: "./host", System: searched.Name, Fixed: searched.Fixed, Bounds: bounds, Properties: searched.Properties})
	require.NoError(t, err)
	require.Empty(t, p.Left)
	program, err := dedalus.ParseText("model", p.Text)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(program, nil)
	require.NoError(t, err)
	m, err := ldfi.New(program, b, ldfi.Options{Goals: goals, Max: 10_000})
	require.NoError(t, err)
	return l, m
}

// What was learned of random small systems does as they do: under random schedules it
// has their facts, and the fault sets that break its promise, and of which none can be
// left out, are those that do so when all schedules of the system are executed.
func TestLearnedProgramsDoAsTheirSystems(t *testing.T) {
	broken, sets, facts := 0, 0, 0
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target, r := toySystem(seed)
		target.Bounds.Omissions, target.Bounds.Cuts, target.Bounds.Isolations = r.IntN(2), r.IntN(2), 1+r.IntN(2)
		few(&target)
		if r.IntN(2) == 0 {
			target.System.Properties = append(target.System.Properties, rules.New("also", toyRules[r.IntN(len(toyRules))]))
		}
		l, m := learn(t, target, search.Options{Seed: seed, Executions: 100_000})
		require.True(t, l.Complete(), "seed %d", seed)
		bounds := l.Answer.Scope.Bounds

		want := minimalSets(t, target.System, bounds)
		a, err := m.Hypotheses(context.Background(), nil, nil)
		require.NoError(t, err)
		require.True(t, a.Complete)
		var got []string
		for _, c := range a.Counterexamples {
			got = append(got, c.Schedule.String())
		}
		slices.Sort(got)
		require.Equal(t, want, got, "seed %d, %s", seed, bounds)
		require.Equal(t, want, executedSets(t, target), "seed %d, %s", seed, bounds)
		if sets += len(want); len(want) > 0 {
			broken++
		}
		facts += sameFacts(t, target.System, m, bounds, r, "value")
	}
	t.Logf("%d systems, %d break by %d fault sets; %d facts were compared", *long, broken, sets, facts)
	require.NotZero(t, broken)
	require.NotZero(t, facts)
}

// executedSets are the minimal sets that executing the schedules of a system shows,
// fewest faults first.
func executedSets(t *testing.T, target target) (texts []string) {
	t.Helper()
	fixed := *target.System
	fixed.Fixed = true // what is late counts, as in what was learned
	searched, err := search.NewTarget(&fixed, nil)
	require.NoError(t, err)
	s, err := search.NewSession(searched, search.Options{Bounds: target.Bounds, Executions: 1_000_000})
	require.NoError(t, err)
	sets, err := s.Sets(context.Background(), search.Wanted{})
	require.NoError(t, err)
	require.True(t, sets.Complete)
	for _, c := range sets.Found {
		texts = append(texts, c.Schedule.String())
	}
	slices.Sort(texts)
	return texts
}

// few leaves out faults until there are few enough schedules to execute them all.
func few(t *target) {
	b := &t.Bounds
	for _, budget := range []*int{&b.Cuts, &b.Omissions, &b.Isolations, &b.Crashes} {
		counted := *b
		counted.Processes, counted.EOT = t.System.Processes, t.System.Rounds
		if schedules.Count(counted).Cmp(big.NewInt(1500)) > 0 {
			*budget = 0
		}
	}
}

// sameFacts executes random schedules on a system and on what was learned of it, and
// compares the facts of a relation, which it counts.
func sameFacts(t *testing.T, s *system.System, m *ldfi.Model, b rounds.Bounds, r *rand.Rand, relation string) (count int) {
	t.Helper()
	u := schedules.New(b)
	for range 20 {
		schedule := u.Random(r)
		e, err := s.Run(context.Background(), schedule, system.RunOptions{Record: true})
		require.NoError(t, err)
		var want, got []string
		for _, f := range e.Facts {
			if f.Relation == relation {
				want = append(want, recording.Fact{Args: append(slices.Clone(f.Args), specs.Int(int64(f.Round)))}.String())
			}
		}
		in, err := m.Inject(context.Background(), schedule)
		require.NoError(t, err)
		for _, f := range in.Execution.Facts {
			if f.Relation == relation && f.Round == b.EOT+1 {
				f.Relation, f.Round = "", 0
				got = append(got, f.String())
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		require.Equal(t, slices.Compact(want), got, schedule.String())
		count += len(got)
	}
	return count
}

// minimalSets executes all schedules, and returns those that violate a property at the
// end of the execution and none of which is part of another.
func minimalSets(t *testing.T, s *system.System, b rounds.Bounds) []string {
	t.Helper()
	var checkers []*property.Checker
	for _, p := range s.Properties {
		c, err := property.Compile(p)
		require.NoError(t, err)
		checkers = append(checkers, c)
	}
	runner := s.NewRunner()
	runner.Options = system.RunOptions{Record: true}
	var found []rounds.Schedule
	for schedule := range schedules.New(b).All() {
		require.NoError(t, runner.Run(context.Background(), schedule))
		violated := false
		for _, c := range checkers {
			v, err := c.Check(runner.Execution())
			require.NoError(t, err)
			violated = violated || len(v) > 0
		}
		if violated {
			found = append(found, schedule.Normal())
		}
	}
	slices.SortStableFunc(found, func(s, t rounds.Schedule) int { return s.Size() - t.Size() })
	var minimal []rounds.Schedule
	var texts []string
	for _, s := range found {
		if !slices.ContainsFunc(minimal, func(m rounds.Schedule) bool { return partOf(m, s) }) {
			minimal, texts = append(minimal, s), append(texts, s.String())
		}
	}
	slices.Sort(texts)
	return texts
}

// partOf tells whether a schedule has all faults of another.
func partOf(part, whole rounds.Schedule) bool {
	return !slices.ContainsFunc(part.Faults, func(f rounds.Fault) bool { return !slices.Contains(whole.Faults, f) })
}

// What was learned of the examples is decided as a search of them decides.
func TestLearnedExamples(t *testing.T) {
	for _, c := range []struct {
		target  target
		verdict result.Verdict
	}{
		{isolations(election.Buggy(), 2, 2), result.Violated},
		{isolations(election.Fixed(), 1, 2), result.Violated},
		{isolations(replog.Buggy(), 2, 4), result.Violated},
		{isolations(replog.Fixed(), 2, 4), result.Holds},
		{isolations(cassandra.Buggy(), 2, 6), result.Holds},
		{isolations(cassandra.Buggy(), 4, 6), result.Violated},
	} {
		if c.target.Bounds.Isolations == 4 && *long < 12 {
			continue // it takes as long as all others
		}
		t.Run(c.target.System.Name, func(t *testing.T) {
			l, m := learn(t, c.target, search.Options{Seed: 1})
			require.True(t, l.Complete())
			a, err := m.Check(context.Background())
			require.NoError(t, err)
			r, err := find(context.Background(), "learn", c.target, search.Options{Seed: 1})
			require.NoError(t, err)
			require.Equal(t, r.Verdict, a.Verdict)
			require.Equal(t, c.verdict, a.Verdict)
			if a.Verdict == result.Violated {
				require.LessOrEqual(t, a.First().Size, r.First().Size) // what learn finds may be none of the smallest
			}
		})
	}
}
