package ldfi_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// certified asks a program of testdata about any number of rounds, and wants the proof.
func certified(t *testing.T, file string) (*dedalus.Program, rounds.Bounds, *solver.Certificate) {
	t.Helper()
	p, err := dedalus.Parse("../testdata/protocols/" + file)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	var c *solver.Certificate
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals, Certify: func(found *solver.Certificate) { c = found }})
	require.NoError(t, err)
	a, err := m.AnyRounds(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.NotNil(t, c)
	require.Len(t, c.Invariant, a.Rounds.Clauses)
	return p, b, c
}

// machine reads a circuit back.
func machine(t *testing.T, c *solver.Certificate) (*oracle.Machine, []byte) {
	t.Helper()
	var model, formula bytes.Buffer
	require.NoError(t, c.Model(&model, true))
	require.NoError(t, c.Formula(&formula, "model.aig", model.Bytes()))
	m, err := oracle.ReadMachine(model.Bytes())
	require.NoError(t, err)
	return m, formula.Bytes()
}

// provedQuickly are programs with different kinds of faults.
var provedQuickly = []string{"replication/kafka_min_isr.ded", "restart/2pc_recovers.ded"}

// TestCertificateByAnotherReader reads the files back, and asks another solver the three questions about the
// clauses. A certificate without one of its clauses, or about a circuit with another gate, is mostly none.
func TestCertificateByAnotherReader(t *testing.T) {
	for i, file := range provedQuickly {
		_, _, c := certified(t, file)
		m, formula := machine(t, c)
		satisfiable, err := oracle.Satisfiable(formula)
		require.NoError(t, err)
		require.False(t, satisfiable)
		clauses, err := m.Invariant(formula)
		require.NoError(t, err)
		require.Len(t, clauses, len(c.Invariant))
		require.Empty(t, m.Refute(clauses))
		if i > 0 {
			continue
		}
		fewer, gates := 0, 0
		for i := range clauses {
			if m.Refute(slices.Delete(slices.Clone(clauses), i, i+1)) != "" {
				fewer++
			}
		}
		for i := range m.Gates {
			m.Gates[i][1] ^= 1
			if m.Refute(clauses) != "" {
				gates++
			}
			m.Gates[i][1] ^= 1
		}
		t.Logf("%d of %d clauses and %d of %d gates are missed", fewer, len(clauses), gates, len(m.Gates))
		require.Greater(t, fewer, len(clauses)/2)
		require.Greater(t, gates, len(m.Gates)/4)
	}
}

// TestCircuitDoesWhatTheProgramDoes follows executions of random schedules with the circuit of a file, far beyond
// the rounds of the bounds: its names say which inputs the faults of a round are, and which facts it begins with.
func TestCircuitDoesWhatTheProgramDoes(t *testing.T) {
	program, b, c := certified(t, provedQuickly[0])
	m, _ := machine(t, c)
	b.EOT, b.EFF = 40, 0
	model, err := ldfi.New(program, b, ldfi.Options{})
	require.NoError(t, err)
	derived := map[string]bool{} // by the rules of a round too
	for _, r := range program.Rules {
		derived[r.Head.Relation] = derived[r.Head.Relation] || r.Kind == syntax.Deductive
	}
	facts := 0
	for seed := range 10 {
		s := randomSchedule(rand.New(rand.NewPCG(uint64(seed), 5)), m.Inputs, b.EOT)
		in, err := model.Inject(t.Context(), s)
		require.NoError(t, err)
		has := map[string]bool{}
		for _, f := range in.Execution.Facts {
			has[f.String()] = true
		}
		state := make([]uint64, len(m.State))
		for round := 1; round <= b.EOT; round++ {
			for i, name := range m.State {
				relation, _, isFact := strings.Cut(name, "(")
				is, should := state[i]&1 == 1, has[fmt.Sprintf("%s@%d", name, round)]
				if round == 1 || !isFact || relation == "clock" || !is && derived[relation] { // the clock of executions goes on
					continue
				}
				require.Equal(t, should, is, "%s in round %d under %s", name, round, s)
				facts += int(state[i] & 1)
			}
			inputs := make([]uint64, len(m.Inputs))
			for i, name := range m.Inputs {
				what, _, _ := strings.Cut(name, "@")
				if slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.String() == fmt.Sprintf("%s@%d", what, round) }) {
					inputs[i] = 1
				}
			}
			var bad uint64
			state, bad = m.Run(inputs, state)
			require.Zero(t, bad&1)
		}
	}
	t.Logf("%d facts", facts)
	require.Greater(t, facts, 1000)
}

