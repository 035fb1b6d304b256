// Command host serves the systems of the harnesses, readindex, prevote and learner, to
// ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/adapters/coreosraft/harness"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(harness.ReadIndex(), harness.PreVote(), harness.Learner()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
