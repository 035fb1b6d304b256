// Command host serves the exercises of package glomers to ldfi.
package main

import (
	"fmt"
	"os"

	node "github.com/jepsen-io/maelstrom/demo/go"
	"github.com/lineage-driven/ldfi/adapters/maelstrom"
	"github.com/lineage-driven/ldfi/adapters/maelstrom/glomers"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
)

func main() {
	if err := wire.Serve(
		named("echo", maelstrom.System(glomers.Echo, maelstrom.Echo{})),
		named("unique-ids", maelstrom.System(glomers.UniqueIDs, maelstrom.UniqueIDs{})),
		named("naive", maelstrom.System(glomers.Naive, maelstrom.Broadcast{})),
		named("retrying", maelstrom.System(glomers.Retrying, maelstrom.Broadcast{})),
		named("set", maelstrom.System(glomers.Set, maelstrom.GSet{})),
		named("counter", maelstrom.System(glomers.Counter, maelstrom.GCounter{})),
		named("hasty-counter", maelstrom.System(glomers.HastyCounter, maelstrom.GCounter{}, maelstrom.Services(node.LinKV))),
		named("store", maelstrom.System(glomers.Store, maelstrom.LinKV{}, maelstrom.Services(node.LinKV))),
		named("caching-store", maelstrom.System(glomers.CachingStore, maelstrom.LinKV{}, maelstrom.Services(node.LinKV))),
	); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func named(name string, s *system.System) *system.System {
	s.Name = name
	return s
}
