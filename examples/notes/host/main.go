// Command host serves the servers of package notes to ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/notes"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(notes.System("notes", false), notes.System("notes-careless", true)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
