package bisect

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"

	"github.com/gofrs/flock"
)

// The temporary directories are called so, and hold a lock while their owner
// lives.
const (
	scratchPattern = "ldfi-bisect-*"
	scratchLock    = "lock"
)

// scratch is a temporary directory for checkouts and programs.
type scratch struct {
	dir  string
	lock *flock.Flock
}

// newScratch makes a temporary directory, and removes those whose owners were
// killed.
func newScratch() (*scratch, error) {
	prune(os.TempDir())
	for {
		dir, err := os.MkdirTemp("", scratchPattern)
		if err != nil {
			return nil, err
		}
		s := &scratch{dir, flock.New(filepath.Join(dir, scratchLock))}
		locked, err := s.lock.TryLock()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
		if _, err := os.Stat(s.lock.Path()); locked && err == nil {
			return s, nil
		}
		// Another process pruned the directory before it was locked.
		_ = s.lock.Close()
	}
}

// mkdir makes a directory in the temporary one.
func (s *scratch) mkdir(name string) (string, error) {
	dir := filepath.Join(s.dir, name)
	return dir, os.MkdirAll(dir, 0o700)
}

func (s *scratch) rmdir(name string) error { return removeAll(filepath.Join(s.dir, name)) }

// remove removes the directory and what is in it.
func (s *scratch) remove() error {
	return errors.Join(removeAll(s.dir), s.lock.Close())
}

// prune removes the directories whose owners do not live any more.
func prune(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, scratchPattern))
	scratchName := regexp.MustCompile(`^ldfi-bisect-[0-9]+(\.gone)*$`) // which those of others do not have
	for _, dir := range dirs {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !scratchName.MatchString(info.Name()) {
			continue
		}
		// One without a lock is just being made, or its owner was killed while it
		// made it. Whoever makes it finds it gone, and makes another one.
		lock := flock.New(filepath.Join(dir, scratchLock))
		if locked, err := lock.TryLock(); err == nil && locked {
			gone := dir + ".gone" // so that nobody can lock it while it is removed
			if err := os.Rename(dir, gone); err == nil {
				_ = removeAll(gone)
			}
		}
		_ = lock.Close()
	}
}

// removeAll removes a directory, also where something in it may not be written
// to.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
