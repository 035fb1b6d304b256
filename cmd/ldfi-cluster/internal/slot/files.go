package slot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"syscall"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/work"
)

// The directories of a unit, in that of the slot, which is where ldfi runs.
const (
	filesDir     = "files" // what the unit has
	homeDir      = "home"
	temporaryDir = "tmp"
)

// bring makes the directory of a unit, with its files, which nobody may write to.
func (s *Slot) bring(ctx context.Context, u *work.Unit, fetch func(string) ([]byte, error)) error {
	if err := s.clear(); err != nil {
		return fmt.Errorf("removing what the unit before has left: %w", err)
	}
	for _, dir := range []string{filesDir, homeDir, temporaryDir} {
		if err := s.root.Mkdir(dir, 0o700); err != nil {
			return fmt.Errorf("making the directory of a unit: %w", err)
		}
	}
	mode := fs.FileMode(0o400)
	if u.Platform != "" {
		mode = 0o500 // any of them may be a program
	}
	var total int64
	for _, name := range slices.Sorted(maps.Keys(u.Files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		content, err := fetch(u.Files[name])
		if err != nil {
			return fmt.Errorf("fetching the file %s of a unit: %w", name, err)
		}
		if work.Digest(content) != u.Files[name] {
			return fmt.Errorf("fetching the file %s of a unit: its content is not the one that was asked for", name)
		}
		if total += int64(len(content)); total > s.options.Files {
			return breaks("it has more than %s in files, which is the most that a worker takes", size(uint64(s.options.Files)))
		}
		if err := s.write(path.Join(filesDir, name), content, mode); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file that is not there yet.
func (s *Slot) write(name string, content []byte, mode fs.FileMode) (err error) {
	defer func() {
		if errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrInvalid) {
			err = breaks("a file of it cannot be written: %v", err) // as its name is not one here
		} else if err != nil {
			err = fmt.Errorf("writing a file of a unit: %w", err)
		}
	}()
	if err := s.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	return subprocess.Unforked(func() error {
		file, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		return errors.Join(err, file.Close())
	})
}

// clear removes all that lies in the directory of the slot.
func (s *Slot) clear() error {
	dir, err := s.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	for _, name := range names {
		if name != files.Lock {
			err = errors.Join(err, files.RemoveAll(s.root, name))
		}
	}
	return err
}
