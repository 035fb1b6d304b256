package provenance_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestSaturated says for programs with a clock up to which number it is counted, or which rule
// tells its numbers apart.
func TestSaturated(t *testing.T) {
	const clock = `clock("a", 1)@1; clock(P, N + 1)@next :- clock(P, N);` + "\n"
	for name, c := range map[string]struct {
		program string
		most    int64
		why     string // a part of it
	}{
		"nobody reads it":                           {``, 2, ""},
		"it is compared with a number":              {`violation(P) :- clock(P, N), N > 6;`, 7, ""},
		"a number is added before":                  {`violation(P) :- clock(P, N), N + 3 == 9;`, 7, ""},
		"it has to be one of a few numbers":         {`turn("a", 4)@1; violation(P) :- clock(P, N), turn(P, N)@1;`, 5, ""},
		"it has to follow one of a few numbers":     {`turn("a", 4)@1; violation(P) :- turn(P, N), clock(P, N + 2);`, 7, ""},
		"it must not be one of a few":               {`turn("a", 4)@1; violation(P) :- clock(P, N), notin turn(P, N)@1;`, 5, ""},
		"a count up to a number is no clock":        {`some("a", 1)@1; some(P, N + 1)@next :- some(P, N), N < 9; violation(P) :- clock(P, N), some(P, N);`, 10, ""},
		"the largest of all is as large":            {`kept(P, N)@next :- clock(P, N); last(P, max<N>) :- kept(P, N); violation(P) :- last(P, N), N == 3;`, 4, ""},
		"two that grow are compared":                {`kept(P, N)@next :- clock(P, N); violation(P) :- kept(P, N), clock(P, M), N < M;`, 0, "N is compared with what may grow as well"},
		"two that grow are equal":                   {`kept(P, N)@next :- clock(P, N); violation(P) :- kept(P, N), clock(P, N);`, 0, "N has to be equal in two places"},
		"there is a count for each":                 {`got(P, Q, N)@next :- clock(P, N), some(Q); some("a")@1; votes(P, N, count<Q>) :- got(P, Q, N); violation(P) :- votes(P, _, 2);`, 0, "there is a summary for each N"},
		"it is what the promise is about":           {`pre(P, N) :- clock(P, N); post(P, N)@next :- clock(P, N);`, 0, "it is in pre and in post"},
		"the promise is about a few of its numbers": {`pre(P, N) :- clock(P, N), N < 3; post(P, N)@next :- clock(P, N);`, 3, ""},
		"it is compared in another column":          {`turn("a", 5)@1; violation(P) :- clock(P, N), turn(P, N + 1);`, 5, ""},
		"it is computed with for another column":    {`turn(P, N % 3) :- clock(P, N); violation(P) :- turn(P, 2);`, 0, "N % 3 is computed"},
		"it is computed with":                       {`violation(P) :- clock(P, N), N % 2 == 0;`, 0, "is compared with"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := dedalus.ParseText("clock.ded", clock+c.program)
			require.NoError(t, err)
			_, clocks := provenance.Saturated(p)
			require.NotEmpty(t, clocks)
			require.Equal(t, c.most, clocks[0].Most, clocks[0].Why)
			require.Contains(t, clocks[0].Why, c.why)
		})
	}
}

// TestSaturatedExecutions compares the executions of programs with those of the programs that count
// their clocks no further than they have to: there all larger numbers are the last one.
func TestSaturatedExecutions(t *testing.T) {
	campaign.Run(t, 400, func(ctx context.Context, c oracle.Case) (string, error) { return countsTheSame(ctx, c, 8) })
}

func TestSaturatedProtocols(t *testing.T) {
	outcomes := map[string]int{}
	for _, c := range oracle.Quick(t) {
		outcome, err := countsTheSame(t.Context(), c, 8)
		require.NoError(t, err, c.Name)
		outcomes[outcome]++
	}
	t.Log(outcomes)
}

func countsTheSame(ctx context.Context, c oracle.Case, schedules int) (string, error) {
	c.Bounds.EOT += 6 // for larger numbers
	counted := provenance.Counted(c.Program)
	less, clocks := provenance.Saturated(c.Program)
	if !slices.ContainsFunc(clocks, func(c provenance.Clock) bool { return c.Most > 0 && !c.Crashes }) {
		return "has no clock", nil
	}
	executions := func(p *dedalus.Program, s rounds.Schedule) (*recording.Execution, error) {
		m, err := lockstep.Compile(p, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
		if err != nil {
			return nil, err
		}
		return m.Execute(ctx, s)
	}
	for _, s := range c.Schedules(schedules) {
		all, err := executions(c.Program, s)
		if err != nil {
			return "fails", nil
		}
		few, err := executions(less, s)
		if err != nil {
			return "", fmt.Errorf("under %q: %w", s, err)
		}
		want, have := map[string]bool{}, map[string]bool{}
		for _, f := range all.Facts {
			f.Args = slices.Clone(f.Args)
			for i, v := range f.Args {
				if most := counted(f.Relation, i); most > 0 && v.IsInt() && v.Int() > most {
					f.Args[i] = specs.Int(most)
				}
			}
			want[f.String()] = true
		}
		for _, f := range few.Facts {
			have[f.String()] = true
		}
		if !maps.Equal(want, have) {
			return "", fmt.Errorf("under %q there is %v, and if clocks are counted up to a number (%v) %v", s, slices.Sorted(maps.Keys(want)), clocks, slices.Sorted(maps.Keys(have)))
		}
	}
	return agreed, nil
}
