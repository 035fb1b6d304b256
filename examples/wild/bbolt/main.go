// Bbolt keeps keys in a file of bbolt, one after another, each in a transaction of its own, and
// says at its start how many there are. A crash must leave what it has acknowledged, and a
// file that it can open.
package main

import (
	"encoding/binary"
	"log/slog"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
)

var bucket = []byte("keys")

func main() {
	if err := keep(os.Args[1], 20); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

// keep puts keys into the file until it has so many.
func keep(file string, most int) error {
	db, err := bolt.Open(file, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	has := 0
	err = db.View(func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucket); b != nil {
			has = b.Stats().KeyN
		}
		return nil
	})
	if err != nil {
		return err
	}
	slog.Info("has", "keys", has)
	for key := has + 1; key <= most; key++ {
		err := db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(bucket)
			if err != nil {
				return err
			}
			return b.Put(binary.BigEndian.AppendUint64(nil, uint64(key)), []byte("value"))
		})
		if err != nil {
			return err
		}
		slog.Info("acknowledged", "key", key)
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}
