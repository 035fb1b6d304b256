// Command host lets ldfi execute the systems of package tendermint:
//
//	ldfi run --system 'go run ./examples/tendermint/host' --name round-skip
//	ldfi run --system 'go run ./examples/tendermint/host' --name height-unlock
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(tendermint.Lagging(), tendermint.Skipping(), tendermint.Height(tendermint.NoBug),
		tendermint.Height(tendermint.ExpectUnlock), tendermint.Height(tendermint.Relocked), tendermint.Height(tendermint.LockedCommit),
		tendermint.Height(tendermint.LaggingReplica), tendermint.Height(tendermint.ForeverLaggingReplica)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
