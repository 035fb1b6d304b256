// Package keep is what the programs that write to stores of Pebble have in common. They
// change keys in batches that have numbers, which they commit with Sync, or ingest as a
// table. What returned is acknowledged. At its start a program says up to which number the
// store has what these leave.
package keep

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Store is a store of Pebble.
type Store interface {
	// Write sets keys, and deletes those without a value, in a batch that is synced.
	Write(values map[string]string) error
	// Ingest does so by a table, which it writes to a file.
	Ingest(file string, values map[string]string) error
	// All returns what is there.
	All() (map[string]string, error)
	// Checkpoint makes a copy of the store in a directory.
	Checkpoint(dir string) error
	// Tidy flushes and compacts.
	Tidy() error
	Close() error
}

// Quiet is a logger of Pebble that says what is wrong alone.
type Quiet struct{}

func (Quiet) Infof(string, ...any) {}

func (Quiet) Errorf(format string, of ...any) { slog.Warn(fmt.Sprintf(format, of...)) }

func (Quiet) Fatalf(format string, of ...any) {
	slog.Error(fmt.Sprintf(format, of...))
	os.Exit(1)
}

// most is how many batches there are.
const most = 40

// write returns what a batch changes: some keys replace or delete others. Some ten of them
// fill a table in memory.
func write(n int) map[string]string {
	values := map[string]string{"last": fmt.Sprint(n)}
	for i := range 3 {
		values[fmt.Sprint("key", (n+3*i)%10)] = fmt.Sprint(n, strings.Repeat("v", 400*(n%4)))
	}
	if n%3 == 0 {
		values[fmt.Sprint("key", (n+4)%10)] = ""
	}
	return values
}

// with returns what is there when a batch changes it.
func with(there map[string]string, n int) map[string]string {
	there = maps.Clone(there)
	for key, value := range write(n) {
		if there[key] = value; value == "" {
			delete(there, key)
		}
	}
	return there
}

// Keep opens a store in a directory, says what it has, and writes to it; if copies, it makes
// a copy of it now and then, and opens that.
func Keep(dir string, copies bool, open func(dir string) (Store, error)) {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, nil)))
	if err := keep(dir, copies, open); err != nil {
		slog.Error("cannot go on", "error", err)
		os.Exit(1)
	}
	select {}
}

func keep(dir string, copies bool, open func(dir string) (Store, error)) error {
	name := filepath.Join(dir, "store")
	s, err := open(name)
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	there, err := s.All()
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	want, has := map[string]string{}, 0
	for !maps.Equal(there, want) {
		if has++; has > most {
			return fmt.Errorf("the store has what no batches leave: %.300q", there)
		}
		want = with(want, has)
	}
	slog.Info("has", "batches", has)
	for n := has + 1; n <= most; n++ {
		if n%4 == 3 {
			err = s.Ingest(filepath.Join(dir, fmt.Sprint("table", n)), write(n))
		} else {
			err = s.Write(write(n))
		}
		if err != nil {
			return fmt.Errorf("batch %d: %w", n, err)
		}
		slog.Info("acknowledged", "batch", n)
		want = with(want, n)
		switch {
		case copies:
			err = look(s, filepath.Join(dir, "copy"), want, open)
		case n%5 == 4:
			err = s.Tidy()
		case n%7 == 6:
			if err = s.Close(); err == nil {
				s, err = open(name)
			}
		}
		if err != nil {
			return fmt.Errorf("after batch %d: %w", n, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// look makes a copy of a store, opens it, and looks whether it has all that is there.
func look(s Store, dir string, want map[string]string, open func(dir string) (Store, error)) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := s.Checkpoint(dir); err != nil {
		return fmt.Errorf("copying: %w", err)
	}
	c, err := open(dir)
	if err != nil {
		return fmt.Errorf("opening a copy: %w", err)
	}
	there, err := c.All()
	if err == nil && !maps.Equal(there, want) {
		err = fmt.Errorf("a copy has %.300q", there)
	}
	if err != nil {
		return err
	}
	return c.Close()
}
