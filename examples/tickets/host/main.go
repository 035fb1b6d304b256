// Command host lets ldfi execute the systems of package tickets:
//
//	ldfi run --system 'go run ./examples/tickets/host' --name tickets-hasty
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(tickets.Hasty(), tickets.Careful()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
