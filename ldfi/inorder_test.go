package ldfi_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// What is reached one after the other may take other faults than the last of it alone.
func TestInOrder(t *testing.T) {
	p, b := parse(t, retry)
	m := model(t, p, b, ldfi.Options{})
	alone, err := m.InOrder(t.Context(), `log(c, hello)@4`)
	require.NoError(t, err)
	require.Empty(t, alone.Sets[0].Schedule.Faults)
	after, err := m.InOrder(t.Context(), `log(b, hello)@3`, `log(c, hello)@4`)
	require.NoError(t, err)
	require.Equal(t, result.Possible, after.Answer)
	require.True(t, after.Sets[0].Confirmed)
	never, err := m.InOrder(t.Context(), `log(c, hello)@4`, `log(b, hello)@4`)
	require.NoError(t, err)
	require.Equal(t, result.Impossible, never.Answer)
	require.True(t, never.Complete)
	_, err = m.InOrder(t.Context())
	require.ErrorContains(t, err, "name at least one")
	_, err = m.InOrder(t.Context(), `lgo(b, hello)`, `log(c, hello)`)
	require.ErrorContains(t, err, `fact "lgo(b, hello)": the program has no relation lgo (did you mean "log"?)`)
}

// TestExhaustiveInOrder compares the first schedule that reaches random facts one after the other with that of
// executing every schedule.
func TestExhaustiveInOrder(t *testing.T) {
	campaign.Run(t, 100, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(500)) > 0 {
			return "too many schedules", nil
		}
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{})
		if err != nil {
			return "", err
		}
		r := rand.New(rand.NewPCG(c.Seed, 9))
		var names []string
		for _, relation := range c.Program.Relations() {
			if j := (&judge{program: c.Program}); j.defines(relation.Name) {
				names = append(names, relation.Name)
			}
		}
		all, executed := executions(ctx, c.Program, c.Bounds, names...)
		if executed != nil || len(all.seen) == 0 {
			return "no executions", nil
		}
		faults := 0
		for range 4 {
			var facts []string
			for range 1 + r.IntN(3) {
				f := all.seen[r.IntN(len(all.seen))]
				if j := slices.IndexFunc(c.Program.Relations(), func(of dedalus.Relation) bool { return of.Name == f.Relation }); j >= 0 {
					w := all.random(r, c.Program.Relations()[j], c.Bounds)
					facts = append(facts, w.Fact)
				}
			}
			found, err := m.InOrder(ctx, facts...)
			if err != nil {
				return "", fmt.Errorf("%q: %w", facts, err)
			}
			if found.Limit != nil {
				return "stopped at a limit", nil
			}
			if want, got := all.firstInOrder(facts), firstOf(found); got != want {
				return "", fmt.Errorf("%q: the first set is %s; executed: %s", facts, got, want)
			}
			if len(found.Sets) > 0 && found.Sets[0].Size > 0 {
				faults++
			}
		}
		return fmt.Sprintf("with faults: %t", faults > 0), nil
	})
}

// firstInOrder names the first schedule under which facts hold one after the other, in whatever rounds.
func (all *everyExecution) firstInOrder(facts []string) string {
	for i, s := range all.schedules {
		var reaches func(facts []string, after int) bool
		reaches = func(facts []string, after int) bool {
			if len(facts) == 0 {
				return true
			}
			q, _ := dedalus.ParseQuery(facts[0])
			for _, f := range all.facts[i] {
				if f.Round > after && q.Matches(f.Relation, f.Args, f.Round) && reaches(facts[1:], f.Round) {
					return true
				}
			}
			return false
		}
		if reaches(facts, 0) {
			return fmt.Sprintf("%q", s)
		}
	}
	return string(result.Impossible)
}
