// Command host serves the systems of the harnesses, readindex and prevote, to
// ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/coreosraft/harness"
)

func main() {
	if err := wire.Serve(harness.ReadIndex(), harness.PreVote()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
