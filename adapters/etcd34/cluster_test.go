// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd34_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/adapters/etcd34"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// cluster has nothing configured.
var cluster etcdtest.Cluster = func(processes []string, with ...etcd.Option) *system.System {
	return etcd34.System(processes, nil, with...)
}

func TestMain(m *testing.M) { cluster.Main(m) }

func TestCluster(t *testing.T) { cluster.Test(t) }

func TestChanges(t *testing.T) { cluster.TestChanges(t) }

func BenchmarkExecution(b *testing.B) { cluster.BenchmarkExecution(b) }

func BenchmarkShare(b *testing.B) { cluster.BenchmarkShare(b) }

func BenchmarkWire(b *testing.B) { cluster.BenchmarkWire(b) }
