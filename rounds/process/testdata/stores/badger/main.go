// Command badger writes to a store of Badger, and tells how much it had at the start. With NOSYNC
// set it does not sync.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"github.com/dgraph-io/badger/v4"
)

func main() {
	db, err := badger.Open(badger.DefaultOptions("/data/badger").WithSyncWrites(os.Getenv("NOSYNC") == "").WithValueLogFileSize(64 << 20))
	if err != nil {
		panic(err)
	}
	n := uint64(0)
	db.View(func(tx *badger.Txn) error {
		it := tx.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			n++
		}
		return nil
	})
	fmt.Println("has", n)
	for {
		n++
		err := db.Update(func(tx *badger.Txn) error {
			return tx.Set(binary.BigEndian.AppendUint64(nil, n), make([]byte, 500))
		})
		if err != nil {
			panic(err)
		}
		fmt.Println("acked", n)
		time.Sleep(10 * time.Millisecond)
	}
}
