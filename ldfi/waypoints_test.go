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

// agreeing decides only if all three votes arrive, each of which is easily lost.
const agreeing = `// ldfi: processes=c,x,y,z eot=6 eff=5
ask("x")@1; ask("y")@1; ask("z")@1;
vote("c", P)@async :- ask(P);
heard(C, P) :- vote(C, P);
heard(C, P)@next :- heard(C, P);
count(C, count<P>) :- heard(C, P);
commit(M, C)@async :- count(C, 3), member(M)@1;
member("x")@1; member("y")@1; member("z")@1;
agreed(C, M)@async :- commit(M, C);
agreed(C, M)@next :- agreed(C, M);
`

// What is proposed holds whenever the target is reached, in increasing rounds before it.
func TestWaypoints(t *testing.T) {
	p, b := parse(t, agreeing)
	m := model(t, p, b, ldfi.Options{})
	found, err := m.Waypoints(t.Context(), `agreed(c, x)`)
	require.NoError(t, err)
	require.Equal(t, result.Possible, found.Answer)
	require.Empty(t, found.Schedule.Faults)
	require.Equal(t, 4, found.Round)
	var facts []string
	for _, w := range found.Waypoints {
		facts = append(facts, w.Fact)
		require.Less(t, w.Drawn, w.Of)
	}
	require.Equal(t, []string{`count(c, 3)`, `commit(x, c)`}, facts)
	require.Equal(t, `waypoint(1, R) :- count("c", 3, R).`, found.Waypoints[0].Rule)
	require.Equal(t, found.Alone.Seeds, found.Alone.Reached)
	require.NotEmpty(t, found.Better)

	again, err := m.Waypoints(t.Context(), `agreed(c, x)`)
	require.NoError(t, err)
	require.Equal(t, found, again)

	never, err := m.Waypoints(t.Context(), `agreed(c, x)@3`)
	require.NoError(t, err)
	require.Equal(t, result.Impossible, never.Answer)
	require.Empty(t, never.Waypoints)
	_, err = m.Waypoints(t.Context(), `agree(c, x)`)
	require.ErrorContains(t, err, `did you mean "agreed"?`)
}

// TestExhaustiveWaypoints executes every schedule of random programs: where the target is reached, the waypoints were, one
// after the other; and some schedule lacks each.
func TestExhaustiveWaypoints(t *testing.T) {
	campaign.Run(t, 60, func(ctx context.Context, c oracle.Case) (string, error) {
		if schedules.Count(c.Bounds).Cmp(big.NewInt(500)) > 0 {
			return "too many schedules", nil
		}
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{})
		if err != nil {
			return "", err
		}
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
		r, proposed := rand.New(rand.NewPCG(c.Seed, 11)), 0
		for range 3 {
			target := all.seen[r.IntN(len(all.seen))].String()
			found, err := m.Waypoints(ctx, target)
			if err != nil {
				return "", fmt.Errorf("%q: %w", target, err)
			}
			var way []string
			for _, w := range found.Waypoints {
				q, err := dedalus.ParseQuery(w.Fact)
				if err != nil {
					return "", err
				}
				for i, a := range q.Args {
					if name := a.Value.Text(); slices.Contains(c.Bounds.Processes, name) {
						q.Args[i].Value = c.Program.ProcessValue(name)
					}
				}
				way = append(way, q.String())
			}
			if err := all.waypoints(way, target); err != nil {
				return "", fmt.Errorf("%q: %q: %w", target, way, err)
			}
			proposed += len(way)
		}
		return fmt.Sprintf("with waypoints: %t", proposed > 0), nil
	})
}

// waypoints compares what is said of a way to a target with what every schedule gives.
func (all *everyExecution) waypoints(way []string, target string) error {
	reaches := func(i int, facts ...string) bool {
		one := &everyExecution{b: all.b, schedules: all.schedules[i : i+1], facts: all.facts[i : i+1]}
		return one.firstInOrder(facts) != string(result.Impossible)
	}
	for i, s := range all.schedules {
		if reaches(i, target) && !reaches(i, slices.Concat(way, []string{target})...) {
			return fmt.Errorf("under %q it is reached without", s)
		}
	}
	for _, fact := range way {
		lacks := false
		for i := range all.schedules {
			lacks = lacks || !reaches(i, fact)
		}
		if !lacks {
			return fmt.Errorf("every schedule reaches %s", fact)
		}
	}
	return nil
}
