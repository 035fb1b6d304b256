package lsp

import (
	"bytes"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
)

// disk is the file system that a program in a folder is read from: what the editor has open
// stands before what is on the disk. Names are relative to the folder, and may lead out of it.
type disk struct {
	dir  string
	open map[string]*document // by path

	mutex sync.Mutex
	read  map[string]*document // what has been read, by the name by which it was asked for
	tried map[string]bool      // the paths that were looked for, whether anything is there or not
}

// path returns the path of a file by its name.
func (d *disk) path(name string) string {
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(d.dir, name)
	}
	return real(name)
}

// Open opens a file.
func (d *disk) Open(name string) (fs.File, error) {
	path := d.path(name)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.tried[path] = true
	document := d.open[path]
	if document == nil {
		text, err := files.Read(path, files.Text)
		if err != nil {
			return nil, err
		}
		document = newDocument(path, uriOf(path), string(text))
	}
	d.read[name] = document
	return &file{info{document}, strings.NewReader(document.text)}, nil
}

// Stat says whether a file is there.
func (d *disk) Stat(name string) (fs.FileInfo, error) {
	path := d.path(name)
	on, err := os.Stat(path)
	if document := d.open[path]; err != nil && document != nil {
		return info{document}, nil
	}
	return on, err
}

// file is a document as a file.
type file struct {
	info
	*strings.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }
func (f *file) Size() int64                { return f.info.Size() }

// info says what there is to know of it.
type info struct{ document *document }

func (i info) Name() string       { return filepath.Base(i.document.path) }
func (i info) Size() int64        { return int64(len(i.document.text)) }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }

// real returns the path of a file that links lead to, if it is there.
func real(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	return filepath.Clean(path)
}

// pathOf returns the path of a file that an editor names; false if it is none on the disk.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || !strings.HasPrefix(u.Path, "/") {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return real(filepath.FromSlash(path)), true
}

// uriOf returns the name of a file for an editor.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// isProgram tells whether a file is to have a program, by its name.
func isProgram(path string) bool { return filepath.Ext(path) == ".ded" }

// folderPrograms returns the files with programs below folders, as far as they are found among
// so many files. Folders of versions and of packages of others are left out.
func folderPrograms(folders []string, most int) []string {
	var all []string
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if most--; most < 0 {
				return fs.SkipAll
			}
			if err == nil && d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			if err == nil && d.Type().IsRegular() && isProgram(path) {
				all = append(all, real(path))
			}
			return nil
		})
	}
	return all
}

// includes tells whether a text may include a file.
func includes(path string) bool {
	text, err := files.Read(path, files.Text)
	return err == nil && bytes.Contains(text, []byte("include"))
}
