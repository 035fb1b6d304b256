package lsp

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// kind is what a name in a program means.
type kind int

const (
	relation kind = iota
	variable
	include
)

// name is a place where something is named.
type name struct {
	kind    kind
	text    string
	at      int // offset in the document
	end     int
	defines bool         // the relation has a rule, a fact or a choice here
	rule    *syntax.Rule // that has the name; nil if none has
}

// outline has the names in a document, and the statements that can be read.
type outline struct {
	*document
	program *dedalus.Program
	names   []name // in order
}

func newOutline(d *document) *outline {
	o := &outline{document: d, program: dedalus.Outline(d.path, d.text)}
	for _, f := range o.program.Facts {
		o.add(relation, f.Relation, f.Position, true, nil)
	}
	for _, c := range o.program.Choices {
		o.add(relation, c.Relation, c.Name, true, nil)
	}
	for _, r := range o.program.Rules {
		o.rule(r)
	}
	for _, i := range o.program.Includes {
		i.Position.Column++ // behind the quote
		o.add(include, i.Path, i.Position, false, nil)
	}
	for _, s := range o.program.Settings {
		o.setting(s)
	}
	slices.SortFunc(o.names, func(a, b name) int { return cmp.Compare(a.at, b.at) })
	return o
}

func (o *outline) add(kind kind, text string, at specs.Position, defines bool, r *syntax.Rule) {
	from := o.at(at)
	o.names = append(o.names, name{kind, text, from, from + len(text), defines, r})
}

// rule adds the names in a rule.
func (o *outline) rule(r *syntax.Rule) {
	variables := func(e syntax.Expr) {
		syntax.EachVariable(e, func(v *syntax.Variable) { o.add(variable, v.Name, v.Position, false, r) })
	}
	atom := func(a *syntax.Atom, head bool) {
		o.add(relation, a.Relation, a.Position, head, r)
		for _, e := range a.Args {
			variables(e)
		}
	}
	atom(&r.Head, true)
	for _, t := range r.Body {
		if t.Atom != nil {
			atom(t.Atom, false)
		} else {
			variables(t.Test)
		}
	}
}

// setting adds the names of relations in a setting.
func (o *outline) setting(s dedalus.Setting) {
	if s.Key != "durable" && s.Key != "kinds" || s.Value == "none" || s.Value == rounds.AllKinds {
		return
	}
	s.Position.Column += len(s.Key) + 1
	for _, text := range strings.Split(s.Value, ",") {
		o.add(relation, text, s.Position, false, nil)
		s.Position.Column += len(text) + 1
	}
}

// named returns the name at an offset, or that ends there.
func (o *outline) named(offset int) (name, bool) {
	for _, n := range slices.Backward(o.names) {
		if n.at <= offset && offset <= n.end {
			return n, true
		}
	}
	return name{}, false
}

// all returns the places of a relation, or of what has the same name in the same rule.
func (o *outline) all(n name) (found []name) {
	for _, other := range o.names {
		if other.kind == n.kind && other.text == n.text && (n.kind == relation || other.rule == n.rule) {
			found = append(found, other)
		}
	}
	return found
}

func (o *outline) span(n name) span { return o.document.span(n.at, n.end) }

// isName tells whether a name of a program can have a character.
func isName(r rune) bool {
	return unicode.IsLetter(r) || r >= '0' && r <= '9' || strings.ContainsRune("._?", r)
}

// comment returns the comment above the statements in which an offset is: lines of comments
// with no empty line between them and these.
func (o *outline) comment(offset int) string {
	var lines []string
	for n := o.position(offset).Line - 1; n >= 0; n-- {
		line := strings.TrimSpace(o.line(n))
		text, isComment := strings.CutPrefix(line, "//")
		if line == "" || !isComment && len(lines) > 0 {
			break
		}
		if isComment && !strings.HasPrefix(strings.TrimSpace(text), "ldfi:") {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// at returns the name at a position of a document.
func (c *conversation) at(p positionParams) (*outline, name, bool, error) {
	d, err := c.named(p.TextDocument.URI)
	if err != nil {
		return nil, name{}, false, err
	}
	o := newOutline(d)
	n, found := o.named(d.offset(p.Position))
	return o, n, found, nil
}

// outlines returns the outlines of all files of a program.
func (p *program) outlines() (all []*outline) {
	for _, d := range p.sorted() {
		all = append(all, newOutline(d))
	}
	return all
}

// included returns the file of the program that an include of a document names, nil if it was
// not read.
func (p *program) included(by *document, path string) *document {
	for _, dir := range []string{filepath.Dir(p.path), filepath.Dir(by.path)} {
		at := (&disk{dir: dir}).path(path)
		for _, d := range p.files {
			if d.path == at {
				return d
			}
		}
	}
	return nil
}
