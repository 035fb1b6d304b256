package subject

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi"
)

// promises are the relations that say what a program promises.
var promises = []string{"pre", "post", "good", "violation"}

// Promise is what is promised: the rules of a protocol with where they stand, and the
// names of the properties of a system.
func (o *Opened) Promise() []string {
	if h, ok := o.asked.(*hosted); ok {
		var all []string
		for _, p := range h.Properties {
			all = append(all, p.Name)
		}
		return all
	}
	part, err := ldfi.Promised(o.asked.(*protocol).program)
	if err != nil {
		return []string{err.Error()}
	}
	var all []string
	for _, r := range part.Rules {
		if slices.Contains(promises, r.Head.Relation) {
			all = append(all, fmt.Sprintf("%s   %s:%d", r, filepath.Base(r.Position.File), r.Position.Line))
		}
	}
	for _, f := range part.Facts {
		if slices.Contains(promises, f.Relation) {
			all = append(all, fmt.Sprintf("%s   %s:%d", f, filepath.Base(f.Position.File), f.Position.Line))
		}
	}
	return all
}
