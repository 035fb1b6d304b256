// Command host lets ldfi execute the systems of package replog:
//
//	ldfi run --system 'go run ./examples/replog/host' --name replog-buggy
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(replog.Buggy(), replog.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
