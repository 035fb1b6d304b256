package process

import (
	"context"
	"time"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Real returns a system that executes one schedule by the programs of the cluster as they
// are, without the overlay: each node has a network, files and a name of its own in
// namespaces of Linux, and a round lasts so long on the clock of this machine. What nodes
// send each other reaches its end as in the system of [Cluster.System], at the end of a
// round. File of a node is a package, which Real builds, or a program.
//
// The schedule of the next execution is what the function returns, with all faults so many
// rounds later. Real also returns in what the executions differ from the schedule. An error
// says what cannot be executed so; it is os.ErrPermission if there is no right to make
// namespaces.
func (c Cluster) Real(ctx context.Context, schedule rounds.Schedule, round time.Duration) (s *system.System, later func(n int) rounds.Schedule, notes []string, err error) {
	return c.real(ctx, schedule, round)
}
