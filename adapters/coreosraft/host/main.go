// Command host serves the systems of the harnesses, readindex and prevote, to
// ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/adapters/coreosraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(harness.ReadIndex(), harness.PreVote()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
