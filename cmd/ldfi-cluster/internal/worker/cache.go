package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
)

// mostKept is how many bytes of files a worker keeps at most.
const mostKept = 2 << 30

// cache keeps the files of units that were gotten before.
type cache struct {
	store *store.Store
	dir   *files.Scratch
	mutex sync.Mutex
	kept  int64
}

func newCache(s *store.Store) (*cache, error) {
	dir, err := files.NewScratch("", "ldfi-files-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for files of units: %w", err)
	}
	return &cache{store: s, dir: dir}, nil
}

func (f *cache) close() { _ = f.dir.Remove() }

// get returns what is in a file. Several slots get one file one after the other.
func (f *cache) get(ctx context.Context, digest string) ([]byte, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	name := filepath.Join(f.dir.Path(), digest)
	content, err := files.Read(name, files.Program)
	if err == nil && work.Digest(content) == digest {
		return content, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if content, err = f.store.File(ctx, digest); err != nil {
		return nil, err
	}
	if f.kept+int64(len(content)) > mostKept {
		return content, nil
	}
	f.kept += int64(len(content))
	return content, os.WriteFile(name, content, 0o600)
}
