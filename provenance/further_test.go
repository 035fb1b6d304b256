package provenance_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Of three acknowledgements that may come, two are a quorum: the condition of
// the quorum is a threshold over their variables.
func TestFurtherFactsHoldOrNot(t *testing.T) {
	p, err := dedalus.ParseText("quorum.ded", `
		count(P, count<Q>) :- ack(P, Q);
		quorum(P) :- count(P, N), N >= 2;
		quiet(P, Q) :- peer(P, Q), notin ack(P, Q);
		peer("a", "b")@1;`)
	require.NoError(t, err)
	fact := func(relation string, round int, args ...string) recording.Fact {
		f := recording.Fact{Relation: relation, Round: round}
		for _, arg := range args {
			f.Args = append(f.Args, specs.String(arg))
		}
		return f
	}
	g, err := provenance.Evaluate(t.Context(), p, rounds.Bounds{Processes: []string{"a"}, EOT: 1}, provenance.Options{
		Further: []recording.Fact{
			fact("ack", 1, "a", "b"), fact("ack", 1, "a", "c"), fact("ack", 1, "a", "d"),
			fact("unknown", 1, "a"), fact("ack", 1, "a"), fact("ack", 2, "a", "e"), fact("quiet", 1, "a", "c"),
			fact("ack", 1, "a", "d"), fact("peer", 1, "a", "b"),
		},
	})
	require.NoError(t, err)
	require.Len(t, g.Further, 9)
	require.Len(t, g.Facts("quiet", 1), 1)
	require.Equal(t, g.Further[0].Not(), g.Find("quiet", fact("", 1, "a", "b").Args, 1).Cond())

	quorum := g.Find("quorum", fact("", 1, "a").Args, 1).Cond()
	words := solver.NewWords(g.Circuit, quorum)
	inputs := make([]uint64, g.Circuit.Inputs())
	for which := range 8 {
		acks := 0
		for i := range 3 {
			inputs[i] = 0
			if which>>i&1 == 1 {
				inputs[i] = 1
				acks++
			}
		}
		words.Eval(inputs)
		require.Equal(t, acks >= 2, words.Value(quorum)&1 == 1, "%03b", which)
	}
}
