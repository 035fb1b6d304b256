package store

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// Enough is how many jobs have to find that a worker says what is not true before nobody
// believes it any more: one of them may be wrong, or lie.
const Enough = 2

// Accuse says of a worker, for a job, that it has said what is not true. When enough say so its
// results are forgotten.
func (s *Store) Accuse(ctx context.Context, name, job string) error {
	if _, err := s.liars.Put(ctx, Token(name)+"."+job, []byte(name)); err != nil {
		return err
	}
	keys, err := s.liars.ListKeysFiltered(ctx, Token(name)+".*")
	if err != nil {
		return fmt.Errorf("asking who says so as well: %w", err)
	}
	by := 0
	for range keys.Keys() {
		by++
	}
	if by < Enough {
		return nil
	}
	return s.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject+"*.*.*.*."+Token(name)))
}

// Liars calls accused with each worker that somebody has accused, and by how many jobs, at
// once and from now on. Known is called when all those were named that are known by now, and
// perhaps again.
func (s *Store) Liars(ctx context.Context, accused func(name string, by int), known func()) error {
	var mutex sync.Mutex // a watcher that ends may not have ended when the next one begins
	by := map[string]map[string]bool{}
	return s.watch(ctx, s.liars, func(entry jetstream.KeyValueEntry) {
		if entry == nil {
			known()
			return
		}
		name := string(entry.Value())
		token, job, ok := strings.Cut(entry.Key(), ".")
		if entry.Operation() != jetstream.KeyValuePut || !ok || token != Token(name) {
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		if by[name] == nil {
			by[name] = map[string]bool{}
		}
		by[name][job] = true
		accused(name, len(by[name]))
	})
}
