package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Replace writes a file in a temporary directory beside it and renames it, so that a
// kill at any moment leaves the old content or the new. A device or a pipe is
// written to directly.
func Replace(name string, write func(io.Writer) error) error {
	return replace(name, "", write, (*os.File).Sync)
}

// ReplaceUnsynced does the same without waiting for the disk, which takes
// milliseconds: when the power fails, half of the file may be there. It is for
// files with a checksum. The temporary directory lies in parent, which is one of
// those that the file lies in.
func ReplaceUnsynced(parent, name string, write func(io.Writer) error) error {
	return replace(name, parent, write, func(*os.File) error { return nil })
}

func replace(name, parent string, write func(io.Writer) error, sync func(*os.File) error) error {
	mode := os.FileMode(0o644)
	if info, statErr := os.Stat(name); statErr == nil {
		if !info.Mode().IsRegular() {
			return writeDevice(name, write)
		}
		mode = info.Mode().Perm()
	}
	if target, linkErr := filepath.EvalSymlinks(name); linkErr == nil {
		name = target
	}
	if err := renamed(name, cmp.Or(parent, filepath.Dir(name)), mode, write, sync); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

func renamed(name, parent string, mode os.FileMode, write func(io.Writer) error, sync func(*os.File) error) error {
	r, err := enter(parent)
	if err != nil {
		return err
	}
	defer r.leave()
	temporary, err := r.create(name)
	if err != nil {
		return err
	}
	if err = write(temporary); err == nil {
		err = temporary.Chmod(mode)
	}
	if err == nil {
		err = sync(temporary)
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temporary.Name()))
	}
	return err
}

func writeDevice(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
