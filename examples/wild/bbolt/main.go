// Bbolt changes keys in a file of bbolt, in transactions that have numbers: it sets them, to
// values of which some take pages of their own, and deletes them. At its start it says up to
// which number the file has what these leave. A crash must leave what it has acknowledged, in
// a file that is whole. What fails it tries again.
//
// Its arguments are a file and options: "moved" makes a new file under another name first,
// "unsynced" does not keep the list of free pages in the file.
package main

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// most is how many transactions there are.
const most = 40

var bucket = []byte("keys")

// write returns what a transaction changes; "" deletes a key.
func write(n int) map[string]string {
	values := map[string]string{"last": fmt.Sprint(n)}
	for i := range 1 + n%3 {
		values[fmt.Sprint("key", (n+3*i)%8)] = fmt.Sprint(n, strings.Repeat("v", 700*(n%5)))
	}
	if n%2 == 0 {
		values[fmt.Sprint("key", (n+5)%8)] = ""
	}
	return values
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	if err := keep(os.Args[1], os.Args[2:]); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

// keep opens the file, says what it has, and writes to it.
func keep(file string, options []string) error {
	o := &bolt.Options{Timeout: time.Second, NoFreelistSync: slices.Contains(options, "unsynced")}
	if _, err := os.Stat(file); err != nil && slices.Contains(options, "moved") {
		if err := create(file, o); err != nil {
			return fmt.Errorf("creating: %w", err)
		}
	}
	db, err := bolt.Open(file, 0o600, o)
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	there := map[string]string{}
	err = db.View(func(tx *bolt.Tx) error {
		for wrong := range tx.Check() {
			err = wrong
		}
		if b := tx.Bucket(bucket); b != nil && err == nil {
			err = b.ForEach(func(key, value []byte) error {
				there[string(key)] = string(value)
				return nil
			})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	want, has := map[string]string{}, 0
	for !maps.Equal(there, want) {
		if has++; has > most {
			return fmt.Errorf("the file has what no transactions leave: %.300q", there)
		}
		for key, value := range write(has) {
			if want[key] = value; value == "" {
				delete(want, key)
			}
		}
	}
	slog.Info("has", "transactions", has)
	for n := has + 1; n <= most; time.Sleep(10 * time.Millisecond) {
		if err := db.Update(func(tx *bolt.Tx) error { return change(tx, write(n)) }); err != nil {
			slog.Warn("fails", "transaction", n, "error", err)
			continue
		}
		slog.Info("acknowledged", "transaction", n)
		n++
	}
	return nil
}

// create makes a file under another name, and moves it when it is whole.
func create(file string, o *bolt.Options) error {
	db, err := bolt.Open(file+".new", 0o600, o)
	if err != nil {
		_ = os.Remove(file + ".new") // what a crash has left
		db, err = bolt.Open(file+".new", 0o600, o)
	}
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	if err := os.Rename(file+".new", file); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func change(tx *bolt.Tx, values map[string]string) error {
	b, err := tx.CreateBucketIfNotExists(bucket)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		err := b.Delete([]byte(key))
		if values[key] != "" {
			err = b.Put([]byte(key), []byte(values[key]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
