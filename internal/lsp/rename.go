package lsp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// meant are the relations that mean something to ldfi.
var meant = map[string]string{
	syntax.Crash:  "is built in",
	syntax.Booted: "is built in",
	"pre":         "states the promise", "post": "states the promise",
	"good": "states the promise", "violation": "states the promise",
}

// renamable says why a name cannot be changed.
func (n name) renamable() error {
	switch why, ok := meant[n.text]; {
	case n.kind == include:
		return errors.New("this is the name of a file")
	case n.kind == relation && ok:
		return fmt.Errorf("%s cannot be renamed: it %s", n.text, why)
	}
	return nil
}

// possible says why something cannot have a name.
func (n name) possible(text string) error {
	first := []rune(text + " ")[0]
	switch why, ok := meant[text]; {
	case n.kind == relation && ok:
		return fmt.Errorf("nothing else can be called %s: it %s", text, why)
	case !unicode.IsLetter(first) || strings.ContainsFunc(text, func(r rune) bool { return !isName(r) }) || strings.HasSuffix(text, "."),
		slices.Contains([]string{"notin", "not", "include", "choose"}, text):
		return fmt.Errorf("%q is no name of a %s: it begins with a letter, has letters, digits, '.', '_' and '?', and is none of notin, not, include and choose",
			text, []string{"relation", "variable"}[n.kind])
	}
	return nil
}

func (c *conversation) prepareRename(_ context.Context, p positionParams) (any, error) {
	o, n, found, err := c.at(p)
	if err != nil || !found {
		return nil, err
	}
	if err := n.renamable(); err != nil {
		return nil, err
	}
	return placeholder{o.span(n), n.text}, nil
}

// rename answers what changes if a relation gets another name in all programs that have it, or
// a variable in its rule.
func (c *conversation) rename(_ context.Context, p positionParams) (any, error) {
	o, n, found, err := c.at(p)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errors.New("there is no name of a relation or a variable here")
	}
	if err := errors.Join(n.renamable(), n.possible(p.NewName)); err != nil {
		return nil, err
	}
	outlines := []*outline{o}
	if n.kind == relation {
		outlines = c.sharing(o, n.text)
	}
	edits := map[string][]textEdit{}
	for _, o := range outlines {
		if other := o.all(name{kind: n.kind, text: p.NewName, rule: n.rule}); len(other) > 0 {
			return nil, fmt.Errorf("%s has the name %s already, in line %d", o.path, p.NewName, o.position(other[0].at).Line+1)
		}
		places, err := o.renamed(n, p.NewName)
		if err != nil {
			return nil, err
		}
		if len(places) > 0 {
			edits[o.uri] = places
		}
	}
	return workspaceEdit{edits}, nil
}

// sharing returns the files that share a relation with a file: those of each program that has
// one of them in which the relation is named.
func (c *conversation) sharing(from *outline, relationName string) []*outline {
	known := map[string]*outline{from.path: from}
	for todo := []*outline{from}; len(todo) > 0; todo = todo[1:] {
		if len(todo[0].all(name{kind: relation, text: relationName})) == 0 {
			continue
		}
		for _, program := range c.readers(todo[0].path) {
			for _, o := range c.read(program).outlines() {
				if known[o.path] == nil {
					known[o.path] = o
					todo = append(todo, o)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(known), func(a, b *outline) int { return strings.Compare(a.path, b.path) })
}

// renamed returns the edits that give a name another text. What can be read of the file has to
// stay the same but for that.
func (o *outline) renamed(n name, text string) ([]textEdit, error) {
	var edits []textEdit
	var b strings.Builder
	end := 0
	for _, place := range o.all(n) {
		edits = append(edits, textEdit{o.span(place), text})
		b.WriteString(o.text[end:place.at] + text)
		end = place.end
	}
	after := newOutline(newDocument(o.path, o.uri, b.String()+o.text[end:]))
	same := slices.EqualFunc(o.names, after.names, func(a, b name) bool { return a.kind == b.kind })
	if !same || len(dedalus.Outline(o.path, o.text).Rules) != len(after.program.Rules) {
		return nil, fmt.Errorf("%s cannot be called %s: that would mean something else in %s", n.text, text, o.path)
	}
	return edits, nil
}
