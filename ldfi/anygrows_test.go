package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestANumberThatGrows is refused with its rule and column, and what tells its numbers apart.
func TestANumberThatGrows(t *testing.T) {
	p, err := dedalus.ParseText("rounds.ded", `
		// ldfi: processes=a,b eot=4 omissions=unlimited
		time("a", 1)@1;
		time("b", 1)@1;
		time(P, N + 1)@next :- time(P, N);
		told(Q, P, N)@async :- time(P, N);
		heard(P, Q) :- time(P, N), told(P, Q, N - 1);
		violation(P) :- told(P, Q, _), notin heard(P, Q);`)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	require.NoError(t, err)
	_, err = m.AnyRounds(t.Context())
	require.ErrorAs(t, err, new(*provenance.UntimedError))
	require.ErrorContains(t, err, "rounds.ded:5:3: the numbers in column 2 of time grow in each round")
	require.ErrorContains(t, err, "N - 1 is computed (rounds.ded:7:30)")
}
