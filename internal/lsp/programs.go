package lsp

import (
	"errors"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A program is a file with all that it includes. The file of a library belongs to the programs
// that include it, and is none by itself.

// program is a program as it is now.
type program struct {
	path   string               // of its file
	files  map[string]*document // what was read, by the names that positions have
	parsed *dedalus.Program     // nil if there are errors
	err    error
}

// read reads a program.
func (c *conversation) read(path string) *program {
	disk := c.disk(filepath.Dir(path))
	p := &program{path: path, files: disk.read}
	p.parsed, p.err = dedalus.ParseFS(disk, filepath.Base(path))
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.reads[path] = disk.tried
	return p
}

// disk returns the file system for programs of a folder.
func (c *conversation) disk(dir string) *disk {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return &disk{dir: dir, open: maps.Clone(c.open), read: map[string]*document{}, tried: map[string]bool{}}
}

// model returns the program within its bounds.
func (p *program) model() (*ldfi.Model, rounds.Bounds, error) {
	if p.err != nil {
		return nil, rounds.Bounds{}, p.err
	}
	bounds, goals, err := rounds.BoundsOf(p.parsed, nil)
	if err != nil {
		return nil, bounds, err
	}
	model, err := ldfi.New(p.parsed, bounds, ldfi.Options{Goals: goals})
	return model, bounds.Normal(), err
}

// place returns the document of a position in the program, and its offset there. A position
// without a file, or in none that was read, is the beginning of the program.
func (p *program) place(at specs.Position) (*document, int) {
	if d := p.files[filepath.ToSlash(at.File)]; d != nil && at.Line > 0 {
		return d, d.at(at)
	}
	return p.files[filepath.Base(p.path)], 0
}

// sorted returns the documents of the program: its own first, then the others by their names.
func (p *program) sorted() []*document {
	own := p.files[filepath.Base(p.path)]
	var all []*document
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		if d := p.files[name]; !slices.Contains(all, d) && d != own {
			all = append(all, d)
		}
	}
	if own == nil {
		return all
	}
	return slices.Insert(all, 0, own)
}

// bounded matches the setting that every program has and no library needs.
var bounded = regexp.MustCompile(`(?m)^\s*//\s*ldfi:.*\bprocesses=`)

// readers returns the programs that read a file, sorted. The file itself is one of them unless
// it is a library.
func (c *conversation) readers(path string) []string {
	c.survey()
	d := c.document(path)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var all []string
	for reader, reads := range c.reads {
		if reads[path] && reader != path {
			all = append(all, reader)
		}
	}
	if len(all) == 0 || d != nil && bounded.MatchString(d.text) {
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

// programsOf returns the programs in which a file is checked: those that are open and, if none
// is, the first of the others.
func (c *conversation) programsOf(path string) []string {
	all := c.readers(path)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	first := all[:1]
	all = slices.DeleteFunc(slices.Clone(all), func(reader string) bool { return c.open[reader] == nil })
	if len(all) == 0 {
		return first
	}
	return all
}

// document returns the text of a file as it is now, nil if it cannot be read.
func (c *conversation) document(path string) *document {
	disk := c.disk("")
	if _, err := disk.Open(path); err != nil {
		return nil
	}
	return disk.read[path]
}

// named returns the document that a request is about.
func (c *conversation) named(uri string) (*document, error) {
	path, ok := pathOf(uri)
	if !ok {
		return nil, errors.New("only files on the disk are known, by names that begin with file://")
	}
	if d := c.document(path); d != nil {
		return d, nil
	}
	return nil, errors.New("the file " + path + " is neither open nor on the disk")
}

// mostFiles is how many files of the folders of an editor are looked at.
const mostFiles = 100_000

// survey finds out which programs of the folders of the editor read which files, once.
func (c *conversation) survey() {
	c.surveying.Lock()
	defer c.surveying.Unlock()
	c.mutex.Lock()
	folders := slices.Clone(c.folders)
	c.mutex.Unlock()
	if c.surveyed || len(folders) == 0 {
		return
	}
	c.surveyed = true
	for _, path := range folderPrograms(folders, mostFiles) {
		if !c.over() && includes(path) {
			c.read(path)
		}
	}
}
