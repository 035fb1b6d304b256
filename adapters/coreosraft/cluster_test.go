package coreosraft_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/rounds/recording"

	"github.com/lineage-driven/ldfi/adapters/coreosraft"
	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var abc = []string{"a", "b", "c"}

// busy is a cluster with clients that write and read at all processes.
func busy() *system.System {
	s := coreosraft.System(abc, nil)
	s.Requests = append(
		etcd.Every(abc, 15, 50, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) }),
		etcd.Every(abc, 17, 60, 3, func(string, int) any { return etcd.ReadIndex{} })...)
	return s
}

// compacting is a busy cluster that replaces its logs by snapshots.
func compacting() *system.System {
	s := busy()
	s.Requests = append(s.Requests, etcd.Every(abc, 20, 60, 4, func(string, int) any { return etcd.Compact{} })...)
	return s
}

// What a process has missed while it was isolated, and others do not have in
// their logs any more, it gets in a snapshot.
func TestSnapshot(t *testing.T) {
	schedule, err := rounds.ParseSchedule("isolate c@20..40; ticks 2; seed 3")
	require.NoError(t, err)
	e, err := compacting().Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
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

func TestDeterministic(t *testing.T) {
	require.NoError(t, busy().CheckDeterminism(context.Background(), 10, 1))
	require.NoError(t, compacting().CheckDeterminism(context.Background(), 10, 1))
}

// Equal fingerprints mean equal behaviour.
func TestFingerprint(t *testing.T) {
	require.NoError(t, busy().CheckState(context.Background(), 5, 1))
	require.NoError(t, compacting().CheckState(context.Background(), 5, 1))
}

func TestDurable(t *testing.T) {
	require.NoError(t, busy().CheckDurability(context.Background(), 30, 1))
	require.NoError(t, compacting().CheckDurability(context.Background(), 30, 1))
}
