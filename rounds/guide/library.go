package guide

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

//go:embed library.mg
var libraryText string

// library has the rules of each relation that guides can read without rules of their own.
// Their names have a dot, which names of relations of systems never have.
var library = func() map[string]string {
	rules := map[string]string{}
	for _, rule := range regexp.MustCompile(`(?m)^[a-z][^#]*?\.$`).FindAllString(libraryText, -1) {
		name, _, _ := strings.Cut(rule, "(")
		rules[name] += rule + "\n"
	}
	return rules
}()

var ofLibrary = regexp.MustCompile(`[a-z]+\.[a-z_]+`)

// withLibrary returns the rules of the library that a guide needs.
func withLibrary(c *datalog.Compiled) string {
	var needed []string
	need := func(name string) {
		if library[name] != "" && !c.Derived(name) && !slices.Contains(needed, name) {
			needed = append(needed, name)
		}
	}
	for name := range c.Reads {
		need(name)
	}
	slices.Sort(needed)
	var rules strings.Builder
	for i := 0; i < len(needed); i++ {
		rules.WriteString(library[needed[i]])
		for _, name := range ofLibrary.FindAllString(library[needed[i]], -1) {
			need(name)
		}
	}
	return rules.String()
}

// ofLibraryIn returns the place of the first relation that a guide has from the library.
func ofLibraryIn(c *datalog.Compiled) specs.Position {
	for _, r := range c.Program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && library[t.Atom.Relation] != "" && !c.Derived(t.Atom.Relation) {
				return t.Position
			}
		}
	}
	return specs.Position{}
}

// unknown refuses relations with a dot in their names that there are not.
func (c *checker) unknown() {
	var known []string
	for name := range library {
		known = append(known, name)
	}
	slices.Sort(known)
	for _, r := range c.compiled.Program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && strings.Contains(t.Atom.Relation, ".") && !c.compiled.Derived(t.Atom.Relation) {
				c.report(t.Position, "there is no relation %s%s: neither the guide nor the library has rules for it", t.Atom.Relation, text.DidYouMean(t.Atom.Relation, known))
			}
		}
	}
}
