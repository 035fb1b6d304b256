package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is said to undo does change the fact, and nothing smaller does: the faults of
// a minimal set are undone one by one.
func TestUndoing(t *testing.T) {
	for file, schedule := range map[string]string{
		"delivery/retry.ded": "crash a@2; omit a>b@1", "replication/kafka_isr.ded": "crash a@6; omit a>b@1; omit a>c@1", "restart/2pc_forgets.ded": "crash c@4; restart c@4; omit c>a@3",
	} {
		e := begin(t, file, nil)
		require.NoError(t, e.SetText(schedule))
		in, err := e.Execute(t.Context(), e.Schedule())
		require.NoError(t, err)
		fact, ok := e.Broken(in.Violations[0])
		require.True(t, ok)
		u, err := e.Undoing(t.Context(), fact, e.Schedule())
		require.NoError(t, err)
		require.Equal(t, in.Violations[0].Missing, u.Back, file)
		require.Len(t, u.Ways, len(e.Schedule().Faults), file)
		require.False(t, u.Stopped)
		for i, left := range u.Left {
			require.NoError(t, e.Set(left), u.Ways[i])
			in, err := e.Execute(t.Context(), left)
			require.NoError(t, err)
			for _, v := range in.Violations {
				still, _ := e.Broken(v)
				require.NotEqual(t, fact, still, "%s without %s", file, u.Ways[i])
			}
			u, err := e.Undoing(t.Context(), fact, left)
			require.NoError(t, err)
			require.Nil(t, u, "nothing is left to undo")
		}
	}
}

// What is said to be broken is the first of the facts, where it is broken.
func TestBrokenFactsComeFirst(t *testing.T) {
	e := begin(t, "restart/2pc_forgets.ded", nil)
	require.NoError(t, e.SetText("crash c@4; restart c@4; omit c>a@3"))
	in, err := e.Execute(t.Context(), e.Schedule())
	require.NoError(t, err)
	first := e.Facts(in)[0]
	require.Equal(t, in.Violations[0].Fact.Round, first.Broken)
	broken, _ := e.Broken(in.Violations[0])
	require.Equal(t, broken, first.In(first.Last()))
}
