// Command host lets ldfi execute the systems of package counter:
//
//	ldfi run --system 'go run ./examples/counter/host' --name counter-hasty
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/counter"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(counter.Hasty(), counter.Strict()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
