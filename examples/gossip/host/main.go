// Command host lets ldfi execute the systems of package gossip:
//
//	ldfi run --system 'go run ./examples/gossip/host' --name cassandra-3626
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(gossip.Buggy(), gossip.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
