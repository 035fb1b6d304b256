package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSafetyAlone is what two-phase commit is known for: an agent may wait for ever, and no two decide
// differently. With timeouts nobody waits, and two do.
func TestSafetyAlone(t *testing.T) {
	for _, c := range []struct {
		file    string
		verdict result.Verdict
		round   int
	}{
		{"commit/2pc.ded", result.Holds, 0},
		{"commit/2pc_timeout.ded", result.Violated, 5},
	} {
		p, err := dedalus.Parse("../testdata/protocols/" + c.file)
		require.NoError(t, err)
		b, goals, err := rounds.BoundsOf(p, nil)
		require.NoError(t, err)
		m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
		require.NoError(t, err)
		a, err := m.AnyRounds(t.Context())
		require.NoError(t, err)
		require.Equal(t, result.Violated, a.Verdict)
		require.Equal(t, "post", a.First().Violations[0].Fact.Relation)
		safety, err := m.Safety(t.Context(), a)
		require.NoError(t, err)
		assert.Equal(t, c.verdict, safety.Verdict, c.file)
		assert.Equal(t, c.round, safety.Rounds.Round, c.file)
	}
}
