package advise_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/advise"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestLeases has two leaders, because a promise ends before the lease that it was made
// for. Whoever floods the voters ends that too, and nobody ever leads after another one:
// that is not suggested, but named. The mistake is a number, and either of two other ones
// mends it; a longer promise costs some elections, and comes second.
func TestLeases(t *testing.T) {
	found := suggestedFor(t, "testdata/leases.ded")
	require.NotEmpty(t, found.Suggestions)
	require.Equal(t, "in a rule for lease T + 2 takes the place of T + 3", found.Suggestions[0].Text)
	require.Empty(t, found.Suggestions[0].Loses)
	require.Equal(t, "in a rule for promise T + 3 takes the place of T + 2", found.Suggestions[1].Text)
	require.NotEmpty(t, found.Suggestions[1].Loses)
	require.Len(t, found.Ends, 3)
	for _, s := range found.Ends {
		require.Equal(t, "lead", s.Ends[0].Relation, s.Text)
		require.Equal(t, 1, s.Ends[0].Schedule.Size())
	}
}

// TestChains has a chain of three, of which the next in line answers when the tail falls
// silent. It does not wait for long enough. To wait for longer mends it; if whoever is
// silent is said to live by others nobody takes over, which is not suggested.
func TestChains(t *testing.T) {
	found := suggestedFor(t, "testdata/chain.ded")
	require.Len(t, found.Suggestions, 1)
	require.Equal(t, "in a rule for heard T + 2 takes the place of T + 1", found.Suggestions[0].Text)
	require.Equal(t, result.Holds, found.Suggestions[0].Verdict)
	var ends []string
	for _, s := range found.Ends {
		require.Equal(t, "answers", s.Ends[0].Relation, s.Text)
		ends = append(ends, s.Text)
	}
	require.Equal(t, []string{
		"whoever has alive sends it to all",
		"others have a copy of alive and pass it on in every round",
		"who has had alive keeps it",
	}, ends)
}

func suggestedFor(t *testing.T, file string) *result.Repairs {
	t.Helper()
	p, err := dedalus.Parse(file)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{})
	require.NoError(t, err)
	a, err := m.Check(t.Context())
	require.NoError(t, err)
	found, err := advise.Suggest(t.Context(), p, b, ldfi.Options{}, a.First())
	require.NoError(t, err)
	return found
}
