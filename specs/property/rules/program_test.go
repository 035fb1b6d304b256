package rules_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// A Program is for any evaluator of Dedalus: here for the one that keeps
// conditions.
func TestProgramIsEvaluatedOverConditions(t *testing.T) {
	c, err := rules.New("one leader", property.UniquePerTerm("leader").Rules.Text).Rules.Compile()
	require.NoError(t, err)
	p := c.Program
	for _, f := range twoLeaders().Facts {
		args := append(slices.Clone(f.Args), specs.Int(int64(f.Round)))
		p.Facts = append(p.Facts, &syntax.Fact{Relation: f.Relation, Args: args, Round: 1})
	}
	a, b := specs.String("a"), specs.String("b")
	p.Facts = append(p.Facts, &syntax.Fact{Relation: "before", Args: []specs.Value{a, b}, Round: 1})
	g, err := provenance.Evaluate(t.Context(), p, rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 1}, provenance.Options{Only: []string{"violation"}})
	require.NoError(t, err)
	found := g.Facts("violation", 1)
	require.Len(t, found, 1)
	require.Equal(t, []specs.Value{specs.Int(1), a, b}, found[0].Args())
}

func TestClonesCheckAtTheSameTime(t *testing.T) {
	for _, text := range []string{
		property.UniquePerTerm("leader").Rules.Text,
		`violation(N) :- leader(P, T, R) |> do fn:group_by(), let N = fn:count().`, // evaluated by Mangle
	} {
		c, err := property.Compile(rules.New("shared", text))
		require.NoError(t, err)
		var group sync.WaitGroup
		for range 4 {
			clone := c.Clone()
			group.Go(func() {
				for range 20 {
					violations, err := clone.Check(twoLeaders())
					if err != nil || len(violations) != 1 {
						t.Errorf("%v %v", violations, err)
					}
				}
			})
		}
		group.Wait()
	}
}
