package subject

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// texts is a file system of texts by their names in answers, which may be any names, such
// as ../a.ded. It has no other files, and none of the disk.
type texts map[string]string

// textName returns the key of a text.
func textName(called string) string { return path.Clean(filepath.ToSlash(called)) }

// Open opens a text.
func (t texts) Open(name string) (fs.File, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openText{strings.NewReader(text), textInfo{path.Base(name), int64(len(text))}}, nil
}

// openText is a text that is read.
type openText struct {
	*strings.Reader
	info textInfo
}

func (t *openText) Stat() (fs.FileInfo, error) { return t.info, nil }

func (t *openText) Close() error { return nil }

// textInfo describes a text.
type textInfo struct {
	name string
	size int64
}

func (i textInfo) Name() string     { return i.name }
func (i textInfo) Size() int64      { return i.size }
func (textInfo) Mode() fs.FileMode  { return 0o444 }
func (textInfo) ModTime() time.Time { return time.Time{} }
func (textInfo) IsDir() bool        { return false }
func (textInfo) Sys() any           { return nil }
