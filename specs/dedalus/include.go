package dedalus

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// Parse reads the files, and what they include, as one program, and checks it. Its
// error is of type [specs.Errors] and has the mistakes in all of them.
//
// An included file is looked for in the directory of the first file given, then
// in the directory of the file that includes it. A file counts once, however
// often it is included.
func Parse(paths ...string) (*Program, error) { return ParseFS(nil, paths...) }

// ParseFS is like Parse for the files of the file system fsys, or of the operating
// system if fsys is nil. The paths may begin with ./. No other files are read.
func ParseFS(fsys fs.FS, paths ...string) (*Program, error) {
	if len(paths) == 0 {
		return nil, specs.Errors{{Message: "no file given"}}
	}
	l := newLoader(filepath.Dir(paths[0]))
	l.disk.fsys = fsys
	for _, path := range paths {
		l.given[l.disk.identity(path)] = true
	}
	for _, path := range paths {
		text, err := l.disk.read(path, false)
		if err != nil {
			l.errors = append(l.errors, &specs.Error{Position: specs.Position{File: path}, Message: err.Error()})
			continue
		}
		l.load(path, text)
	}
	return l.finish()
}

// ParseText is like Parse for one text. Files that it includes are looked for in the
// directory of name.
func ParseText(name, text string) (*Program, error) {
	l := newLoader(filepath.Dir(name))
	l.given[l.disk.identity(name)] = true
	l.load(name, text)
	return l.finish()
}

// loader gathers the clauses of files and of what they include.
type loader struct {
	program *Program
	disk    place
	root    string          // directory of the first file given
	given   map[string]bool // by identity
	done    map[string]bool // by identity
	chain   []string        // the files being read, each included by the one before
	clauses []*clause
	errors  specs.Errors
}

func newLoader(root string) *loader {
	return &loader{
		program: &Program{sources: map[string]*source{}, numerals: map[string]numeral{}},
		root:    root, given: map[string]bool{}, done: map[string]bool{},
	}
}

// load parses a file unless that has been done, and loads what it includes.
func (l *loader) load(path, text string) {
	id := l.disk.identity(path)
	if l.done[id] {
		return
	}
	l.done[id] = true
	l.chain = append(l.chain, path)
	defer func() { l.chain = l.chain[:len(l.chain)-1] }()
	for _, c := range l.parse(path, text, !l.given[id]) {
		if c.include == "" {
			l.clauses = append(l.clauses, c)
		} else {
			l.include(c)
		}
	}
}

// parse returns the clauses of a file that is part of the program from now on.
func (l *loader) parse(path, text string, included bool) []*clause {
	l.program.Files = append(l.program.Files, path)
	l.program.sources[path] = newSource(text)
	if at, ok := invalidUTF8(path, text); ok {
		l.errors = append(l.errors, &specs.Error{Position: at, Message: notUTF8})
		return nil
	}
	parsed := parseFile(path, text)
	l.errors = append(l.errors, parsed.errors...)
	l.settings(parsed.comments, included)
	for _, c := range parsed.clauses {
		if c.include != "" {
			l.program.Includes = append(l.program.Includes, Include{c.include, c.at})
		}
	}
	return parsed.clauses
}

// include loads the file that a clause names.
func (l *loader) include(c *clause) {
	fail := func(format string, args ...any) {
		l.errors = append(l.errors, &specs.Error{Position: c.at, Message: fmt.Sprintf(format, args...)})
	}
	var firstErr error
	for _, dir := range []string{l.root, filepath.Dir(c.at.File)} {
		path := c.include
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		for i, f := range l.chain {
			if l.disk.identity(f) == l.disk.identity(path) {
				fail("this include is a cycle: %s", chain(append(l.chain[i:len(l.chain):len(l.chain)], path)))
				return
			}
		}
		if l.done[l.disk.identity(path)] {
			return
		}
		text, err := l.disk.read(path, true)
		if err == nil {
			l.load(path, text)
			return
		}
		if firstErr == nil || errors.Is(firstErr, fs.ErrNotExist) && !errors.Is(err, fs.ErrNotExist) {
			firstErr = err
		}
	}
	looked := l.root
	if dir := filepath.Dir(c.at.File); dir != l.root {
		looked += " and " + dir
	}
	fail("cannot include %s: %v (%s; looked in %s)", syntax.Shorten(`"`+c.include+`"`), firstErr,
		chain(append(l.chain[:len(l.chain):len(l.chain)], c.include)), looked)
}

// chain prints who includes whom.
func chain(files []string) string { return strings.Join(files, " includes ") }

// space is what separates settings.
const space = " \t\r\f\v"

// settings reads the "// ldfi:" comments.
func (l *loader) settings(comments []comment, included bool) {
	for _, c := range comments {
		rest, isLine := strings.CutPrefix(c.text, "//")
		rest, isSettings := strings.CutPrefix(strings.TrimLeft(rest, space), "ldfi:")
		if !isLine || !isSettings {
			continue
		}
		for rest = strings.TrimLeft(rest, space); rest != ""; rest = strings.TrimLeft(rest, space) {
			at := c.at
			at.Column += len(c.text) - len(rest)
			field := rest
			if n := strings.IndexAny(rest, space); n >= 0 {
				field = rest[:n]
			}
			rest = rest[len(field):]
			key, value, _ := strings.Cut(field, "=")
			if key == "" || value == "" {
				l.errors = append(l.errors, &specs.Error{Position: at, Message: fmt.Sprintf(
					"unexpected %s, expected key=value without spaces, such as // ldfi: processes=a,b,c eot=6", syntax.Shorten("'"+field+"'"))})
				break
			}
			l.program.Settings = append(l.program.Settings, Setting{Key: key, Value: value, Position: at, Included: included})
		}
	}
}

// reason strips an error of the file's name, which the message has already.
func reason(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// invalidUTF8 returns the position of the first byte that is not UTF-8.
func invalidUTF8(file, text string) (specs.Position, bool) {
	if utf8.ValidString(text) {
		return specs.Position{}, false
	}
	at := specs.Position{File: file, Line: 1, Column: 1}
	for i := 0; ; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return at, true
		}
		i += n
		at.Column += n
		if r == '\n' {
			at.Line, at.Column = at.Line+1, 1
		}
	}
}

// finish checks the program and returns it, or all errors.
func (l *loader) finish() (*Program, error) {
	p := l.program
	l.errors = append(l.errors, check(p, l.clauses)...)
	if len(l.errors) == 0 {
		return p, nil
	}
	for _, e := range l.errors {
		e.Excerpt = p.Excerpt(e.Position)
	}
	return nil, sortErrors(p.Files, l.errors)
}
