package coreosraft_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds/coreosraft"
	"github.com/lineage-driven/ldfi/rounds/etcd"
	"github.com/lineage-driven/ldfi/rounds/system"
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

func TestDeterministic(t *testing.T) {
	require.NoError(t, busy().CheckDeterminism(context.Background(), 10, 1))
}

// Equal fingerprints mean equal behaviour.
func TestFingerprint(t *testing.T) {
	require.NoError(t, busy().CheckState(context.Background(), 5, 1))
}

func TestDurable(t *testing.T) {
	require.NoError(t, busy().CheckDurability(context.Background(), 30, 1))
}
