package store

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

// Distrust forgets the results of a worker, and tells everybody to believe none of it.
func (s *Store) Distrust(ctx context.Context, name string) error {
	if _, err := s.liars.Put(ctx, Token(name), []byte(name)); err != nil {
		return err
	}
	return s.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject+"*.*.*.*."+Token(name)))
}

// Liars calls liar with each worker that is not to be believed, at once and from now on.
// Known is called when all those were named that are known by now.
func (s *Store) Liars(ctx context.Context, liar func(name string), known func()) error {
	watcher, err := s.liars.WatchAll(ctx)
	if err != nil {
		return err
	}
	go func() {
		defer func() { _ = watcher.Stop() }()
		for {
			select {
			case <-ctx.Done():
				return
			case entry, ok := <-watcher.Updates():
				switch {
				case !ok:
					return
				case entry == nil:
					known()
				case entry.Operation() == jetstream.KeyValuePut:
					liar(string(entry.Value()))
				}
			}
		}
	}()
	return nil
}
