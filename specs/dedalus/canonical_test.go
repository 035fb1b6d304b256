package dedalus_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func TestCanonicalTextsForgetTheNamesOfVariables(t *testing.T) {
	canonical := func(rule string) string {
		p, err := dedalus.ParseText("test.ded", rule)
		require.NoError(t, err)
		return p.Rules[0].Canonical()
	}
	require.Equal(t, `p(V1, count<V2>) :- q(V3, V1, V2), notin r(V1, _), (V2 + 1) * 3 > V3;`,
		canonical(`p(To, count<M>) :- q(From, To, M), notin r(To, _), (M + 1) * 3 > From;`))
	require.Equal(t, canonical(`p(A, B)@next :- q(B, A), A != B;`), canonical(`p(X, Y)@next :- q(Y, X), X != Y;`))
	require.NotEqual(t, canonical(`p(A, B) :- q(A, B);`), canonical(`p(A, B) :- q(B, A);`))
}
