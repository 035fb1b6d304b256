// Command hosts is the hosts of examples that tests start, by the name that it is called by.
// They are started hundreds of times: what it links is what they need.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/mirror"
	"github.com/lineage-driven/ldfi/examples/notes"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/examples/tickets"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
)

func main() {
	if err := wire.Serve(systems(filepath.Base(os.Args[0]))...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func systems(host string) []*system.System {
	switch host {
	case "election-host":
		return []*system.System{election.Buggy(), election.Fixed()}
	case "mirror-host":
		return []*system.System{mirror.Hasty(), mirror.Patient()}
	case "notes-host":
		return []*system.System{notes.System("notes", false), notes.System("notes-careless", true)}
	case "tickets-host":
		return []*system.System{tickets.Hasty(), tickets.Careful()}
	case "examples-host":
		return []*system.System{election.Buggy(), election.Fixed(), replog.Buggy(), replog.Fixed(), cassandra.Buggy(), cassandra.Fixed()}
	}
	return nil
}
