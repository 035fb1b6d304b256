package files

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
)

// Dir is a directory that no name leads out of: neither an absolute one, nor one with
// .., nor a link, also when links are changed while they are followed. It gives
// regular files only, so that opening one does not wait and reading it ends. Where a
// name leads out, its error does not tell whether anything is there.
type Dir struct{ root *os.Root }

// OpenDir opens a directory. The caller has to close it.
func OpenDir(name string) (*Dir, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Dir{root}, nil
}

// Close ends the use of the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Open opens a regular file for reading, by a name as package io/fs has them.
func (d *Dir) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, outside(name)
	}
	info, err := d.root.Stat(name)
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, within(err, "open", name)
	}
	// Should it be a pipe by now, opening it does not wait.
	file, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, within(err, "open", name)
	}
	if info, err = file.Stat(); err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Stat says what a name leads to.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, outside(name)
	}
	info, err := d.root.Stat(name)
	return info, within(err, "stat", name)
}

// ReadDir returns what is in a directory, sorted.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, outside(name)
	}
	entries, err := fs.ReadDir(d.root.FS(), name)
	return entries, within(err, "open", name)
}

// slashed is a file name as package io/fs has them, if it is one.
func slashed(name string) string { return path.Clean(filepath.ToSlash(name)) }

// outside says that a name leads out of a directory.
func outside(name string) error {
	return &fs.PathError{Op: reading, Path: name, Err: errors.New("this leads out of the directory, and only what is in it is read")}
}

// within returns an error in the words that it has on the disk, and without those that
// package os has for names that lead out.
func within(err error, op, name string) error {
	var p *fs.PathError
	if !errors.As(err, &p) || p.Op == reading {
		return err
	}
	if errors.As(p.Err, new(syscall.Errno)) || errors.Is(err, fs.ErrClosed) {
		return &fs.PathError{Op: op, Path: name, Err: p.Err}
	}
	return outside(name)
}
