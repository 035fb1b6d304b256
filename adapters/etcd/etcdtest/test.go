package etcdtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Test tests that a cluster does the same under the same schedule, that equal
// fingerprints mean equal behaviour, that it keeps what was stored, and that
// snapshots arrive.
func (c Cluster) Test(t *testing.T) {
	for name, s := range map[string]*system.System{"busy": c.Busy(), "compacting": c.compacting(), "changing": c.Changing()} {
		t.Run("deterministic/"+name, func(t *testing.T) { require.NoError(t, s.CheckDeterminism(t.Context(), 10, 1)) })
		t.Run("fingerprint/"+name, func(t *testing.T) { require.NoError(t, s.CheckState(t.Context(), 5, 1)) })
		t.Run("durable/"+name, func(t *testing.T) { require.NoError(t, s.CheckDurability(t.Context(), 30, 1)) })
	}
	t.Run("snapshot", c.testSnapshot)
	c.testMembership(t)
	c.testRequests(t)
}

// What a process has missed while it was isolated, and others do not have in
// their logs any more, it gets in a snapshot.
func (c Cluster) testSnapshot(t *testing.T) {
	e := run(t, c.compacting(), "isolate c@20..40; ticks 2; seed 3")
	require.True(t, slices.ContainsFunc(e.Messages, func(m recording.Message) bool { return m.Relation == "MsgSnap" && m.To == "c" && !m.Lost }))
	require.Equal(t, committed(e, "a"), committed(e, "c"))
	require.Greater(t, len(committed(e, "c")), 10)
}

// committed returns what a process committed.
func committed(e *recording.Execution, process string) []string {
	var all []string
	for _, f := range e.Facts {
		if f.Relation == "committed" && f.Args[0].Text() == process {
			all = append(all, fmt.Sprint(f.Args[1:]))
		}
	}
	return all
}
