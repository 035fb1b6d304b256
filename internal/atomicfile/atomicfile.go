// Package atomicfile writes files so that nobody ever sees half of one.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file under a temporary name beside it and renames it, so that a
// kill at any moment leaves the old content or the new. A device or a pipe is
// written to directly.
func Write(name string, write func(io.Writer) error) error {
	return replace(name, write, (*os.File).Sync)
}

// WriteUnsynced does the same without waiting for the disk, which takes
// milliseconds: when the power fails, half of the file may be there. It is for
// files with a checksum.
func WriteUnsynced(name string, write func(io.Writer) error) error {
	return replace(name, write, func(*os.File) error { return nil })
}

func replace(name string, write func(io.Writer) error, sync func(*os.File) error) (err error) {
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
	temporary, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("writing %s: %w", name, err), os.Remove(temporary.Name()))
		}
	}()
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
	return err
}

func writeDevice(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
