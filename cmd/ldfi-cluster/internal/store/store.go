package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// How long what nobody takes away is kept.
const (
	keepUnits    = 24 * time.Hour
	keepFiles    = 3 * 24 * time.Hour
	keepResults  = 24 * time.Hour
	keepFailures = 24 * time.Hour
	gone         = time.Minute // after that without a sign of its coordinator, no unit of a job is begun
)

// Store is what a server keeps, as one who is connected with it sees it.
type Store struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	units    jetstream.Stream
	results  jetstream.Stream
	failures jetstream.Stream
	files    jetstream.ObjectStore
	jobs     jetstream.KeyValue
	liars    jetstream.KeyValue

	mostOfFile int // bytes
}

// Open returns the store of a server. What is missing in it is made.
func Open(ctx context.Context, nc *nats.Conn, options ...jetstream.JetStreamOpt) (*Store, error) {
	return open(ctx, nc, 0, options)
}

// Provide makes the store of a server that may keep so many bytes, or changes one to that.
func Provide(ctx context.Context, nc *nats.Conn, limit int64) error {
	_, err := open(ctx, nc, limit, nil)
	return err
}

func open(ctx context.Context, nc *nats.Conn, limit int64, options []jetstream.JetStreamOpt) (*Store, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	js, err := jetstream.New(nc, options...)
	if err != nil {
		return nil, err
	}
	s := &Store{nc: nc, js: js, mostOfFile: mostOfFile}
	if err := s.make(ctx, limit); err != nil {
		return nil, explain(nc.ConnectedUrlRedacted(), err)
	}
	return s, nil
}

// make makes what is missing. Of a limit a half is for results, the oldest of which have to
// go when it is full, and a quarter each for files and for units.
func (s *Store) make(ctx context.Context, limit int64) error {
	if _, err := s.js.AccountInfo(ctx); err != nil {
		return err
	}
	for _, want := range []struct {
		at     *jetstream.Stream
		config jetstream.StreamConfig
	}{
		{&s.units, jetstream.StreamConfig{
			Name: unitsStream, Subjects: []string{unitSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
			MaxAge: keepUnits, MaxBytes: limit / 4,
		}},
		{&s.results, evicting(resultsStream, resultSubject, keepResults, limit/2)},
		{&s.failures, evicting(failuresStream, failureSubject, keepFailures, limit/64)},
	} {
		var err error
		if *want.at, err = s.stream(ctx, want.config, limit > 0); err != nil {
			return err
		}
	}
	var err error
	if s.files, err = s.js.ObjectStore(ctx, filesBucket); errors.Is(err, jetstream.ErrBucketNotFound) || err == nil && limit > 0 {
		s.files, err = s.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: keepFiles, MaxBytes: limit / 5})
		if exists(err) { // somebody else was faster
			s.files, err = s.js.ObjectStore(ctx, filesBucket)
		}
	}
	if err != nil {
		return err
	}
	if s.jobs, err = s.bucket(ctx, jobsBucket, gone); err == nil {
		s.liars, err = s.bucket(ctx, liarsBucket, keepResults)
	}
	return err
}

// bucket returns a small bucket, which is made if it is missing.
func (s *Store) bucket(ctx context.Context, name string, keep time.Duration) (jetstream.KeyValue, error) {
	b, err := s.js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		b, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, TTL: keep})
		if exists(err) {
			return s.js.KeyValue(ctx, name)
		}
	}
	return b, err
}

// exists tells whether somebody else was faster to make something.
func exists(err error) bool {
	return errors.Is(err, jetstream.ErrBucketExists) || errors.Is(err, jetstream.ErrStreamNameAlreadyInUse)
}

// tiny is for how many bytes a bucket is too small to make room in it: what goes might not
// have been read yet. What does not fit into it goes past it.
const tiny = 1 << 20

// evicting is the stream of a key-value bucket in which the oldest values make room for new
// ones.
func evicting(name, subject string, keep time.Duration, limit int64) jetstream.StreamConfig {
	discard := jetstream.DiscardOld
	if limit > 0 && limit < tiny {
		discard = jetstream.DiscardNew
	}
	return jetstream.StreamConfig{
		Name: name, Subjects: []string{subject + ">"}, MaxMsgsPerSubject: 1, Discard: discard,
		AllowRollup: true, DenyDelete: true, AllowDirect: true, MaxAge: keep, MaxBytes: limit,
	}
}

// stream returns a stream, which is made if it is missing.
func (s *Store) stream(ctx context.Context, config jetstream.StreamConfig, update bool) (jetstream.Stream, error) {
	if config.MaxBytes == 0 {
		config.MaxBytes = -1
	}
	if !update {
		stream, err := s.js.Stream(ctx, config.Name)
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return stream, err
		}
	}
	stream, err := s.js.CreateOrUpdateStream(ctx, config)
	if exists(err) {
		return s.made(ctx, config, update)
	}
	return stream, err
}

// made returns a stream that somebody else was faster to make.
func (s *Store) made(ctx context.Context, config jetstream.StreamConfig, update bool) (jetstream.Stream, error) {
	if update {
		return s.js.UpdateStream(ctx, config)
	}
	return s.js.Stream(ctx, config.Name)
}

// explain says what to do about a server that keeps nothing.
func explain(url string, err error) error {
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("the NATS server at %s keeps nothing: enable JetStream in it (nats-server -js), or start a server with ldfi serve", url)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the NATS server at %s keeps nothing for this account: enable JetStream for it", url)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("the NATS server at %s does not let us keep anything: this account needs the right to publish and to subscribe to ldfi.>, $JS.>, $KV.>, $O.> and _INBOX.>", url)
	}
	return fmt.Errorf("what ldfi keeps in the NATS server at %s cannot be set up: %w", url, err)
}
