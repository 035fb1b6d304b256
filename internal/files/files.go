package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// The largest files that are read, in bytes.
const (
	Schedule  = 1 << 20
	Text      = 16 << 20  // programs, rules, suites, what tools write
	Recording = 256 << 20 // recordings, answers and reports
	Program   = 1 << 30   // whatever else answers depend on, such as a binary
)

// Read returns what is in a regular file, or in one that links lead to.
func Read(name string, limit int64) ([]byte, error) {
	var b bytes.Buffer
	err := Copy(&b, name, limit)
	return b.Bytes(), err
}

// Copy writes what is in a regular file.
func Copy(w io.Writer, name string, limit int64) error {
	if err := CheckRegular(name); err != nil {
		return err
	}
	// Should it be a pipe by now, opening it does not wait.
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return err
	}
	return copyFrom(w, file, name, limit)
}

// ReadNamed returns what is in a file that the user names on the command line,
// which may be a pipe, as where a shell makes one of a command. What a device has
// may not end, and what a terminal has is typed where nobody asks for it.
func ReadNamed(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name) // opening a device may do something already
	if err == nil {
		err = named(name, info)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err == nil {
		err = named(name, info)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = copyFrom(&b, file, name, limit)
	return b.Bytes(), err
}

// ReadAll returns what a reader has, such as standard input, which the name is for.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	var b bytes.Buffer
	err := copyFrom(&b, r, name, limit)
	return b.Bytes(), err
}

// ReadFrom returns what is in a regular file of a file system, such as a [Dir], or of
// the disk if that is nil.
func ReadFrom(fsys fs.FS, name string, limit int64) ([]byte, error) {
	if fsys == nil {
		return Read(name, limit)
	}
	file, err := fsys.Open(slashed(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = copyFrom(&b, file, name, limit)
	return b.Bytes(), err
}

// CheckRegular reports what is there and no regular file.
func CheckRegular(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return regular(name, info)
}

// named reports what is no file for a user to name.
func named(name string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeDevice != 0 {
		return &fs.PathError{Op: reading, Path: name, Err: errors.New("this is a device; a file or a pipe is read")}
	}
	if info.IsDir() {
		return regular(name, info)
	}
	return nil
}

func regular(name string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &fs.PathError{Op: reading, Path: name, Err: errors.New("this is a directory")}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: reading, Path: name, Err: errors.New("this is not a regular file")}
	}
	return nil
}

// reading is what was being done, in errors of this package.
const reading = "reading"

func copyFrom(w io.Writer, r io.Reader, name string, limit int64) error {
	n, err := io.Copy(w, io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = &fs.PathError{Op: reading, Path: name, Err: fmt.Errorf("the file is too large (at most %d MiB)", limit>>20)}
	}
	return err
}
