package ldfi

import (
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/solver"
)

// Walk returns the facts that are there after each of some rounds, in some executions with random faults.
func Walk(proof *Invariant, r *rand.Rand, executions, rounds int) (all []map[string]bool) {
	c := proof.system.Circuit
	w := solver.NewWords(c, append([]solver.Lit{proof.system.Valid}, proof.system.Next...)...)
	for range executions {
		state := make([]bool, len(proof.system.State))
		for range rounds {
			inputs := make([]uint64, c.Inputs())
			for try := 0; ; try++ {
				for i := range inputs {
					inputs[i] = 0
					if try < 100 && r.IntN(8) == 0 {
						inputs[i] = 1
					}
				}
				for i, l := range proof.system.State {
					_, _, _, number := c.Node(l)
					inputs[number] = 0
					if state[i] {
						inputs[number] = 1
					}
				}
				if w.Eval(inputs); w.Value(proof.system.Valid)&1 == 1 {
					break
				}
			}
			facts := map[string]bool{}
			for i, l := range proof.system.Next {
				state[i] = w.Value(l)&1 == 1
				if f := proof.step.State[i].Fact; state[i] && f.Relation != "" {
					words := []string{f.Relation}
					for _, v := range f.Args {
						words = append(words, v.Text())
					}
					facts[strings.Join(words, " ")] = true
				}
			}
			all = append(all, facts)
		}
	}
	return all
}
