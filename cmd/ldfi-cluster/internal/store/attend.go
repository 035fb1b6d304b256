package store

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// attend begins something that hears what comes in a stream, and begins it again when there
// is another stream of that name: a server that has lost what it kept counts from the
// beginning, and who waits for what follows the last thing hears nothing. It goes on until
// the context ends.
func (s *Store) attend(ctx context.Context, name string, begin func() (stop func(), err error)) error {
	made, err := s.madeAt(ctx, name)
	if err != nil {
		return err
	}
	stop, err := begin()
	if err != nil {
		return err
	}
	go func() {
		defer func() { stop() }()
		back := s.nc.StatusChanged(nats.CONNECTED)
		defer s.nc.RemoveStatusListener(back)
		for wait := time.Minute; ; {
			select {
			case <-ctx.Done():
				return
			case _, ok := <-back:
				if !ok {
					return
				}
			case <-time.After(wait):
			}
			now, err := s.madeAt(ctx, name)
			if err == nil && !now.Equal(made) {
				var again func()
				if again, err = begin(); err == nil {
					stop()
					stop, made = again, now
				}
			}
			wait = time.Minute
			if err != nil { // the server is not there, or not ready yet
				wait = time.Second
			}
		}
	}()
	return nil
}

// madeAt is when a stream was made.
func (s *Store) madeAt(ctx context.Context, name string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	stream, err := s.js.Stream(ctx, name)
	if err != nil {
		return time.Time{}, err
	}
	return stream.CachedInfo().Created, nil
}

// watch calls got with what is in a bucket, and with what comes, until the context ends; nil
// stands behind what is there by now.
func (s *Store) watch(ctx context.Context, bucket jetstream.KeyValue, got func(jetstream.KeyValueEntry)) error {
	return s.attend(ctx, "KV_"+bucket.Bucket(), func() (stop func(), err error) {
		watcher, err := bucket.WatchAll(ctx)
		if err != nil {
			return nil, err
		}
		go func() {
			for entry := range watcher.Updates() {
				got(entry)
			}
		}()
		return func() { _ = watcher.Stop() }, nil
	})
}
