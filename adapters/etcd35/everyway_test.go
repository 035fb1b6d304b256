// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd35_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/everyway"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// A cluster answers the same, however it is asked.
func TestEveryWay(t *testing.T) { everyway.Test(t, 4, []*system.System{cluster.Busy()}) }
