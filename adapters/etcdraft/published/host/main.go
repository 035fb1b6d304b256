// Command host serves the published bugs of etcd's Raft to ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/adapters/etcdraft/published"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(published.Systems()...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
