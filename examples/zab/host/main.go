// Command host lets ldfi execute the systems of package zab:
//
//	ldfi run --system 'go run ./examples/zab/host' --name zookeeper-335
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/zab"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(zab.Forgetting(), zab.Accepting(), zab.Unmarked(), zab.Marked()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
