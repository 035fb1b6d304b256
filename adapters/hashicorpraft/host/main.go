// Command host serves the clusters of the harness, cluster, members, transfers and
// snapshots, to ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/adapters/hashicorpraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(harness.All()...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