// randomSchedule has one crash, and a few of the messages lost, by the names of inputs.
func randomSchedule(r *rand.Rand, inputs []string, eot int) (s rounds.Schedule) {
	crashed := false
	for round := 1; round <= eot; round++ {
		for _, name := range inputs {
			what, _, _ := strings.Cut(name, "@")
			crash := strings.HasPrefix(what, "crash")
			if crash && (crashed || r.IntN(20) > 0) || !crash && r.IntN(5) > 0 {
				continue
			}
			crashed = crashed || crash
			one, err := rounds.ParseSchedule(fmt.Sprintf("%s@%d", what, round))
			if err != nil {
				panic(err)
			}
			s.Faults = append(s.Faults, one.Faults...)
		}
	}
	return s
}

// patient is a context that is cancelled when it has been asked so many times.
type patient struct {
	context.Context
	left int
}

func (p *patient) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedProof interrupts the search for a proof, its sentences and its check at many moments: a proof that
// has been found is told, and otherwise there is no answer.
func TestInterruptedProof(t *testing.T) {
	p, err := dedalus.Parse("../testdata/protocols/" + provedQuickly[1])
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{})
	require.NoError(t, err)
	verdicts, proofs := map[result.Verdict]int{}, map[bool]int{}
	for moment := 1; moment < 20_000; moment += 1 + moment/4 {
		a, err := m.AnyRounds(&patient{t.Context(), moment})
		require.NoError(t, err, "%d", moment)
		verdicts[a.Verdict]++
		if a.Verdict == result.Holds {
			require.Positive(t, a.Rounds.Clauses)
			proofs[len(a.Rounds.Invariant) > 0]++
		}
	}
	t.Log(verdicts, proofs)
	require.Len(t, verdicts, 2)
	require.Len(t, proofs, 2, "some with sentences, some without")
}

// abc asks ABC (Brayton and Mishchenko, "ABC: an academic industrial-strength verification tool", CAV 2010).
func abc(t *testing.T, commands string) string {
	t.Helper()
	program, err := exec.LookPath("berkeley-abc")
	if err != nil {
		t.Skip("berkeley-abc is not installed (Debian: apt-get install berkeley-abc)")
	}
	out, err := exec.CommandContext(t.Context(), program, "-c", commands).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// kept tells whether the property of a witness is there at first, and each step keeps it.
func kept(t *testing.T, c *solver.Certificate) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "witness.aig")
	write(t, file, func(w io.Writer) error { return c.Witness(w, true, "model.aig", nil) })
	return strings.Contains(abc(t, "read_aiger "+file+"; bmc3 -F 1"), "No output asserted in 1 frames.") &&
		strings.Contains(abc(t, "read_aiger "+file+"; ind -F 2"), "Networks are equivalent.")
}

func write(t *testing.T, file string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
}

// TestABC compares verdicts with those of ABC, which looks for proofs of its own, and lets it check ours. With -long
// there are all programs of testdata with a proof within 20 seconds.
func TestABC(t *testing.T) {
	abc(t, "") // or skips the test
	proved, byABC := 0, 0
	for _, one := range oracle.Protocols(t) {
		all := flag.Lookup("long").Value.String() != "0"
		if !all && !slices.Contains(provedQuickly, one.Name) {
			continue
		}
		t.Run(one.Name, func(t *testing.T) {
			var c *solver.Certificate
			m, err := ldfi.New(one.Program, one.Bounds, ldfi.Options{Goals: one.Goals, Certify: func(found *solver.Certificate) { c = found }})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			a, err := m.AnyRounds(ctx)
			if all && (errors.As(err, new(*provenance.UntimedError)) || err == nil && a.Verdict != result.Holds) {
				return
			}
			require.NoError(t, err)
			require.NotNil(t, c)
			require.True(t, kept(t, c))
			model := filepath.Join(t.TempDir(), "model.aig")
			write(t, model, func(w io.Writer) error { return c.Model(w, true) })
			said := abc(t, "read_aiger "+model+"; pdr -T 60")
			require.NotContains(t, said, "was asserted")
			proved++
			if strings.Contains(said, "Property proved.") {
				byABC++
			}
		})
	}
	t.Logf("%d proved, %d by ABC as well", proved, byABC)
	require.GreaterOrEqual(t, byABC, len(provedQuickly))
}

// TestABCOnLess takes clauses from an invariant: each step does not keep what is left.
func TestABCOnLess(t *testing.T) {
	_, _, c := certified(t, provedQuickly[0])
	require.True(t, kept(t, c))
	whole, missed := c.Invariant, 0
	for i := 0; i < len(whole); i += 8 {
		c.Invariant = slices.Delete(slices.Clone(whole), i, i+1)
		if !kept(t, c) {
			missed++
		}
	}
	require.Positive(t, missed)
}
