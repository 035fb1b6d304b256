// Command host lets ldfi execute the systems of package ratis:
//
//	ldfi run --system 'go run ./examples/ratis/host' --name ratis-grpc
package main

import (
	"fmt"
	"os"

	"github.com/lineage-driven/ldfi/examples/ratis"
	"github.com/lineage-driven/ldfi/ldfi/wire"
)

func main() {
	if err := wire.Serve(ratis.Short.GRPC(), ratis.Short.Netty(), ratis.Short.Fixed(), ratis.Long.GRPC(), ratis.Long.Netty(), ratis.Long.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
