// Code generated from adapters/etcdraft by go test ./internal/testing/house -update; DO NOT EDIT.

package etcd34_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A learner that was made a voter votes before it knows that it does.
func TestPromotedLearner(t *testing.T) {
	require.Equal(t, result.Holds, cluster.Promoted(t).Verdict)
}
