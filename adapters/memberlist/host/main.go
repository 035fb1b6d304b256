// Command host serves clusters of memberlist to ldfi: members, and once, in which nobody
// joins others again.
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/adapters/memberlist"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	members := memberlist.System([]string{"a", "b", "c", "d"}, nil)
	once := memberlist.System([]string{"a", "b", "c"}, nil, memberlist.Once())
	members.Name, once.Name = "members", "once"
	if err := wire.Serve(members, once); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
