// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd35

import (
	"math"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/rounds/system"
	"go.etcd.io/etcd/raft/v3"
)

// System returns a cluster of Raft with these processes, for 60 rounds of 1 to 3
// ticks, without requests of clients. An election takes 10 to 19 ticks without a
// leader; configure can change that, and everything else but the storage and
// the logger. It may be nil.
func System(processes []string, configure func(*raft.Config), with ...etcd.Option) *system.System {
	config := raft.Config{ElectionTick: 10, HeartbeatTick: 1, MaxSizePerMsg: math.MaxUint64, MaxInflightMsgs: 16}
	if configure != nil {
		configure(&config)
	}
	return etcd.System("etcd/raft", processes, config.ElectionTick, NewNode(config), with...)
}
