// Command host lets ldfi execute the systems of package mirror:
//
//	ldfi run --system 'go run ./examples/mirror/host' --name mirror-hasty
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/mirror"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(mirror.Hasty(), mirror.Patient()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
