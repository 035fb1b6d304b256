package dedalus

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// Program is a parsed and checked program: the files given, with everything
// that they include. It is not changed after Parse and may be shared.
type Program struct {
	Rules    []*syntax.Rule   // in source order, an included file at its include
	Facts    []*syntax.Fact   // in source order
	Choices  []*syntax.Choose // in source order
	Settings []Setting        // the key=value pairs of the "// ldfi:" comments
	Includes []Include        // in source order of each file
	Files    []string         // every file read, the first given first

	sources  map[string]*source // by file, for excerpts
	numerals map[string]numeral // what a process with an integer as its name may be
}

// Setting is one key=value pair of a "// ldfi:" comment.
type Setting struct {
	Key, Value string
	Position   specs.Position
	Included   bool // it is in an included file, so that the files given override it
}

// Include is a statement that includes a file.
type Include struct {
	Path     string // as it is written
	Position specs.Position
}

// Outline returns what can be read of one text: all statements without syntax errors.
// Nothing is checked, and the files that the text includes are not read.
func Outline(name, text string) *Program {
	l := newLoader(".")
	clauses := l.parse(name, text, false)
	check(l.program, slices.DeleteFunc(clauses, func(c *clause) bool { return c.include != "" }))
	return l.program
}

// String returns the program in one text, without comments other than its
// settings, and with nothing left to include.
func (p *Program) String() string {
	var b strings.Builder
	for _, s := range p.Settings {
		b.WriteString("// ldfi: " + s.Key + "=" + s.Value + "\n")
	}
	for _, f := range p.Facts {
		b.WriteString(f.String() + "\n")
	}
	for _, c := range p.Choices {
		b.WriteString(c.String() + "\n")
	}
	for _, r := range p.Rules {
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}
