package disk

import (
	"io/fs"
	"path"
	"time"
)

// info describes a file or a directory at one moment.
type info struct {
	name     string
	size     int64
	mode     fs.FileMode
	modified time.Time
}

func (n *node) info(name string) fs.FileInfo {
	return info{name, int64(n.seen.size), n.mode, n.modified}
}

func (n *node) touch() { n.modified = time.Now() }

// baseOf returns the last part of a name, "/" of the root.
func baseOf(name string) string { return path.Base("/" + clean(name)) }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.modified }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
