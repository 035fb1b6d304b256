package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/solver"
)

// Facts returns how many facts the state has.
func (s *Step) Facts() (n int) {
	for _, b := range s.State {
		if b.Name == "" {
			n++
		}
	}
	return n
}

// Until returns the last round in which the program gives or chooses something by the name of the round.
func (s *Step) Until() int { return s.until }

// Begin returns the first round that can be the last one of bounds: those that the program reads by name, and in which
// processes join or faults begin, are within them.
func (s *Step) Begin() int { return s.begin }

// Sentences writes an invariant for people: clauses that differ by the names of processes are one
// sentence, in which P, Q and so on stand for different processes, if it holds of all of them.
// Those about some relations come first, then short ones. Clauses that say what is not there before
// the first round are left out.
func (s *Step) Sentences(invariant [][]solver.StateBit, about []string) []string {
	there := map[string]bool{}
	var clauses []string
	ranks := map[string]int{}
	for _, clause := range invariant {
		if s.early(clause) {
			continue
		}
		text := s.sentence(clause, nil)
		there[text] = true
		clauses = append(clauses, text)
		ranks[text] = s.rank(clause, about)
	}
	type shaped struct {
		text string
		rank int
	}
	var all []shaped
	known := map[string]bool{}
	for i, clause := range slices.DeleteFunc(slices.Clone(invariant), s.early) {
		text := clauses[i]
		if known[text] {
			continue
		}
		known[text] = true
		shape, instances := s.shape(clause)
		if len(instances) > 1 && !slices.ContainsFunc(instances, func(t string) bool { return !there[t] }) {
			for _, t := range instances {
				known[t] = true
			}
			text = shape
		}
		all = append(all, shaped{text, ranks[clauses[i]]})
	}
	slices.SortStableFunc(all, func(a, b shaped) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.text, b.text)) })
	texts := make([]string, len(all))
	for i, a := range all {
		texts[i] = a.text
	}
	return texts
}

// early tells whether a clause only says that something is not there before the first round.
func (s *Step) early(clause []solver.StateBit) bool {
	return slices.ContainsFunc(clause, func(b solver.StateBit) bool { return b.Value && s.State[b.Bit].Lit == s.State[0].Lit })
}

// rank is smaller for a clause that says more to a reader: one about what the promise speaks of,
// and not of the first round, with few literals.
func (s *Step) rank(clause []solver.StateBit, about []string) int {
	rank := 10 * len(clause)
	if slices.ContainsFunc(clause, func(b solver.StateBit) bool { return s.State[b.Bit].Name != "" }) {
		rank += 2000
	}
	if slices.ContainsFunc(clause, func(b solver.StateBit) bool { return slices.Contains(about, s.State[b.Bit].Fact.Relation) }) {
		rank -= 1000
	}
	return rank
}

// sentence is a clause in words, with other names of processes.
func (s *Step) sentence(clause []solver.StateBit, names map[string]string) string {
	var given, follows []string
	for _, b := range clause {
		text := s.State[b.Bit].renamed(names)
		if s.State[b.Bit].Name == "" {
			text, _, _ = strings.Cut(text, "@")
		}
		if b.Value {
			follows = append(follows, text)
		} else {
			given = append(given, text)
		}
	}
	slices.Sort(given)
	slices.Sort(follows)
	switch {
	case len(follows) == 0:
		return "never " + strings.Join(given, " and ")
	case len(given) == 0:
		return "always " + strings.Join(follows, " or ")
	}
	return strings.Join(given, " and ") + " => " + strings.Join(follows, " or ")
}

// variables stand for processes in sentences.
const variables = "PQRSTUVW"

// shape is a clause with variables in place of processes, and all clauses that it stands for.
func (s *Step) shape(clause []solver.StateBit) (shape string, instances []string) {
	processes := s.Graph.Bounds.Processes
	plain := s.sentence(clause, nil)
	var used []string
	for _, p := range processes {
		names := map[string]string{p: "\x00"}
		if s.sentence(clause, names) != plain {
			used = append(used, p)
		}
	}
	if len(used) == 0 || len(used) > len(variables) || len(used) > mostRenamed {
		return plain, nil
	}
	names := map[string]string{}
	for i, p := range used {
		names[p] = fmt.Sprintf("\x00%c", variables[i])
	}
	seen := map[string]bool{}
	var choose func(chosen []string)
	choose = func(chosen []string) {
		if len(chosen) == len(used) {
			to := map[string]string{}
			for i, p := range used {
				to[p] = chosen[i]
			}
			if text := s.sentence(clause, to); !seen[text] {
				seen[text] = true
				instances = append(instances, text)
			}
			return
		}
		for _, p := range processes {
			if !slices.Contains(chosen, p) {
				choose(append(slices.Clone(chosen), p))
			}
		}
	}
	choose(nil)
	shape = s.sentence(clause, names)
	for i := range used {
		shape = strings.ReplaceAll(shape, fmt.Sprintf("\"\x00%c\"", variables[i]), string(variables[i]))
		shape = strings.ReplaceAll(shape, fmt.Sprintf("\x00%c", variables[i]), string(variables[i]))
	}
	return shape, instances
}
