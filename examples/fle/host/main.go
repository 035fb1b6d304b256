// Command host lets ldfi execute the systems of package fle:
//
//	ldfi run --system 'go run ./examples/fle/host' --name zookeeper-975
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/fle"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(fle.Premature(), fle.Established(), fle.Usurping(), fle.Joining(), fle.Circling(), fle.Settling()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
