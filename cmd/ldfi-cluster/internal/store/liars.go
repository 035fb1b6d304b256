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
// Known is called when all those were named that are known by now, and perhaps again.
func (s *Store) Liars(ctx context.Context, liar func(name string), known func()) error {
	return s.watch(ctx, s.liars, func(entry jetstream.KeyValueEntry) {
		switch {
		case entry == nil:
			known()
		case entry.Operation() == jetstream.KeyValuePut:
			liar(string(entry.Value()))
		}
	})
}
