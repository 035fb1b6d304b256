// V2 writes to a store of Pebble v2. Its arguments are a directory and options: "copies"
// makes copies of the store, which it opens.
package main

import (
	"context"
	"maps"
	"os"
	"slices"

	"pebble/keep"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

type store struct{ *pebble.DB }

func main() {
	keep.Keep(os.Args[1], slices.Contains(os.Args[2:], "copies"), func(dir string) (keep.Store, error) {
		db, err := pebble.Open(dir, &pebble.Options{
			FormatMajorVersion: pebble.FormatNewest, MemTableSize: 16 << 10, L0CompactionThreshold: 2, LBaseMaxBytes: 32 << 10,
			MaxManifestFileSize: 1 << 10, Logger: keep.Quiet{},
		})
		return store{db}, err
	})
}

func (s store) Write(values map[string]string) error {
	b := s.NewBatch()
	if err := each(values, func(key, value []byte) error { return b.Set(key, value, nil) },
		func(key []byte) error { return b.Delete(key, nil) }); err != nil {
		return err
	}
	return b.Commit(pebble.Sync)
}

func (s store) Ingest(file string, values map[string]string) error {
	f, err := vfs.Default.Create(file, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), sstable.WriterOptions{TableFormat: s.TableFormat()})
	if err := each(values, w.Set, w.Delete); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return s.DB.Ingest(context.Background(), []string{file})
}

// each calls set for keys with a value, and remove for those without, in their order.
func each(values map[string]string, set func(key, value []byte) error, remove func(key []byte) error) (err error) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if values[key] == "" {
			err = remove([]byte(key))
		} else {
			err = set([]byte(key), []byte(values[key]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s store) All() (map[string]string, error) {
	all := map[string]string{}
	it, err := s.NewIter(nil)
	if err != nil {
		return nil, err
	}
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return nil, err
		}
		all[string(it.Key())] = string(value)
	}
	return all, it.Close()
}

func (s store) Checkpoint(dir string) error { return s.DB.Checkpoint(dir) }

func (s store) Tidy() error {
	if err := s.Flush(); err != nil {
		return err
	}
	return s.Compact(context.Background(), []byte("a"), []byte("z"), false)
}
