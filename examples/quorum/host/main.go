// Command host lets ldfi execute the systems of package quorum. In the directory of the
// module:
//
//	ldfi run --system 'go run ./host' --name quorum-hasty
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/quorum"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(quorum.Hasty(), quorum.Careful()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
