// Command maelstrom has nodes for the exercises that are known as Gossip Glomers
// (fly.io/dist-sys), written as one writes them for Maelstrom. Its argument says which.
package main

import (
	"log"
	"maps"
	"os"
	"slices"

	maelstrom "github.com/jepsen-io/maelstrom/demo/go"
)

var nodes = map[string]func() *maelstrom.Node{
	"echo": Echo, "unique-ids": UniqueIDs, "naive": Naive, "retrying": Retrying, "set": Set,
	"counter": Counter, "hasty-counter": HastyCounter, "store": Store, "caching-store": CachingStore,
	"logs": Logs, "hasty-logs": HastyLogs, "registers": Registers, "dirty-registers": DirtyRegisters,
}

func main() {
	if len(os.Args) != 2 || nodes[os.Args[1]] == nil {
		log.Fatalf("one of %q has to be the argument", slices.Sorted(maps.Keys(nodes)))
	}
	if err := nodes[os.Args[1]]().Run(); err != nil {
		log.Fatal(err)
	}
}
