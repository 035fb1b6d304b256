package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestDiff: the first fact that is missing has the lost message for its cause; what
// follows from it ends in the broken promise; and either fault, undone, brings the
// message back in a round of its own.
func TestDiff(t *testing.T) {
	p, err := dedalus.ParseText("retry.ded", retry)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	bad, err := rounds.ParseSchedule("crash a@2; omit a>b@1")
	require.NoError(t, err)
	d, err := model(t, p, b, ldfi.Options{Goals: goals}).Diff(t.Context(), rounds.Schedule{}, bad)
	require.NoError(t, err)
	require.Equal(t, []string{
		`first, log(b, "hello")@2..6 is missing: what a sends b in round 1 is lost (omit a>b@1) [retry.ded:9]`,
		`so post(b, "hello")@6 is missing [retry.ded:11]`,
		`without crash a@2: log(b, "hello")@3 comes back, and the promise is kept`,
		`without omit a>b@1: log(b, "hello")@2 comes back, and the promise is kept`,
	}, []string(d.Text))
}
