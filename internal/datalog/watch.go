package datalog

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Watch sees which of what some rules read was there in any execution: a property
// that nothing it speaks about ever comes to violates nothing, and says nothing.
// Several goroutines can share it.
type Watch struct {
	rules *Compiled
	atoms map[string][]*syntax.Atom // positive ones, by the relation of the recording

	all   atomic.Bool // there is nothing left to be seen
	mutex sync.Mutex
	seen  map[*syntax.Atom]bool
	read  map[string]bool // relations of the recording that had a row
	asked bool            // pre had a row
	names map[string]bool // relations that were reported, as long as one was missing
}

// NewWatch returns a watch that has seen nothing.
func NewWatch(c *Compiled) *Watch {
	w := &Watch{rules: c, atoms: map[string][]*syntax.Atom{}, seen: map[*syntax.Atom]bool{}, read: map[string]bool{}, names: map[string]bool{}}
	if c.Program == nil {
		return w
	}
	for _, r := range c.Program.Rules {
		for _, t := range r.Body {
			if t.Atom != nil && !t.Negated && c.Read(t.Atom.Relation) {
				w.atoms[t.Atom.Relation] = append(w.atoms[t.Atom.Relation], t.Atom)
			}
		}
	}
	return w
}

// look takes note of an execution: what it reported, and what the rules read and
// derived.
func (w *Watch) look(reported []recording.Fact, table []recording.Fact, asked func() bool) {
	if w == nil || w.all.Load() {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, f := range table {
		w.fact(f)
	}
	w.asked = w.asked || w.rules.Derived("pre") && asked()
	if len(w.read) < len(w.rules.Reads) {
		for _, f := range reported {
			w.names[TableName(f.Relation)] = true
		}
	}
	w.all.Store(w.complete())
}

func (w *Watch) fact(f recording.Fact) {
	if !w.rules.Read(f.Relation) {
		return
	}
	w.read[f.Relation] = true
	for _, a := range w.atoms[f.Relation] {
		if !w.seen[a] && a.Fits(f.Args) {
			w.seen[a] = true
		}
	}
}

func (w *Watch) complete() bool {
	if len(w.read) < len(w.rules.Reads) || !w.asked && w.rules.Derived("pre") {
		return false
	}
	for _, atoms := range w.atoms {
		if slices.ContainsFunc(atoms, func(a *syntax.Atom) bool { return !w.seen[a] }) {
			return false
		}
	}
	return true
}

// Unread returns the relations that the rules read, and that no process reported,
// sorted; and those that were reported.
func (w *Watch) Unread() (missing, reported []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for name := range w.rules.Reads {
		environment := slices.ContainsFunc(Environment, func(r Relation) bool { return r.Name == name })
		if !w.read[name] && !environment {
			missing = append(missing, name)
		}
	}
	for name := range w.names {
		reported = append(reported, name)
	}
	slices.Sort(missing)
	slices.Sort(reported)
	return missing, reported
}

// Unseen returns the positive atoms that never had a row, in the order of their texts.
func (w *Watch) Unseen() (all []string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, atoms := range w.atoms {
		for _, a := range atoms {
			if text := a.String(); !w.seen[a] && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Unasked tells whether the rules derive pre, and it never had a row.
func (w *Watch) Unasked() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.rules.Derived("pre") && !w.asked
}

// Follows returns a rule that gives post whatever pre has a row for, nil if none is seen to.
func (w *Watch) Follows() *syntax.Rule {
	if p := w.rules.Program; p != nil {
		return syntax.Follows(p.Rules, p.Facts, "post", "pre", nil)
	}
	return nil
}

// Underivable returns what of the bodies of the rules for violation never had a
// row, if that keeps every one of them from coming about: each positive atom is
// looked at on its own.
func (w *Watch) Underivable() []string {
	if w.rules.Program == nil || !w.rules.Derived("violation") {
		return nil
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	alive := map[string]bool{}
	for _, f := range w.rules.Program.Facts {
		alive[f.Relation] = true
	}
	for changed := true; changed; {
		changed = false
		for _, r := range w.rules.Program.Rules {
			if !alive[r.Head.Relation] && w.lacks(r, alive) == nil {
				alive[r.Head.Relation], changed = true, true
			}
		}
	}
	if alive["violation"] {
		return nil
	}
	var missing []string
	w.blame("violation", alive, map[string]bool{}, func(a *syntax.Atom) {
		if text := a.String(); !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	})
	return missing
}

// lacks returns an atom that keeps a rule from coming about, nil if none does.
func (w *Watch) lacks(r *syntax.Rule, alive map[string]bool) *syntax.Atom {
	for _, t := range r.Body {
		if t.Atom != nil && !t.Negated && !alive[t.Atom.Relation] && !w.seen[t.Atom] {
			return t.Atom
		}
	}
	return nil
}

func (w *Watch) blame(relation string, alive, told map[string]bool, tell func(*syntax.Atom)) {
	told[relation] = true
	for _, r := range w.rules.Program.Rules {
		if r.Head.Relation != relation {
			continue
		}
		switch a := w.lacks(r, alive); {
		case told[a.Relation]:
		case w.rules.Derived(a.Relation):
			w.blame(a.Relation, alive, told, tell)
		default:
			tell(a)
		}
	}
}
