// Node is the server, or with arguments the client, as a program.
package main

import (
	"fmt"
	"log"
	"net"
	"os"
	"time"

	"github.com/lineage-driven/ldfi/rounds/process/testdata/same"
)

func main() {
	tell := func(text string) { fmt.Println(text) }
	if len(os.Args) == 1 {
		l, err := net.Listen("tcp", ":80")
		if err != nil {
			log.Fatal(err)
		}
		same.Serve(l, tell)
	}
	dial := func(address string) (net.Conn, error) { return net.DialTimeout("tcp", address, 95*time.Millisecond) }
	same.Load(dial, os.Args[1:], tell)
	time.Sleep(time.Hour)
}
