package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// File is an open file, or an open directory, which can be synced.
type File struct {
	disk   *Disk
	node   *node
	name   string
	flag   int
	at     int64
	closed bool
}

// Open opens a file, to read it, or a directory.
func (d *Disk) Open(name string) (*File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

// Create creates a file, or empties it if it exists, and opens it to read and write.
func (d *Disk) Create(name string) (*File, error) {
	return d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// OpenFile opens a file with the flags of package os: O_RDONLY, O_WRONLY or O_RDWR,
// and O_APPEND, O_CREATE, O_EXCL, O_SYNC, O_TRUNC.
func (d *Disk) OpenFile(name string, flag int, perm fs.FileMode) (f *File, err error) {
	err = d.onPath("open", name, func() error {
		n, err := d.open(name, flag, perm)
		if err == nil {
			f = &File{disk: d, node: n, name: name, flag: flag}
		}
		return err
	})
	return f, err
}

// writing says whether flags open a file to write it.
func writing(flag int) bool { return flag&(os.O_WRONLY|os.O_RDWR) != 0 }

func (d *Disk) open(name string, flag int, perm fs.FileMode) (*node, error) {
	n, err := d.find(name)
	switch {
	case err == syscall.ENOENT && flag&os.O_CREATE != 0:
		return d.create(name, perm)
	case err != nil:
		return nil, err
	case flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0:
		return nil, syscall.EEXIST
	case n.mode.IsDir() && (writing(flag) || flag&(os.O_CREATE|os.O_TRUNC) != 0):
		return nil, syscall.EISDIR
	case flag&os.O_TRUNC != 0 && n.seen.size > 0:
		return n, n.truncate(0)
	}
	return n, nil
}

func (d *Disk) create(name string, perm fs.FileMode) (*node, error) {
	dir, base, err := d.place(name)
	if err != nil {
		return nil, err
	}
	n := newNode(perm.Perm())
	d.change(edit{dir, base, n})
	return n, nil
}

// Name returns the name that the file was opened with.
func (f *File) Name() string { return f.name }

// use does something with an open file.
func (f *File) use(op string, do func() error) error {
	if f == nil {
		return fs.ErrInvalid
	}
	var end error // is not wrapped
	err := f.disk.onPath(op, f.name, func() error {
		if f.closed {
			return fs.ErrClosed
		}
		err := do()
		if err == io.EOF {
			end, err = err, nil
		}
		return err
	})
	if err == nil {
		err = end
	}
	return err
}

// Read reads from the current offset of the file.
func (f *File) Read(p []byte) (n int, err error) {
	err = f.use("read", func() error {
		n, err = f.readAt(p, f.at)
		f.at += int64(n)
		if n > 0 {
			return nil
		}
		return err
	})
	return n, err
}

// ReadAt reads from the offset at. It returns io.EOF if the file ends before p is full.
func (f *File) ReadAt(p []byte, at int64) (n int, err error) {
	err = f.use("read", func() error {
		n, err = f.readAt(p, at)
		return err
	})
	return n, err
}

func (f *File) readAt(p []byte, at int64) (int, error) {
	switch {
	case f.flag&os.O_WRONLY != 0:
		return 0, syscall.EBADF
	case f.node.mode.IsDir():
		return 0, syscall.EISDIR
	case at < 0:
		return 0, errors.New("negative offset")
	case at >= int64(f.node.seen.size):
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	n := f.node.seen.read(p, int(at))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Write writes at the current offset, or at the end of the file if it was opened with
// O_APPEND.
func (f *File) Write(p []byte) (n int, err error) {
	err = f.use("write", func() error {
		if f.flag&os.O_APPEND != 0 && writing(f.flag) {
			f.at = int64(f.node.seen.size)
		}
		n, err = f.writeAt(p, f.at)
		f.at += int64(n)
		return err
	})
	return n, err
}

// WriteAt writes at the offset at.
func (f *File) WriteAt(p []byte, at int64) (n int, err error) {
	err = f.use("write", func() error {
		switch {
		case f.flag&os.O_APPEND != 0:
			return errors.New("WriteAt of a file that was opened with O_APPEND")
		case at < 0:
			return errors.New("negative offset")
		}
		n, err = f.writeAt(p, at)
		return err
	})
	return n, err
}

func (f *File) writeAt(p []byte, at int64) (int, error) {
	if !writing(f.flag) {
		return 0, syscall.EBADF
	}
	if err := f.node.write(p, at); err != nil {
		return 0, err
	}
	return len(p), f.written()
}

// written takes note that the file was changed.
func (f *File) written() error {
	f.node.touch()
	if f.flag&os.O_SYNC != 0 {
		return f.node.sync(f.disk.failing)
	}
	return nil
}

// Seek sets the offset of the next Read or Write, as os.File.Seek does.
func (f *File) Seek(offset int64, whence int) (at int64, err error) {
	err = f.use("seek", func() error {
		from := map[int]int64{io.SeekStart: 0, io.SeekCurrent: f.at, io.SeekEnd: int64(f.node.seen.size)}
		start, known := from[whence]
		if at = start + offset; !known || at < 0 || offset > 0 && at < start {
			at = 0
			return syscall.EINVAL
		}
		f.at = at
		return nil
	})
	return at, err
}

// Truncate changes the length of the file, but not its current offset.
func (f *File) Truncate(length int64) error {
	return f.use("truncate", func() error {
		if !writing(f.flag) {
			return syscall.EINVAL
		}
		if err := f.node.truncate(length); err != nil {
			return err
		}
		return f.written()
	})
}

// Sync makes the content of the file durable, but not its name. For a directory it is
// Disk.SyncDir. If it fails, content that is not durable yet never becomes so, unless
// it is written again.
func (f *File) Sync() error {
	return f.use("sync", func() error {
		if f.node.mode.IsDir() {
			return f.disk.syncNames(f.node)
		}
		return f.node.sync(f.disk.failing)
	})
}

// Stat describes the file.
func (f *File) Stat() (info fs.FileInfo, err error) {
	err = f.use("stat", func() error {
		info = f.node.info(baseOf(f.name))
		return nil
	})
	return info, err
}

// Close closes the file. It makes nothing durable.
func (f *File) Close() error {
	return f.use("close", func() error {
		f.closed = true
		return nil
	})
}
