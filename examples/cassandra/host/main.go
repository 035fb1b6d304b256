// Command host lets ldfi execute the systems of package cassandra:
//
//	ldfi run --system 'go run ./examples/cassandra/host' --name cassandra-6023
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(cassandra.Buggy(), cassandra.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
