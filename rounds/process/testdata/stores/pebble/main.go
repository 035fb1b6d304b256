// Command pebble writes to a store of Pebble, and tells how much it had at the start. With NOSYNC
// set it does not sync.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"github.com/cockroachdb/pebble"
)

func main() {
	db, err := pebble.Open("/data/pebble", &pebble.Options{})
	if err != nil {
		panic(err)
	}
	n := uint64(0)
	it, err := db.NewIter(nil)
	if err != nil {
		panic(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	it.Close()
	fmt.Println("has", n)
	how := pebble.Sync
	if os.Getenv("NOSYNC") != "" {
		how = pebble.NoSync
	}
	for {
		n++
		if err := db.Set(binary.BigEndian.AppendUint64(nil, n), make([]byte, 500), how); err != nil {
			panic(err)
		}
		if n%20 == 0 {
			db.Flush()
		}
		fmt.Println("acked", n)
		time.Sleep(10 * time.Millisecond)
	}
}
