// V3 writes to a store of Badger v3. Its arguments are a directory, when what it writes
// is acknowledged, and whether it writes large values.
package main

import (
	"errors"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"badger/keep"

	"github.com/dgraph-io/badger/v3"
)

type store struct{ *badger.DB }

func main() {
	dir, acknowledged := os.Args[1], os.Args[2]
	o := badger.DefaultOptions(dir).WithSyncWrites(acknowledged == keep.AtOnce).WithLogger(nil).
		WithMemTableSize(32 << 10).WithBaseTableSize(32 << 10).WithBaseLevelSize(64 << 10).WithValueThreshold(1 << 10).
		WithValueLogFileSize(1 << 20).WithValueLogMaxEntries(5).WithNumMemtables(2).WithNumLevelZeroTables(1).WithBlockCacheSize(1 << 20)
	keep.Keep(acknowledged, os.Args[3] == "large", func() (keep.Store, error) {
		db, err := badger.Open(o)
		for err != nil && strings.Contains(err.Error(), "Create a new file") {
			// A crash has left an empty file (issue 2207). What fails has given it its length, and
			// the next attempt goes on.
			slog.Info("tries again", "error", err)
			db, err = badger.Open(o)
		}
		return store{db}, err
	})
}

func (s store) Write(values map[string]string) error {
	return s.Update(func(tx *badger.Txn) error {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			value := values[key]
			err := tx.Delete([]byte(key))
			if value != "" {
				err = tx.Set([]byte(key), []byte(value))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s store) All() (map[string]string, error) {
	all := map[string]string{}
	return all, s.View(func(tx *badger.Txn) error {
		it := tx.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			value, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			all[string(it.Item().Key())] = string(value)
		}
		return nil
	})
}

func (s store) Tidy() error {
	if err := s.Flatten(1); err != nil {
		return err
	}
	if err := s.RunValueLogGC(0.3); !errors.Is(err, badger.ErrNoRewrite) {
		return err
	}
	return nil
}
