package rules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// TestFactsCanComeBitByBit evaluates random rules after every few facts of a random
// execution, and compares with an evaluation of all facts that have come by then. What was
// there before is in front.
func TestFactsCanComeBitByBit(t *testing.T) {
	turns := 0
	for i := range uint64(*long) {
		rng := rand.New(rand.NewPCG(*seed+i, 8))
		facts, text := slices.Clone(table(t, randomExecution(rng))), randomRules(rng)
		r, err := parseRules("rules", text)
		if err != nil {
			continue // recursion through negation
		}
		p, err := r.program()
		require.NoError(t, err)
		g, err := lockstep.NewGrower(p, nil, 10_000, 1_000_000_000)
		require.NoError(t, err)
		rng.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
		for again := range 2 {
			before := map[string][][]specs.Value{}
			for n := 0; n <= len(facts); n += 1 + rng.IntN(3) {
				for _, f := range facts[max(0, n-3):n] { // some come twice
					g.Add(g.Relation(f.Relation), f.Args...)
				}
				for _, f := range facts[:n] {
					g.Add(g.Relation(f.Relation), f.Args...)
				}
				require.NoError(t, g.Turn(t.Context()))
				found, err := datalog.Query(t.Context(), facts[:n], text)
				require.NoError(t, err)
				var grown []recording.Fact
				for relation := range r.defined {
					rows := g.Rows(g.Relation(relation), 0)
					seen := slices.IndexFunc(rows, func(row []specs.Value) bool { return !contains(before[relation], row) })
					require.False(t, seen >= 0 && slices.ContainsFunc(rows[seen:], func(row []specs.Value) bool { return contains(before[relation], row) }),
						"what is new comes last; seed %d:\n%s", *seed+i, text)
					before[relation] = rows
					for _, row := range rows {
						grown = append(grown, recording.Fact{Relation: relation, Args: row})
					}
				}
				e := &recording.Execution{Facts: grown}
				e.Sort()
				require.Equal(t, show(found), show(e.Facts), "seed %d, execution %d, %d facts:\n%s", *seed+i, again, n, text)
				g.Seen()
				turns++
			}
			g.Reset()
		}
	}
	require.Greater(t, turns, *long)
}

func contains(rows [][]specs.Value, row []specs.Value) bool {
	return slices.ContainsFunc(rows, func(other []specs.Value) bool { return slices.Equal(row, other) })
}
