// Command host lets ldfi execute the system: ldfi run --system 'go run ./host'.
package main

import (
	"fmt"
	"os"

	"example.com/failover"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(failover.System()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
