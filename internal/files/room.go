package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// TemporaryName is what the directory is called in which files are written before
// they get their names. It lies beside them, so that this is possible, and is there
// only while somebody writes, or after a kill.
const TemporaryName = ".ldfi-tmp"

// lockName is the file of that directory that all who write hold a lock on: the one
// that lets git ignore the directory.
const lockName = ".gitignore"

const ignoreAll = "*\n"

// room is a temporary directory that is in use.
type room struct {
	dir  string
	lock *flock.Flock // shared
}

// patience is how long others may take to clear the directory away.
const patience = 2 * time.Second

// enter makes the temporary directory in a directory, and empties it if nobody else
// uses it.
func enter(parent string) (*room, error) {
	r := &room{dir: filepath.Join(parent, TemporaryName)}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if err := r.make(); err != nil {
			return nil, err
		}
		err := r.open()
		if err == nil {
			if err = r.share(); err == nil {
				return r, nil
			}
			_ = r.lock.Close()
		}
		if !errors.Is(err, errCleared) && !errors.Is(err, fs.ErrNotExist) || time.Since(began) > patience {
			return nil, err
		}
	}
}

// make makes the directory. One that a link leads to is not ours to empty.
func (r *room) make() error {
	err := os.Mkdir(r.dir, 0o777)
	var at *fs.PathError
	if !errors.Is(err, fs.ErrExist) && errors.As(err, &at) {
		return at.Err // nobody has named the directory
	}
	if info, err := os.Lstat(r.dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is no directory: remove it", r.dir)
	}
	return nil
}

// errCleared says that somebody else has the directory to clear it away.
var errCleared = errors.New("the directory is being removed")

// share locks the directory together with others who write.
func (r *room) share() error {
	alone, err := r.lock.TryLock()
	if err != nil {
		return err
	}
	if alone {
		if !r.there() {
			return errCleared
		}
		r.empty()
		if err := r.lock.Unlock(); err != nil {
			return err
		}
	}
	shared, err := r.lock.TryRLock()
	if err != nil {
		return err
	}
	if !shared || !r.there() {
		return errCleared
	}
	return nil
}

// open prepares the lock, which is made as a whole: git shows what a kill leaves of
// a file that does not say yet that it is ignored. It never looks at what lies in a
// directory called .git, so the file is written there, and linked.
func (r *room) open() error {
	name := filepath.Join(r.dir, lockName)
	r.lock = flock.New(name, flock.SetFlag(os.O_RDONLY)) // which is not made by that
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	hidden := filepath.Join(r.dir, ".git")
	if err := os.Mkdir(hidden, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	file, err := os.CreateTemp(hidden, "ignore-*")
	if err != nil {
		return err
	}
	_, err = file.WriteString(ignoreAll)
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Link(file.Name(), name)
	}
	_ = os.Remove(file.Name())
	_ = os.Remove(hidden) // unless others are at it
	switch {
	case err == nil || errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return err
	}
	return os.WriteFile(name, []byte(ignoreAll), 0o644) // here are no links
}

// there tells whether the file that is locked still is the one in the directory.
func (r *room) there() bool {
	named, err := os.Lstat(r.lock.Path())
	if err != nil || !named.Mode().IsRegular() {
		return false
	}
	held, err := r.lock.Stat()
	return err == nil && os.SameFile(named, held)
}

// empty removes what those have left behind who were killed.
func (r *room) empty() {
	entries, _ := os.ReadDir(r.dir)
	for _, e := range entries {
		if e.Name() != lockName {
			_ = os.RemoveAll(filepath.Join(r.dir, e.Name()))
		}
	}
}

// leave removes the directory, unless others use it.
func (r *room) leave() {
	if alone, err := r.lock.TryLock(); err == nil && alone && r.there() {
		r.clear()
	}
	_ = r.lock.Close()
}

// clear removes the directory, the lock last: without it git would show the rest.
func (r *room) clear() {
	r.empty()
	if os.Remove(r.lock.Path()) != nil { // Windows does not remove what is open
		_ = r.lock.Close()
		_ = os.Remove(r.lock.Path())
	}
	_ = os.Remove(r.dir)
}

// RemoveTemporary removes what a kill has left behind of files that were written in a
// directory.
func RemoveTemporary(parent string) {
	dir := filepath.Join(parent, TemporaryName)
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return
	}
	r := &room{dir: dir}
	if r.open() != nil {
		return
	}
	if alone, err := r.lock.TryLock(); err == nil && alone && r.there() {
		r.clear()
	}
	_ = r.lock.Close()
}

// create makes a temporary file.
func (r *room) create(name string) (*os.File, error) {
	file, err := os.CreateTemp(r.dir, filepath.Base(name)+".*")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	return file, nil
}
