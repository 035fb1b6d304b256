package ldfi

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// The ways of grouping fault sets.
const (
	foldRounds   = "rounds"   // equal faults, in any rounds
	foldSymmetry = "symmetry" // and under other names of processes that nothing tells apart
	foldCause    = "cause"    // the loss of the same kinds of messages breaks the same: see causes
)

// Folds returns the values of Options.Fold: the ways to put fault sets in groups.
func Folds() []string { return []string{foldRounds, foldSymmetry, foldCause} }

// grouping puts sets in groups.
type grouping struct {
	*question
	symmetry *vet.Symmetry
	places   map[string]int // of processes, by their names
	same     []int          // the place of each process
}

// folded is the form that all sets of a group have in common, and the renaming that gives
// it.
type folded struct {
	key  string
	own  string // with the names that it has
	to   []int  // the place that each process has in the form
	used []int  // the processes that are named
}

// group groups the sets of an answer, if the options ask for it. The groups do not depend
// on which sets are listed.
func (q *question) group(ctx context.Context, a *result.Answer) error {
	switch q.options.Fold {
	case "":
		return nil
	case foldCause:
		return q.groupByCause(ctx, a)
	}
	g := &grouping{question: q, symmetry: vet.SymmetryOf(q.program.Slice(q.promise.relations()...), q.bounds), places: map[string]int{}}
	for p, name := range q.bounds.Processes {
		g.places[name], g.same = p, append(g.same, p)
	}
	numbers, firsts := map[string]int{}, []folded{}
	for i := range a.Counterexamples {
		c := &a.Counterexamples[i]
		form := g.fold(c)
		n, known := numbers[form.key]
		if !known {
			n = len(firsts)
			numbers[form.key] = n
			firsts = append(firsts, form)
			a.Groups = append(a.Groups, result.Group{Number: n + 1, First: i + 1})
		}
		c.Group, c.Renamed = n+1, g.renamed(firsts[n], form)
		group := &a.Groups[n]
		group.Sets++
		if c.Renamed != "" && !slices.Contains(group.Same, c.Renamed) {
			group.Same = append(group.Same, c.Renamed)
		}
	}
	for n := range a.Groups {
		a.Groups[n].Text = g.text(a, n+1)
	}
	return nil
}

// fold returns the first in order of all forms of a set under renamings within orbits.
func (g *grouping) fold(c *result.Counterexample) folded {
	best := folded{own: g.under(c, g.same), to: g.same, used: g.used(c)}
	best.key = best.own
	if g.options.Fold == foldRounds {
		return best
	}
	for to := range g.renamings(best.used) {
		if key := g.under(c, to); key < best.key {
			best.key, best.to = key, slices.Clone(to)
		}
	}
	return best
}

// mostRenamings limits the renamings that are tried. Sets with more renamings are only
// grouped if they have the same names.
const mostRenamings = 720

// renamings yields the renamings of the used processes: of each orbit to the first ones, in
// any order. Names of other processes do not matter.
func (g *grouping) renamings(used []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		var named []int
		targets, count := map[int][]int{}, 1 // of the used ones
		for _, orbit := range g.symmetry.Orbits {
			mine := slices.DeleteFunc(slices.Clone(orbit), func(p int) bool { return !slices.Contains(used, p) })
			for n, p := range mine {
				targets[p], named = orbit[:len(mine)], append(named, p)
				if count *= n + 1; count > mostRenamings {
					return
				}
			}
		}
		to, taken := slices.Clone(g.same), map[int]bool{}
		var from func(n int) bool
		from = func(n int) bool {
			if n == len(named) {
				return yield(to)
			}
			for _, target := range targets[named[n]] {
				if taken[target] {
					continue
				}
				taken[target], to[named[n]] = true, target
				if !from(n + 1) {
					return false
				}
				delete(taken, target)
			}
			return true
		}
		from(0)
	}
}

// under returns a set with renamed processes as a text for comparison.
func (g *grouping) under(c *result.Counterexample, to []int) string {
	return strings.Join(g.parts(c, to), "\n")
}

func (g *grouping) parts(c *result.Counterexample, to []int) (texts []string) {
	r := g.symmetry.Renaming(to)
	for _, f := range c.Schedule.Faults {
		if f.Kind != rounds.Choose {
			texts = append(texts, timeless(r.Fault(f)))
		}
	}
	slices.Sort(texts)
	return texts
}

// timeless returns a fault without its rounds.
func timeless(f rounds.Fault) string {
	f = rounds.Schedule{Faults: []rounds.Fault{f}}.Normal().Faults[0]
	text := f.Kind.String() + " " + cmp.Or(f.Process, f.Detail)
	if f.To != "" {
		text += ">" + f.To
	}
	return text
}

// used returns the processes that count of a set, each once.
func (g *grouping) used(c *result.Counterexample) (places []int) {
	var names []string
	for _, f := range c.Schedule.Faults {
		names = append(names, f.Process, f.To)
		if f.Kind == rounds.Partition {
			names = append(names, strings.FieldsFunc(f.Detail, func(r rune) bool { return r == ',' || r == '|' })...)
		}
	}
	for _, name := range names {
		if p, ok := g.places[name]; ok && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	slices.Sort(places)
	return places
}

// renamed lists the renamings that turn the first set of a group into the other one.
func (g *grouping) renamed(first, other folded) string {
	if first.own == other.own {
		return ""
	}
	back := map[int]int{}
	for _, p := range other.used {
		back[other.to[p]] = p
	}
	var texts []string
	for _, p := range first.used {
		if is := back[first.to[p]]; is != p {
			texts = append(texts, g.bounds.Processes[is]+" for "+g.bounds.Processes[p])
		}
	}
	return strings.Join(texts, ", ")
}

// text describes the common part of the sets of a group.
func (g *grouping) text(a *result.Answer, number int) string {
	texts := g.parts(&a.Counterexamples[a.Groups[number-1].First-1], g.same)
	if len(texts) == 0 {
		return "without faults"
	}
	for i, text := range texts {
		texts[i] = text + " in " + g.roundsOf(a, number, text)
	}
	return strings.Join(slices.Compact(texts), ", ")
}

// roundsOf lists the rounds in which a fault begins in those sets of a group that have the
// names of the first.
func (g *grouping) roundsOf(a *result.Answer, number int, fault string) string {
	var all []int
	for _, c := range a.Counterexamples {
		for _, f := range c.Schedule.Faults {
			if c.Group == number && c.Renamed == "" && f.Kind != rounds.Choose && timeless(f) == fault {
				all = append(all, f.Round)
			}
		}
	}
	slices.Sort(all)
	var texts []string
	for _, round := range slices.Compact(all) {
		texts = append(texts, strconv.Itoa(round))
	}
	if len(texts) == 1 {
		return "round " + texts[0]
	}
	return "rounds " + text.List(texts, "or")
}
