package lsp

import (
	"context"
	"slices"
)

// definition answers where a relation has its rules, facts and choices, and which file an
// include names.
func (c *conversation) definition(_ context.Context, p positionParams) (any, error) {
	o, n, found, err := c.at(p)
	if err != nil || !found {
		return nil, err
	}
	switch n.kind {
	case variable:
		first := o.all(n)[0]
		return []location{{o.uri, o.span(first)}}, nil
	case include:
		for _, path := range c.programsOf(o.path) {
			if d := c.read(path).included(o.document, n.text); d != nil {
				return []location{{d.uri, span{}}}, nil
			}
		}
		return nil, nil
	}
	return c.places(c.programsOf(o.path), n, func(n name) bool { return n.defines }), nil
}

// references answers where a name is, in all programs that have the file.
func (c *conversation) references(_ context.Context, p positionParams) (any, error) {
	o, n, found, err := c.at(p)
	if err != nil || !found || n.kind == include {
		return nil, err
	}
	wanted := func(n name) bool { return !n.defines || p.Context.IncludeDeclaration }
	if n.kind == variable {
		all := []location{}
		for _, n := range o.all(n) {
			all = append(all, location{o.uri, o.span(n)})
		}
		return all, nil
	}
	return c.places(c.readers(o.path), n, wanted), nil
}

// places returns the wanted places of a relation in some programs, each once.
func (c *conversation) places(programs []string, n name, wanted func(name) bool) []location {
	all := []location{}
	for _, path := range programs {
		for _, o := range c.read(path).outlines() {
			for _, n := range o.all(n) {
				if l := (location{o.uri, o.span(n)}); wanted(n) && !slices.Contains(all, l) {
					all = append(all, l)
				}
			}
		}
	}
	return all
}
