// Command host lets ldfi execute the systems of package hints:
//
//	ldfi run --system 'go run ./examples/hints/host' --name cassandra-3395
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(hints.Buggy(), hints.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
