package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// anyRounds asks a program of testdata about any number of rounds.
func anyRounds(t *testing.T, file string) (*result.Answer, error) {
	p, err := dedalus.Parse("../testdata/protocols/" + file)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	require.NoError(t, err)
	return m.AnyRounds(t.Context())
}

// TestAPromiseForAnyNumberOfRounds asks programs whose answers are known: proofs of textbooks, and
// protocols that break only in a late round.
func TestAPromiseForAnyNumberOfRounds(t *testing.T) {
	for _, c := range []struct {
		file  string
		round int // in which the promise breaks; 0: in none
	}{
		{"replication/kafka_min_isr.ded", 0},
		{"rounds/uniform_voting.ded", 0},
		{"restart/2pc_recovers.ded", 0},
		{"replication/kafka_isr.ded", 6},
		{"restart/2pc_forgets.ded", 6},
	} {
		t.Run(c.file, func(t *testing.T) {
			a, err := anyRounds(t, c.file)
			require.NoError(t, err)
			require.Equal(t, c.round, a.Rounds.Round)
			if c.round > 0 {
				require.Equal(t, result.Violated, a.Verdict)
				require.NotEmpty(t, a.Counterexamples)
				return
			}
			require.Equal(t, result.Holds, a.Verdict)
			require.NotEmpty(t, a.Rounds.Invariant)
			require.False(t, a.Rounds.Vacuous)
		})
	}
}

// TestAProofAboutNothing is a promise whose rules can never fire: it holds, and the answer says why.
func TestAProofAboutNothing(t *testing.T) {
	a, err := anyRounds(t, "traps/vacuous_violation.ded")
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.True(t, a.Rounds.Vacuous)
}

// TestAPromiseOfTheEndOnly is refused where the question makes no sense.
func TestAPromiseOfTheEndOnly(t *testing.T) {
	_, err := anyRounds(t, "traps/good.ded")
	require.ErrorAs(t, err, new(*provenance.UntimedError))
}
