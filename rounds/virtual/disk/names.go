package disk

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Mkdir creates a directory.
func (d *Disk) Mkdir(name string, perm fs.FileMode) error {
	return d.onPath("mkdir", name, func() error { return d.mkdir(name, perm) })
}

// MkdirAll creates a directory and its parents, as far as they do not exist.
func (d *Disk) MkdirAll(name string, perm fs.FileMode) error {
	return d.onPath("mkdir", name, func() error {
		whole := ""
		for part := range strings.SplitSeq(clean(name), "/") {
			whole = path.Join(whole, part)
			n, err := d.find("/" + whole)
			switch {
			case err == syscall.ENOENT:
				err = d.mkdir(whole, perm)
			case err == nil && !n.mode.IsDir():
				err = syscall.ENOTDIR
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *Disk) mkdir(name string, perm fs.FileMode) error {
	dir, base, err := d.place(name)
	switch {
	case err == syscall.EBUSY || err == nil && dir.names[base] != nil:
		return syscall.EEXIST
	case err != nil:
		return err
	}
	d.change(edit{dir, base, newNode(fs.ModeDir | perm.Perm())})
	return nil
}

// Chtimes sets when a file or directory was changed, as os.Chtimes does. There is no time
// of the last access.
func (d *Disk) Chtimes(name string, _, modified time.Time) error {
	return d.onPath("chtimes", name, func() error {
		n, err := d.find(name)
		if err == nil {
			n.modified = modified
		}
		return err
	})
}

// Remove removes a file or an empty directory.
func (d *Disk) Remove(name string) error {
	return d.onPath("remove", name, func() error {
		n, err := d.find(name)
		if err != nil {
			return err
		}
		dir, base, err := d.place(name)
		switch {
		case err != nil:
			return err
		case len(n.names) > 0:
			return syscall.ENOTEMPTY
		}
		d.change(edit{dir, base, nil})
		return nil
	})
}

// Rename renames a file or a directory. It replaces another file called to.
func (d *Disk) Rename(from, to string) error {
	unlock, err := d.use()
	if err == nil {
		err = d.rename(from, to)
		unlock()
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func (d *Disk) rename(from, to string) error {
	old, oldBase, err := d.place(from)
	if err != nil {
		return err
	}
	dir, base, err := d.place(to)
	if err != nil {
		return err
	}
	n, err := d.find(from)
	if err != nil {
		return err
	}
	replaced := dir.names[base]
	switch {
	case replaced != nil && replaced.mode.IsDir():
		return syscall.EEXIST
	case replaced == n:
		return nil
	case n.mode.IsDir() && strings.HasPrefix(clean(to), clean(from)+"/"):
		return syscall.EINVAL
	case n.mode.IsDir() && replaced != nil:
		return syscall.ENOTDIR
	}
	d.change(edit{old, oldBase, nil}, edit{dir, base, n})
	return nil
}

// ReadDir returns the entries of a directory, sorted by name.
func (d *Disk) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = d.onPath("open", name, func() error {
		dir, err := d.find(name)
		switch {
		case err != nil:
			return err
		case !dir.mode.IsDir():
			return syscall.ENOTDIR
		}
		for _, base := range slices.Sorted(maps.Keys(dir.names)) {
			entries = append(entries, fs.FileInfoToDirEntry(dir.names[base].info(base)))
		}
		return nil
	})
	return entries, err
}

// Stat describes the file or directory called name.
func (d *Disk) Stat(name string) (info fs.FileInfo, err error) {
	err = d.onPath("stat", name, func() error {
		n, err := d.find(name)
		if err == nil {
			info = n.info(path.Base("/" + clean(name)))
		}
		return err
	})
	return info, err
}
