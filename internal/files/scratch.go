package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/gofrs/flock"
)

// Lock is the file in a directory that its owners hold a lock on while they live.
const Lock = "lock"

// made are the directories of this process that are still there.
var made sync.Map

// RemoveLeftScratch removes the directories of this process that are still there. It is for its
// end, which may come before whoever made them is back.
func RemoveLeftScratch() {
	made.Range(func(d, _ any) bool {
		_ = d.(*Scratch).Remove()
		return true
	})
}

// Scratch is a temporary directory.
type Scratch struct {
	path string
	lock *flock.Flock
}

// NewScratch makes a directory in parent, "" is that for temporary files, with a name that begins
// with prefix, and removes those with the same prefix whose owners were killed.
func NewScratch(parent, prefix string) (*Scratch, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	prune(parent, prefix)
	for {
		path, err := os.MkdirTemp(parent, prefix+"*")
		if err != nil {
			return nil, err
		}
		d := &Scratch{path: path}
		if taken, err := d.take(); taken || err != nil {
			return d, err
		}
	}
}

// take locks the directory that was just made, unless another process has pruned it before.
func (d *Scratch) take() (taken bool, err error) {
	d.lock = flock.New(filepath.Join(d.path, Lock))
	locked, err := d.lock.TryRLock()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, errors.Join(err, os.RemoveAll(d.path))
	}
	if _, err := os.Stat(d.lock.Path()); locked && err == nil {
		made.Store(d, true)
		return true, nil
	}
	_ = d.lock.Close()
	return false, nil
}

// Again makes the directory again, by the same name, after it was removed.
func (d *Scratch) Again() error {
	for {
		if err := os.Mkdir(d.path, 0o700); err != nil {
			return err
		}
		if taken, err := d.take(); taken || err != nil {
			return err
		}
	}
}

// held are the locks of [Hold]: one that nobody can reach any more would be let go.
var held sync.Map

// Hold keeps the directory of somebody else where it is, also when its owner is killed, for
// as long as this process lives.
func Hold(path string) error {
	lock := flock.New(filepath.Join(path, Lock), flock.SetFlag(os.O_RDONLY))
	locked, err := lock.TryRLock()
	if err != nil {
		return err
	}
	if !locked {
		return fmt.Errorf("%s is just being removed", path)
	}
	held.Store(lock, path)
	return nil
}

// Path is where the directory is.
func (d *Scratch) Path() string { return d.path }

// Mkdir makes a directory in the temporary one.
func (d *Scratch) Mkdir(name string) (string, error) {
	path := filepath.Join(d.path, name)
	return path, os.MkdirAll(path, 0o700)
}

// Rmdir removes a directory in the temporary one.
func (d *Scratch) Rmdir(name string) error { return removeAll(filepath.Join(d.path, name)) }

// Remove removes the directory and what is in it.
func (d *Scratch) Remove() error {
	made.Delete(d)
	return errors.Join(removeAll(d.path), d.lock.Close())
}

// prune removes the directories whose owners do not live any more.
func prune(parent, prefix string) {
	entries, _ := os.ReadDir(parent)
	ours := regexp.MustCompile(`^` + regexp.QuoteMeta(prefix) + `[0-9]+(\.gone)*$`) // which directories of others do not have
	for _, entry := range entries {
		if !entry.IsDir() || !ours.MatchString(entry.Name()) {
			continue
		}
		// One without a lock is just being made, or its owner was killed while it
		// made it. Whoever makes it finds it gone, and makes another one.
		path := filepath.Join(parent, entry.Name())
		lock := flock.New(filepath.Join(path, Lock))
		if locked, err := lock.TryLock(); err == nil && locked {
			gone := path + ".gone" // so that nobody can lock it while it is removed
			if err := os.Rename(path, gone); err == nil {
				_ = removeAll(gone)
			}
		}
		_ = lock.Close()
	}
}

// removeAll removes a directory, also where something in it may not be written to.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	root, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return err
	}
	defer root.Close()
	return RemoveAll(root, filepath.Base(dir))
}

// RemoveAll removes a file or a directory below another one, also where something in it may
// not be written to. Nothing elsewhere is changed.
func RemoveAll(root *os.Root, name string) error {
	if root.RemoveAll(name) == nil {
		return nil
	}
	_ = fs.WalkDir(root.FS(), name, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			return root.Chmod(path, 0o700)
		}
		return nil
	})
	return root.RemoveAll(name)
}
