// Command bolt writes to a store of bbolt, and tells how much it had at the start. With NOSYNC
// set it does not sync.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

func main() {
	db, err := bolt.Open("/data/bolt.db", 0o600, &bolt.Options{Timeout: time.Second, NoSync: os.Getenv("NOSYNC") != ""})
	if err != nil {
		panic(err)
	}
	n := uint64(0)
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte("b"))
		if err != nil {
			return err
		}
		return b.ForEach(func(k, v []byte) error { n++; return nil })
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("has", n)
	for {
		n++
		err := db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket([]byte("b")).Put(binary.BigEndian.AppendUint64(nil, n), make([]byte, 500))
		})
		if err != nil {
			panic(err)
		}
		fmt.Println("acked", n)
		time.Sleep(10 * time.Millisecond)
	}
}
