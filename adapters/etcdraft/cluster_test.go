package etcdraft_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// cluster has nothing configured.
var cluster etcdtest.Cluster = func(processes []string, with ...etcd.Option) *system.System {
	return etcdraft.System(processes, nil, with...)
}

func TestMain(m *testing.M) { cluster.Main(m) }

func TestCluster(t *testing.T) { cluster.Test(t) }

func TestChanges(t *testing.T) { cluster.TestChanges(t) }

func BenchmarkExecution(b *testing.B) { cluster.BenchmarkExecution(b) }

func BenchmarkShare(b *testing.B) { cluster.BenchmarkShare(b) }

func BenchmarkWire(b *testing.B) { cluster.BenchmarkWire(b) }
