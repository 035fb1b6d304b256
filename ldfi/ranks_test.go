package ldfi_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// ranking is how fault sets are asked for: what faults cost, and how many each may have.
type ranking struct {
	costs map[rounds.Kind]int
	size  int
}

func newRanking(seed uint64) ranking {
	random := rand.New(rand.NewPCG(seed, 5))
	r := ranking{size: random.IntN(4)}
	if random.IntN(4) > 0 {
		r.costs = map[rounds.Kind]int{}
		for _, k := range []rounds.Kind{rounds.Crash, rounds.Omit, rounds.Isolate, rounds.Cut, rounds.Delay, rounds.Partition} {
			if random.IntN(2) == 0 {
				r.costs[k] = 1 + random.IntN(4)
			}
		}
	}
	return r
}

func (r ranking) cost(s rounds.Schedule) (cost int) {
	for _, f := range s.Faults {
		if f.Kind != rounds.Choose {
			cost += cmp.Or(r.costs[f.Kind], 1)
		}
	}
	return cost
}

// inRank puts what was executed in the order that is documented, apart from any search:
// by cost, by the number of faults, by the faults as the universe numbers them.
func (r ranking) inRank(u *schedules.Universe, sets []rounds.Schedule) []string {
	number := func(s rounds.Schedule) (units []int) {
		for _, f := range s.Faults {
			if unit, ok := u.Index(f); ok && f.Kind != rounds.Choose {
				units = append(units, unit)
			}
		}
		slices.Sort(units)
		return units
	}
	sets = slices.DeleteFunc(slices.Clone(sets), func(s rounds.Schedule) bool { return r.size > 0 && s.Size() > r.size })
	slices.SortFunc(sets, func(a, b rounds.Schedule) int {
		return cmp.Or(r.cost(a)-r.cost(b), a.Size()-b.Size(), slices.Compare(number(a), number(b)))
	})
	var texts []string
	for _, s := range sets {
		texts = append(texts, findingOf(s))
	}
	return texts
}

var errStopped = errors.New("stopped")

// agreeOnRanks compares the first sets, their costs and how many there are with the
// execution of every schedule. They are in groups, each in one.
func agreeOnRanks(ctx context.Context, t *testing.T, c oracle.Case, o ldfi.Options, r ranking) (string, error) {
	a := newAssumptions(c)
	want, err := enumerate(ctx, c.Program, c.Bounds, c.Goals, a.meet)
	o.Goals, o.Size, o.Cost, o.Fold = c.Goals, r.size, r.costs, ldfi.Folds()[c.Seed%3]
	got, gotErr := model(t, c.Program, c.Bounds, o).Hypotheses(ctx, a.require, a.forbid)
	if outcome, err := sameError(err, gotErr); outcome != "" || err != nil {
		return outcome, err
	}
	ranked := r.inRank(schedules.New(c.Bounds), want.sets)
	first := ranked[:min(len(ranked), o.Max)]
	switch asked := fmt.Sprintf("require %q, forbid %q, %v, at most %d", a.require, a.forbid, r, o.Max); {
	case got.Limit != nil:
		return "", fmt.Errorf("%s: %w: %s", asked, errStopped, got.Limit.Reason)
	case !slices.Equal(first, findings(got)):
		return "", fmt.Errorf("%s: the sets are %q; executed: %q", asked, findings(got), ranked)
	case got.Count == nil || got.Count.Sets != len(ranked) || !got.Count.Exact || got.Complete != (len(first) == len(ranked)):
		return "", fmt.Errorf("%s: counted %v, complete: %t; executed: %d", asked, got.Count, got.Complete, len(ranked))
	}
	if err := checkGroups(got, o.Fold); err != nil {
		return "", fmt.Errorf("require %q, forbid %q, by %s: %w", a.require, a.forbid, o.Fold, err)
	}
	for _, x := range got.Counterexamples {
		fewest := x.Size == slices.MinFunc(want.sets, func(a, b rounds.Schedule) int { return a.Size() - b.Size() }).Size()
		if r.costs != nil && x.Cost != r.cost(x.Schedule) || r.costs == nil && x.Cost != 0 || x.Minimal && !fewest {
			return "", fmt.Errorf("%q costs %d, minimal: %t", x.Schedule, x.Cost, x.Minimal)
		}
	}
	return fmt.Sprintf("with sets: %t", len(ranked) > 0), nil
}

// TestExhaustiveRanks compares the order of fault sets, and their number, with the
// execution of every schedule, for random programs, assumptions, costs and sizes, decided
// in any way.
func TestExhaustiveRanks(t *testing.T) {
	campaign.Run(t, 400, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(2000)) > 0 {
			return "too many schedules", nil
		}
		usual, o := "", ldfi.Options{Max: []int{1, 2, 5, everySet}[c.Seed%4]}
		for _, as := range someOf(askings(o), c.Seed) {
			outcome, err := agreeOnRanks(ctx, t, c, as.options, newRanking(c.Seed))
			if err != nil && !(!as.isWhole() && errors.Is(err, errStopped)) {
				return "", fmt.Errorf("%s: %w", as.name, err)
			}
			if as.isWhole() {
				usual = outcome
			}
		}
		return usual, nil
	})
}

// TestRanksOfProtocols is TestExhaustiveRanks for every protocol, within some smaller
// bounds that have few enough schedules.
func TestRanksOfProtocols(t *testing.T) {
	several := 0
	for n, c := range oracle.Quick(t) {
		for i, b := range smallBounds(c.Bounds, 400) {
			c.Bounds, c.Seed = b, uint64(n+i)
			outcome, err := agreeOnRanks(t.Context(), t, c, ldfi.Options{Max: []int{1, 3, 1000}[c.Seed%3]}, newRanking(c.Seed))
			require.NoError(t, err, "%s: %s", c.Name, b)
			if outcome == "with sets: true" {
				several++
			}
		}
	}
	require.Greater(t, several, 12)
}

// What faults cost decides which set comes first.
func TestCostsDecideWhatComesFirst(t *testing.T) {
	p, b := parse(t, retry)
	b.Isolations, b.Omissions = 3, 6
	for _, c := range []struct {
		cost map[rounds.Kind]int
		want string
	}{
		{nil, "crash a@2; isolate b@1"},
		{map[rounds.Kind]int{rounds.Crash: 9}, "crash a@2; isolate b@1"},
		{map[rounds.Kind]int{rounds.Isolate: 3}, "crash a@2; omit a>b@1"},
	} {
		r, err := model(t, p, b, ldfi.Options{Max: 1, Cost: c.cost}).Hypotheses(t.Context(), nil, nil)
		require.NoError(t, err)
		require.Equal(t, []string{c.want}, texts(r))
	}
}
