package solver

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

// files are those of a certificate, in one form of AIGER.
func files(t *testing.T, c *Certificate, binary bool) (model, witness, formula []byte) {
	t.Helper()
	var m, w, f bytes.Buffer
	require.NoError(t, c.Model(&m, binary))
	require.NoError(t, c.Witness(&w, binary, "model.aig", m.Bytes()))
	require.NoError(t, c.Formula(&f, "model.aig", m.Bytes()))
	return m.Bytes(), w.Bytes(), f.Bytes()
}

// read reads a circuit.
func read(t *testing.T, file []byte) *oracle.Machine {
	t.Helper()
	m, err := oracle.ReadMachine(file)
	require.NoError(t, err)
	return m
}

// A circuit that was written and is read by somebody else does the same as the transition system, in
// both forms. A step that is not valid leads to the first state, and is not bad.
func TestModelIsTheSystem(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		s := randomTransitions(r)
		names := map[Lit]string{}
		for i, l := range s.Circuit.inputs {
			names[l] = fmt.Sprintf("p(%q)", fmt.Sprint(i))
		}
		model, witness, _ := files(t, &Certificate{Transitions: s, Names: names}, seed%2 == 0)
		m := read(t, model)
		words, byName := make([]uint64, s.Circuit.Inputs()), map[string]uint64{}
		for i, l := range s.Circuit.inputs {
			words[i] = r.Uint64()
			byName[names[l]] = words[i]
		}
		w := NewWords(s.Circuit, append([]Lit{s.Valid, s.Bad}, s.Next...)...)
		w.Eval(words)
		for _, m := range []*oracle.Machine{m, read(t, witness)} { // without an invariant the properties are the same
			var inputs, state []uint64
			for i, name := range m.Inputs {
				inputs = append(inputs, byName[strings.TrimPrefix(name, fmt.Sprintf("= %d ", 2*i+2))])
			}
			for i, name := range m.State {
				require.Equal(t, names[s.State[i]], strings.TrimPrefix(name, fmt.Sprintf("= %d ", 2*(i+len(m.Inputs))+2)))
				state = append(state, words[s.stateInput(i)])
			}
			next, bad := m.Run(inputs, state)
			require.Equal(t, w.Value(s.Valid)&w.Value(s.Bad), bad, "seed %d", seed)
			for i, l := range s.Next {
				require.Equal(t, w.Value(s.Valid)&w.Value(l), next[i], "seed %d", seed)
			}
		}
	}
}

// stateInput is the number of the input that is a bit of the state.
func (t *Transitions) stateInput(bit int) int {
	_, _, _, number := t.Circuit.Node(t.State[bit])
	return number
}

// The formula cannot be satisfied exactly if the clauses are an invariant that shows what is claimed, and each
// step then keeps the property of the witness. So it is for proofs, for proofs with a clause less, a literal less or
// a literal turned, and for any clauses. If a step can be bad, no witness passes.
func TestACertificateThatIsNone(t *testing.T) {
	valid, reasons := 0, map[string]int{}
	for seed := range 400 {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		s := randomTransitions(r)
		found, err := s.Reach(t.Context(), 0)
		require.NoError(t, err)
		invariants := [][][]StateBit{found.Invariant, randomClauses(r, len(s.State))}
		for i, clause := range found.Invariant {
			invariants = append(invariants, slices.Delete(slices.Clone(found.Invariant), i, i+1))
			for j := range clause {
				shorter, turned := slices.Clone(found.Invariant), slices.Clone(found.Invariant)
				shorter[i] = slices.Delete(slices.Clone(clause), j, j+1)
				turned[i] = slices.Clone(clause)
				turned[i][j].Value = !clause[j].Value
				invariants = append(invariants, shorter, turned)
			}
		}
		for _, invariant := range invariants {
			model, witness, formula := files(t, &Certificate{Transitions: s, Invariant: invariant}, true)
			m := read(t, model)
			satisfiable, err := oracle.Satisfiable(formula)
			require.NoError(t, err)
			clauses, err := m.Invariant(formula)
			require.NoError(t, err)
			require.Len(t, clauses, len(invariant))
			why := m.Refute(clauses)
			require.Equal(t, why != "", satisfiable, "seed %d: %v: %s", seed, invariant, why)
			holds := inductive(t, s, read(t, witness))
			require.True(t, found.Never || !holds, "seed %d: %v", seed, invariant)
			if reasons[why]++; why == "" {
				valid++
				require.True(t, holds, "seed %d: %v", seed, invariant)
				require.NoError(t, s.CheckInvariant(t.Context(), invariant))
			}
		}
	}
	t.Logf("%d are certificates; of the others, %v", valid, reasons)
	require.Greater(t, valid, 200)
	require.Len(t, reasons, 4)
	for why, n := range reasons {
		require.Greater(t, n, 50, why)
	}
}

// randomClauses are a few clauses over some bits.
func randomClauses(r *rand.Rand, bits int) (all [][]StateBit) {
	for range r.IntN(4) {
		clause := []StateBit{{r.IntN(bits), r.IntN(3) == 0}}
		if r.IntN(2) == 0 {
			clause = append(clause, StateBit{r.IntN(bits), r.IntN(2) == 0})
		}
		all = append(all, clause)
	}
	return all
}

// inductive decides by enumeration what Certifaiger asks of a witness with the circuit of the model: its property
// holds in the first state whatever the inputs, and after a step from where it holds.
func inductive(t *testing.T, s *Transitions, m *oracle.Machine) bool {
	t.Helper()
	require.Len(t, m.State, len(s.State))
	bits, free := len(m.State), len(m.Inputs)
	next := func(state, inputs int) (int, bool) {
		words := make([]uint64, bits+free)
		for i := range words {
			words[i] = uint64((state | inputs<<bits) >> i & 1)
		}
		after, bad := m.Run(words[bits:], words[:bits])
		to := 0
		for i, w := range after {
			to |= int(w&1) << i
		}
		return to, bad&1 == 1
	}
	safe := func(state int) bool {
		for inputs := range 1 << free {
			if _, bad := next(state, inputs); bad {
				return false
			}
		}
		return true
	}
	if !safe(0) {
		return false
	}
	for state := range 1 << bits {
		for inputs := range 1 << free {
			if to, bad := next(state, inputs); !bad && !safe(to) {
				return false
			}
		}
	}
	return true
}

// What a person reads in the files.
func TestCertificateText(t *testing.T) {
	s := counter(2, true)
	names := map[Lit]string{s.State[0]: "low", s.State[1]: "high", s.Circuit.inputs[2]: "count"}
	c := &Certificate{Transitions: s, Invariant: [][]StateBit{{{1, false}}}, Names: names, Clauses: []string{"never high"}}
	model, witness, formula := files(t, c, false)
	require.Equal(t, `aag 7 1 2 1 4
2
4 13
6 6
14
8 4 3
10 5 2
12 11 9
14 6 4
i0 count
l0 low
l1 high
o0 bad
`, string(model))
	require.Contains(t, string(witness), "l1 = 6 high\no0 bad, or outside of the invariant\nc\nWITNESS o0 model.aig sha256 ")
	require.Contains(t, string(formula), `c variables 1 to 7: inputs, latches and gates of the circuit
c variable 8: the question is about the beginning
c clauses 1 to 1: the invariant, each with 8 as its last literal
c 1 count
c 2 low
c 3 high
c clause 1: never high
p cnf 9 18
-3 8 0
`)
}
