package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// BeatJob is how often a coordinator says that it is there.
const BeatJob = 10 * time.Second

// Beat says that the coordinator of a job is there.
func (s *Store) Beat(ctx context.Context, job string) error {
	_, err := s.jobs.Put(ctx, job, nil)
	return err
}

// End says that a job has ended: nobody goes on with its units.
func (s *Store) End(ctx context.Context, job string) error { return s.jobs.Delete(ctx, job) }

// Jobs are the jobs that a worker knows of.
type Jobs struct {
	store *Store
	mutex sync.Mutex
	all   map[string]sign
}

// sign is when a coordinator was last heard of, and whether it has ended its job.
type sign struct {
	at    time.Time
	ended bool
}

// Jobs looks at the jobs from now on, and calls ended with each that ends.
func (s *Store) Jobs(ctx context.Context, ended func(job string)) (*Jobs, error) {
	j := &Jobs{store: s, all: map[string]sign{}}
	return j, s.watch(ctx, s.jobs, func(entry jetstream.KeyValueEntry) {
		if entry != nil { // nil: all that was there before has come
			j.note(entry, ended)
		}
	})
}

// note keeps a sign of a coordinator, and forgets jobs of which nothing was heard for long.
func (j *Jobs) note(entry jetstream.KeyValueEntry, ended func(string)) {
	over := entry.Operation() != jetstream.KeyValuePut
	j.mutex.Lock()
	j.all[entry.Key()] = sign{time.Now(), over}
	for job, s := range j.all {
		if time.Since(s.at) > 2*gone {
			delete(j.all, job)
		}
	}
	j.mutex.Unlock()
	if over {
		ended(entry.Key())
	}
}

// Wanted tells whether units of a job are to be begun: its coordinator is there, or was
// until lately.
func (j *Jobs) Wanted(ctx context.Context, job string) bool {
	j.mutex.Lock()
	s, known := j.all[job]
	j.mutex.Unlock()
	if known && (s.ended || time.Since(s.at) < gone) {
		return !s.ended
	}
	_, err := j.store.jobs.Get(ctx, job)
	switch {
	case err == nil:
		j.mutex.Lock()
		j.all[job] = sign{at: time.Now()}
		j.mutex.Unlock()
	case errors.Is(err, jetstream.ErrKeyNotFound), errors.Is(err, jetstream.ErrKeyDeleted):
		return false
	}
	return true // or the server does not say so at the moment
}
