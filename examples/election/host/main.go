// Command host lets ldfi execute the systems of package election:
//
//	ldfi run --system 'go run ./examples/election/host' --name election-buggy --isolations 1 --period 2
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(election.Buggy(), election.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
