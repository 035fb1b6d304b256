// Command host lets ldfi execute the systems of package mapreduce:
//
//	ldfi run --system 'go run ./examples/mapreduce/host' --name mapreduce-5505
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/mapreduce"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(
		mapreduce.OneSuccess(), mapreduce.TwoSuccesses(),
		mapreduce.Untold(), mapreduce.Told(),
		mapreduce.Early(), mapreduce.EarlyClient(), mapreduce.EarlyAnswer(), mapreduce.Unregistered(),
	); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
