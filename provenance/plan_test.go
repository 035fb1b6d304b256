package provenance_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Facts that a comparison rules out together make no gates.
func TestComparisonsComeBeforeConditions(t *testing.T) {
	gates := func(rules string) int {
		p, err := dedalus.ParseText("pairs.ded", `
			m("a", 1)@1; m("a", 2)@1; m("a", 3)@1; to("a", "b")@1; to("a", "c")@1;
			got(Q, X)@async :- m(P, X), to(P, Q)@1;
		`+rules)
		require.NoError(t, err)
		b := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 2, Omissions: rounds.Unlimited}
		g, err := provenance.Evaluate(t.Context(), p, b, provenance.Options{})
		require.NoError(t, err)
		return g.Circuit.Gates()
	}
	require.Equal(t, gates(""), gates(`pair(P, X, Y) :- got(P, X), got(Q, Y), X > Y + 8;`))
	require.Less(t, gates(""), gates(`pair(P, X, Y) :- got(P, X), got(Q, Y), P < Q;`))
}
