//go:build !linux

package process

import (
	"context"
	"errors"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// real needs Linux.
func (c Cluster) real(context.Context, rounds.Schedule, time.Duration) (*system.System, func(int) rounds.Schedule, []string, error) {
	return nil, nil, nil, errors.New("namespaces for the nodes need Linux")
}
