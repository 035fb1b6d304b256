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
	names := []string{"a", "b", "c", "d"}
	members, once := memberlist.System(names, nil), memberlist.System(names, nil, memberlist.Once())
	members.Name, once.Name = "members", "once"
	if err := wire.Serve(members, once); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
