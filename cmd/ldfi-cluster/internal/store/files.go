package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go/jetstream"
)

// Refresh is how often a file that is needed has to be put again, so that it does not expire.
const Refresh = keepFiles / 4

// ErrNoFile says that a file is not in the store, or not any more.
var ErrNoFile = errors.New("a file of it is not on the server any more")

// mostOfFile is how long a file may be, in bytes: whoever can write to the server says what
// it has.
const mostOfFile = 1 << 30

// PutFile keeps what is in a file. What has been there for long is written again, so that
// it does not expire while it is needed.
func (s *Store) PutFile(ctx context.Context, digest string, content []byte) error {
	if work.Digest(content) != digest {
		return fmt.Errorf("a file that does not have the digest %s", digest)
	}
	info, err := s.files.GetInfo(ctx, digest)
	if err == nil && time.Since(info.ModTime) < keepFiles/2 {
		return nil
	}
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	_, err = s.files.Put(ctx, jetstream.ObjectMeta{Name: digest}, bytes.NewReader(content))
	return err
}

// patience is how long a file may take to come: one of which a part is missing never does.
const patience = 5 * time.Minute

// File returns what is in a file.
func (s *Store) File(ctx context.Context, digest string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// The library waits on for a part of the file when nobody needs it any more.
	content, err := limits.Await(ctx, 0, func() ([]byte, error) { return s.read(ctx, digest) })
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound):
		return nil, ErrNoFile
	case err != nil:
		return nil, fmt.Errorf("getting the file %.12s of a unit: %w", digest, err)
	case len(content) > s.mostOfFile:
		return nil, fmt.Errorf("the file %.12s of a unit has more than %d MiB, which is the most that is taken", digest, s.mostOfFile>>20)
	case work.Digest(content) != digest:
		return nil, fmt.Errorf("what the server has as the file %.12s of a unit is another one", digest)
	}
	return content, nil
}

// read reads a file, and no more of it than shows that it is too long.
func (s *Store) read(ctx context.Context, name string) ([]byte, error) {
	object, err := s.files.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	var file bytes.Buffer
	_, err = file.ReadFrom(io.LimitReader(object, int64(s.mostOfFile)+1))
	return file.Bytes(), err
}
