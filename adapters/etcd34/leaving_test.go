package etcd34_test

import (
	"flag"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd34"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// All of 3.4 has the bug. The line of versions that became 3.5 has the same import
// path for a while, and not the bug: -args -found ”.
func init() {
	if err := flag.Set("found", "joint/calm,joint/faults"); err != nil {
		panic(err)
	}
}

// A leader that is to leave a joint configuration by itself proposes so whenever it
// has applied something, until it is left. If anything is written meanwhile, it
// proposes so more than once, and whoever applies that for the second time panics.
// There is no fault.
func TestLeavingTwice(t *testing.T) {
	if flag.Lookup("found").Value.String() == "" {
		t.Skip("this version is said to be without the bug")
	}
	s := etcd34.System([]string{"a", "b", "c", "d"}, nil, etcd.Members("a", "b", "c"))
	s.Requests = append(
		etcd.EveryLeader(s.Processes, 20, 20, 1, func(int) any { return etcd.ConfChange{Voters: []string{"d"}, Remove: []string{"c"}} }),
		etcd.EveryLeader(s.Processes, 21, 21, 1, func(int) any { return etcd.Propose("x") })...)
	_, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
	require.ErrorContains(t, err, "can't leave a non-joint config")
}
