package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml/ast"
)

// texts reads a text, or a list of texts.
func (r *reader) texts(f field) []ast.Node {
	if list, ok := r.follow(f.value).(*ast.SequenceNode); ok {
		if len(list.Values) == 0 {
			r.fail(f.value, "this list is empty")
		}
		return list.Values
	}
	return []ast.Node{f.value}
}

// files reads the names of files, which have to exist.
func (r *reader) files(fields map[string]field, key string) []string {
	f, ok := fields[key]
	if !ok {
		return nil
	}
	var files []string
	for _, n := range r.texts(f) {
		file, ok := r.text(n)
		if !ok {
			continue
		}
		if wrong := r.missing(file); wrong != "" {
			r.fail(n, "%s", wrong)
		}
		files = append(files, path.Clean(filepath.ToSlash(file)))
	}
	return files
}

// missing says why there is no such file, "" if there is.
func (r *reader) missing(file string) string {
	info, err := r.stat(r.path(file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no file %q (files are looked for from %s)", file, r.dir)
	case err != nil:
		return fmt.Sprintf("%s: %v", file, err)
	case info.IsDir():
		return fmt.Sprintf("%q is a directory", file)
	}
	return ""
}

func (r *reader) stat(file string) (fs.FileInfo, error) {
	if r.fsys == nil {
		return os.Stat(file)
	}
	return fs.Stat(r.fsys, filepath.ToSlash(file))
}

// matches returns the files that a pattern matches.
func (r *reader) matches(pattern string) ([]string, error) {
	if r.fsys == nil {
		return doublestar.FilepathGlob(r.path(pattern), doublestar.WithFilesOnly())
	}
	return doublestar.Glob(r.fsys, path.Clean(filepath.ToSlash(r.path(pattern))), doublestar.WithFilesOnly())
}

// path returns a file name, or a pattern, from the working directory.
func (r *reader) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(r.dir, filepath.FromSlash(file))
}

// glob reads patterns and returns the files that they match, each once.
func (r *reader) glob(fields map[string]field, key string) []string {
	f, ok := fields[key]
	if !ok {
		return nil
	}
	var files []string
	for _, n := range r.texts(f) {
		pattern, ok := r.text(n)
		if !ok {
			continue
		}
		matches, err := r.matches(pattern)
		switch {
		case err != nil:
			r.fail(n, "%q is no pattern: %v", pattern, err)
		case len(matches) == 0:
			r.fail(n, "no file matches %q (files are looked for from %s)", pattern, r.dir)
		}
		for _, match := range matches {
			files = append(files, r.relative(match, pattern))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// relative returns the name of a file that a pattern matches as the suite would
// write it.
func (r *reader) relative(file, pattern string) string {
	if rel, err := filepath.Rel(r.dir, file); err == nil && !filepath.IsAbs(pattern) {
		file = rel
	}
	return filepath.ToSlash(file)
}
