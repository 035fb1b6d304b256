package work

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// files are those that were ordered, each once.
type files struct {
	mutex sync.Mutex
	sent  map[string]*sending // by digest
}

// sending is a file that is read and ordered.
type sending struct {
	done chan struct{}
	err  error // to be read when it is done
}

// send orders the files of a unit, unless that was done, or waits until somebody else
// has done it.
func (f *files) send(ctx context.Context, u *Unit, file func(digest string) ([]byte, error), to *outbox) error {
	for _, name := range slices.Sorted(maps.Keys(u.Files)) {
		digest := u.Files[name]
		s, mine := f.begin(digest)
		if mine {
			s.err = order(digest, file, to)
			f.end(digest, s)
		}
		select {
		case <-s.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if s.err != nil {
			return fmt.Errorf("sending %s to the workers: %w", name, s.err)
		}
	}
	return nil
}

// begin returns the sending of a file, and whether the caller has to do it.
func (f *files) begin(digest string) (_ *sending, mine bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if s := f.sent[digest]; s != nil {
		return s, false
	}
	s := &sending{done: make(chan struct{})}
	f.sent[digest] = s
	return s, true
}

// end lets others go on. What went wrong is tried again by the next.
func (f *files) end(digest string, s *sending) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if s.err != nil {
		delete(f.sent, digest)
	}
	close(s.done)
}

// order orders a file.
func order(digest string, file func(digest string) ([]byte, error), to *outbox) error {
	content, err := file(digest)
	if err != nil {
		return err
	}
	if Digest(content) != digest {
		return fmt.Errorf("it has changed meanwhile: run ldfi again")
	}
	to.put(Order{File: &File{Digest: digest, Content: content}})
	return nil
}
