// Command host lets ldfi execute the systems of package zookeeper:
//
//	ldfi run --system 'go run ./examples/zookeeper/host' --name zookeeper-2832
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/zookeeper"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(zookeeper.Diverging(), zookeeper.Converging(), zookeeper.Inconsistent(), zookeeper.Consistent(), zookeeper.Both()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
