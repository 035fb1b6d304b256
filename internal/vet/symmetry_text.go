package vet

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// renamedText is where a program and its bounds have the names of processes.
type renamedText struct {
	*Symmetry
	facts    map[string]bool // the facts with names of processes, by key
	naming   [][]fact        // by process: the facts that name it
	look     []uint64        // by process: equal for two if the facts about them look alike
	rules    map[string]bool // the rules with names of processes, by canonical text
	ruling   [][]*syntax.Rule
	choices  map[string]int // by key of an alternative: which choice it is of
	choosing [][]fact       // by process
	reliable syntax.LinkSet
}

// fact is a fact of the program, or an alternative of a choice.
type fact struct {
	relation string
	round    int
	args     []specs.Value
}

func newText(s *Symmetry, p *dedalus.Program) *renamedText {
	n := len(s.values)
	t := &renamedText{
		Symmetry: s,
		facts:    map[string]bool{},
		naming:   make([][]fact, n),
		look:     make([]uint64, n),
		rules:    map[string]bool{},
		ruling:   make([][]*syntax.Rule, n),
		choices:  map[string]int{},
		choosing: make([][]fact, n),
	}
	t.reliable, _ = syntax.Links(s.bounds.Processes, s.bounds.Reliable)
	for _, f := range p.Facts {
		if f.Round <= s.bounds.EOT {
			t.addFact(fact{f.Relation, f.Round, f.Args})
		}
	}
	for _, r := range p.Rules {
		t.addRule(r)
	}
	for i, c := range s.bounds.Choose {
		for _, f := range c.Of {
			relation, args := f.Fact()
			t.addAlternative(i, fact{relation, f.Round, args})
		}
	}
	return t
}

// alike tells whether it is worth while to look closer at two processes.
func (t *renamedText) alike(p, q int) bool { return t.look[p] == t.look[q] }

// unchanged tells whether the program and its bounds are the same when two processes swap
// their names.
func (t *renamedText) unchanged(w Swap) bool {
	return t.boundsUnchanged(w) && t.factsUnchanged(w) && t.rulesUnchanged(w) && t.choicesUnchanged(w)
}

// addFact notes a fact that names processes.
func (t *renamedText) addFact(f fact) {
	processes := t.named(f)
	if len(processes) == 0 {
		return
	}
	t.facts[f.key()] = true
	for _, p := range processes {
		t.naming[p] = append(t.naming[p], f)
		t.look[p] += t.lookOf(f, p)
	}
}

// lookOf returns a number for a fact about a process, whatever the names are.
func (t *renamedText) lookOf(f fact, p int) uint64 {
	masked := fact{f.relation, f.round, slices.Clone(f.args)}
	for i, v := range f.args {
		other, ok := t.number[v]
		switch {
		case !ok || !t.columns.hasProcesses(f.relation, i):
		case other == p:
			masked.args[i] = specs.String("this process")
		default:
			masked.args[i] = specs.String("another process")
		}
	}
	h := fnv.New64a()
	h.Write([]byte(masked.key()))
	return h.Sum64()
}

// key is a text that is different for different facts.
func (f fact) key() string {
	text := append([]byte(f.relation), 0)
	text = binary.AppendVarint(text, int64(f.round))
	for _, v := range f.args {
		if v.IsInt() {
			text = binary.AppendVarint(append(text, 1), v.Int())
			continue
		}
		text = binary.AppendUvarint(append(text, 2), uint64(len(v.Text())))
		text = append(text, v.Text()...)
	}
	return string(text)
}

func (t *renamedText) renamed(w Swap, f fact) fact {
	return fact{f.relation, f.round, w.Args(f.relation, f.args)}
}

// factsUnchanged tells whether the facts that name one of the two processes also exist with
// the other name. As no two become one, all facts are the same then.
func (t *renamedText) factsUnchanged(w Swap) bool {
	for _, f := range slices.Concat(t.naming[w.p], t.naming[w.q]) {
		if !t.facts[t.renamed(w, f).key()] {
			return false
		}
	}
	return true
}

// addAlternative notes a fact that the environment can choose.
func (t *renamedText) addAlternative(choice int, f fact) {
	t.choices[f.key()] = choice
	for _, p := range t.named(f) {
		t.choosing[p] = append(t.choosing[p], f)
	}
}

// choicesUnchanged tells whether each choice, with the names swapped, has the alternatives
// of a choice, and the same ones by default.
func (t *renamedText) choicesUnchanged(w Swap) bool {
	image := map[int]int{}
	for _, f := range slices.Concat(t.choosing[w.p], t.choosing[w.q]) {
		from := t.choices[f.key()]
		to, ok := t.choices[t.renamed(w, f).key()]
		if !ok {
			return false
		}
		if before, known := image[from]; known && before != to {
			return false
		}
		image[from] = to
	}
	for from, to := range image {
		if !t.sameChoice(w, from, to) {
			return false
		}
	}
	return true
}

// sameChoice compares choice from, with the names swapped, with choice to, which contains
// its swapped alternatives.
func (t *renamedText) sameChoice(w Swap, from, to int) bool {
	one, other := t.bounds.Choose[from], t.bounds.Choose[to]
	if one.Mode != other.Mode || len(one.Of) != len(other.Of) {
		return false
	}
	for _, f := range one.Of {
		relation, args := f.Fact()
		if is, ok := t.choices[t.renamed(w, fact{relation, f.Round, args}).key()]; !ok || is != to {
			return false
		}
	}
	first, has := one.Default()
	second, _ := other.Default()
	return !has || w.Fault(first) == second
}

// boundsUnchanged compares the parts of the bounds about two processes.
func (t *renamedText) boundsUnchanged(w Swap) bool {
	b := t.bounds
	one, other := b.Processes[w.p], b.Processes[w.q]
	if schedules.CanCrash(b, one) != schedules.CanCrash(b, other) || b.Joined(one) != b.Joined(other) {
		return false
	}
	for p := range b.Processes {
		for _, link := range [][2]int{{p, w.p}, {p, w.q}, {w.p, p}, {w.q, p}} {
			if t.reliable.Has(link[0], link[1]) != t.reliable.Has(w.process(link[0]), w.process(link[1])) {
				return false
			}
		}
	}
	return true
}
