package provenance

import (
	"cmp"
	"iter"
	"slices"
	"strconv"

	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// mostRenamed is how many processes there are at most whose permutations are all tried.
const mostRenamed = 5

// renamings are what permutations of the processes make of the bits; of many processes, exchanges of two.
func (s *Step) renamings() (all [][]int) {
	processes := s.Graph.Bounds.Processes
	index := map[string]int{}
	for i, b := range s.State {
		index[b.String()] = i
	}
	for permutation := range permutations(len(processes)) {
		names := map[string]string{}
		for i, to := range permutation {
			names[processes[i]] = processes[to]
		}
		renaming := make([]int, len(s.State))
		for i, b := range s.State {
			if to, ok := index[b.renamed(names)]; ok {
				renaming[i] = to
			} else {
				renaming[i] = -1
			}
		}
		all = append(all, renaming)
	}
	return all
}

// renamed is the bit with other names of processes.
func (b StateBit) renamed(names map[string]string) string {
	if b.Name != "" {
		b.Process = cmp.Or(names[b.Process], b.Process)
		return b.String()
	}
	f := recording.Fact{Relation: b.Fact.Relation}
	for _, v := range b.Fact.Args {
		if to, ok := names[v.Text()]; ok {
			v = valueLike(v, to)
		}
		f.Args = append(f.Args, v)
	}
	return f.String()
}

// valueLike is the value of a process as programs write the value of another.
func valueLike(v specs.Value, name string) specs.Value {
	if n, err := strconv.ParseInt(name, 10, 64); err == nil && v.String() == v.Text() {
		return specs.Int(n)
	}
	return specs.String(name)
}

// permutations yields all permutations of few, and the exchanges of two of many, without the one
// that changes nothing.
func permutations(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		same := make([]int, n)
		for i := range same {
			same[i] = i
		}
		if n > mostRenamed {
			for i := range n {
				for j := range i {
					p := slices.Clone(same)
					p[i], p[j] = j, i
					if !yield(p) {
						return
					}
				}
			}
			return
		}
		var extend func(p []int) bool
		extend = func(p []int) bool {
			if len(p) == n {
				return slices.Equal(p, same) || yield(slices.Clone(p))
			}
			for i := range n {
				if !slices.Contains(p, i) && !extend(append(p, i)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}
