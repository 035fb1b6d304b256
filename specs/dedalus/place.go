package dedalus

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/files"
)

// place is where the files of a program are read from.
type place struct {
	fsys  fs.FS // nil: the disk
	known []named
}

// named is a file by the first of its names.
type named struct {
	name string
	info fs.FileInfo
}

// identity returns what is the same for all names of a file.
func (p *place) identity(name string) string {
	if p.fsys != nil {
		return p.first(path.Clean(filepath.ToSlash(name)))
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return name
}

// first returns the first of the names of a file of a file system, by which it was asked for.
func (p *place) first(name string) string {
	info, err := fs.Stat(p.fsys, name)
	if err != nil {
		return name
	}
	for _, other := range p.known {
		if os.SameFile(info, other.info) {
			return other.name
		}
	}
	p.known = append(p.known, named{name, info})
	return name
}

// read returns the text of a file. An included one must be a regular file.
func (p *place) read(name string, included bool) (string, error) {
	var text []byte
	var err error
	if p.fsys == nil && !included {
		text, err = files.ReadNamed(name, files.Text)
	} else {
		text, err = files.ReadFrom(p.fsys, name, files.Text)
	}
	if err != nil {
		return "", reason(err)
	}
	return string(text), nil
}
