// Command raft serves a cluster of etcd's Raft, in which clients write at all
// processes, to ldfi.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	s := etcdraft.System([]string{"a", "b", "c"}, nil)
	s.Requests = etcd.Every(s.Processes, 15, 50, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })
	if err := wire.Serve(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
