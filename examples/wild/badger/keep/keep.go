// Package keep is what the programs that write to stores of Badger have in common. They
// change keys in transactions that have numbers, and say which are acknowledged. At its
// start a program says up to which number the store has what these leave.
package keep

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"strings"
	"time"
)

// Store is a store of Badger.
type Store interface {
	// Write sets keys, and deletes those without a value, in a transaction.
	Write(values map[string]string) error
	// Sync makes durable what was written.
	Sync() error
	// All returns what is there.
	All() (map[string]string, error)
	// Tidy compacts tables, and collects what is garbage in value logs.
	Tidy() error
}

// When what a store has written is acknowledged.
const (
	AtOnce = "at once" // it syncs what it writes
	Synced = "synced"  // after Sync
	Never  = "never"   // it only has to open
)

// most is how many transactions there are.
const most = 40

// write returns what a transaction changes: short values, some of which replace or delete
// others, and a large one, which is kept apart from its key. After some eight of them a
// table is written.
func write(n int, large bool) map[string]string {
	values := map[string]string{}
	if large {
		values[fmt.Sprint("large", n%3)] = fmt.Sprint(n, strings.Repeat("l", 2000))
	}
	for i := range 6 {
		values[fmt.Sprint("short", (n+i)%10)] = fmt.Sprint(n, strings.Repeat("s", 700))
	}
	if n%3 == 0 {
		values[fmt.Sprint("short", (n+2)%10)] = ""
	}
	return values
}

// Keep opens a store, says what it has, and writes to it.
func Keep(acknowledged string, large bool, open func() (Store, error)) {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	if err := keep(acknowledged, large, open); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

func keep(acknowledged string, large bool, open func() (Store, error)) error {
	s, err := open()
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	there, err := s.All()
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	want, has := map[string]string{}, 0
	for acknowledged != Never && !maps.Equal(there, want) {
		if has++; has > most {
			return fmt.Errorf("the store has what no transactions leave: %.300q", there)
		}
		for key, value := range write(has, large) {
			if want[key] = value; value == "" {
				delete(want, key)
			}
		}
	}
	slog.Info("has", "transactions", has)
	for n := has + 1; n <= most; n++ {
		err := s.Write(write(n, large))
		if err == nil && acknowledged == Synced {
			err = s.Sync()
		}
		if err != nil {
			return fmt.Errorf("transaction %d: %w", n, err)
		}
		if acknowledged != Never {
			slog.Info("acknowledged", "transaction", n)
		}
		if n%4 == 0 {
			if err := s.Tidy(); err != nil {
				return fmt.Errorf("tidying after %d: %w", n, err)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}
