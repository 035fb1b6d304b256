package datalog

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
)

// Sight is what a watch has seen, to be told to another watch of the same rules.
type Sight struct {
	Atoms []int    `json:"atoms,omitempty"` // of the bodies of the rules, by their number there, that had a row
	Read  []string `json:"read,omitempty"`  // relations that had a row
	Names []string `json:"names,omitempty"` // relations that were reported
	Asked bool     `json:"asked,omitempty"` // pre had a row
}

// Sight returns what was seen so far.
func (w *Watch) Sight() Sight {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	s := Sight{Read: slices.Sorted(maps.Keys(w.read)), Names: slices.Sorted(maps.Keys(w.names)), Asked: w.asked}
	for i, a := range w.watched() {
		if w.seen[a] {
			s.Atoms = append(s.Atoms, i)
		}
	}
	return s
}

// See takes note of what another watch has seen of what this one watches.
func (w *Watch) See(s Sight) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	all := w.watched()
	for _, i := range s.Atoms {
		if i >= 0 && i < len(all) {
			w.seen[all[i]] = true
		}
	}
	for _, name := range s.Read {
		if w.rules.Read(name) {
			w.read[name] = true
		}
	}
	for _, name := range s.Names {
		w.names[name] = true
	}
	w.asked = w.asked || s.Asked
	w.all.Store(w.complete())
}

// watched returns the atoms that are watched, in the order of the rules.
func (w *Watch) watched() (all []*syntax.Atom) {
	if w.rules.Program == nil {
		return nil
	}
	for _, r := range w.rules.Program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && slices.Contains(w.atoms[t.Atom.Relation], t.Atom) {
				all = append(all, t.Atom)
			}
		}
	}
	return all
}

// And returns what either of two watches has seen.
func (s Sight) And(other Sight) Sight {
	return Sight{Atoms: union(s.Atoms, other.Atoms), Read: union(s.Read, other.Read), Names: union(s.Names, other.Names), Asked: s.Asked || other.Asked}
}

func union[T cmp.Ordered](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
