package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

// cnf is a formula of clauses over the variables 1 to n.
type cnf struct {
	n       int
	clauses [][]int
}

func (f cnf) text() []byte {
	text := fmt.Sprintf("c a formula\np cnf %d %d\n", f.n, len(f.clauses))
	for _, k := range f.clauses {
		text += line(k)
	}
	return []byte(text)
}

// line is a clause as both formats have it.
func line(clause []int) string {
	return strings.Join(append(strings.Fields(strings.Trim(fmt.Sprint(clause), "[]")), "0\n"), " ")
}

// random draws clauses of up to three literals.
func random(rng *rand.Rand, n, clauses int) cnf {
	f := cnf{n: n}
	for range clauses {
		f.clauses = append(f.clauses, randomClause(rng, n))
	}
	return f
}

func randomClause(rng *rand.Rand, n int) (clause []int) {
	for range 1 + min(2, rng.IntN(6)) {
		l := 1 + rng.IntN(n)
		if rng.IntN(2) == 0 {
			l = -l
		}
		clause = append(clause, l)
	}
	return clause
}

// satisfiable tries all assignments.
func (f cnf) satisfiable() bool {
	for set := range 1 << f.n {
		all := true
		for _, k := range f.clauses {
			some := false
			for _, l := range k {
				some = some || (set>>(max(l, -l)-1)&1 == 1) == (l > 0)
			}
			all = all && some
		}
		if all {
			return true
		}
	}
	return false
}

// refutation splits one variable after the other, and writes for each case that has come
// to its end that it is none: a proof of a formula that cannot be satisfied.
func (f cnf) refutation() (proof string) {
	var cases func(path []int)
	cases = func(path []int) {
		if v := len(path) + 1; v <= f.n {
			cases(append(path, v))
			cases(append(path, -v))
		}
		var denied []int
		for _, l := range path {
			denied = append(denied, -l)
		}
		proof += line(denied)
	}
	cases(nil)
	return proof
}

// A refutation by cases is a proof exactly if the formula cannot be satisfied, and of one
// that can no proof is accepted, whatever is drawn.
func TestAgainstAllAssignments(t *testing.T) {
	accepted, refused, drawn := 0, 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f := random(rng, 2+rng.IntN(4), 3+rng.IntN(16))
		satisfiable := f.satisfiable()
		err := oracle.CheckProof(f.text(), []byte(f.refutation()))
		if satisfiable {
			refused++
			require.Error(t, err, "seed %d", seed)
		} else {
			accepted++
			require.NoError(t, err, "seed %d", seed)
		}
		for range 10 {
			var proof string
			for range 1 + rng.IntN(12) {
				if rng.IntN(5) == 0 {
					proof += "d "
				}
				proof += line(randomClause(rng, f.n+1)) // with a further variable
			}
			if oracle.CheckProof(f.text(), []byte(proof+"0\n")) == nil {
				drawn++
				require.False(t, satisfiable, "seed %d: %s", seed, proof)
			}
		}
	}
	require.Greater(t, min(accepted, refused), 200)
	require.Greater(t, drawn, 100)
}

var xor = cnf{3, [][]int{{1, 2}, {-1, 2, 3}, {1, -2}, {-1, -2}, {-3, 2}}}

func TestTampered(t *testing.T) {
	require.NoError(t, oracle.CheckProof(xor.text(), []byte("1 0\n0\n")))
	require.NoError(t, oracle.CheckProof(xor.text(), []byte("a\x02\x00a\x00")))
	require.NoError(t, oracle.CheckProof(xor.text(), []byte("4 -1 -2 0\nd 4 -1 -2 0\n1 0\n")), "the first is RAT and no more")
	for proof, says := range map[string]string{
		"":               "it ends without a contradiction",
		"0\n":            "step 1, the clause [], does not follow",
		"1 0":            "",
		"d 1 2 0\n1 0\n": "step 2, the clause [1], does not follow",
		"1 0\n0":         "",
		"1\n0\n":         "a line that is no clause",
		"a\x02":          "it ends within a clause",
		"b\x02\x00":      "a step that begins with 'b'",
	} {
		err := oracle.CheckProof(xor.text(), []byte(proof))
		if says == "" {
			require.NoError(t, err, proof)
		} else {
			require.ErrorContains(t, err, says, proof)
		}
	}
	require.ErrorContains(t, oracle.CheckProof([]byte("p cnf 1 2\n1 0\n"), nil), "2 clauses are declared, and there are 1")
	require.NoError(t, oracle.CheckProof([]byte("p cnf 0 1\n0\n"), nil))
}

// byCadical returns the proof of cadical, or none of a formula that can be satisfied.
func byCadical(t *testing.T, f cnf, options ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	formula, proof := filepath.Join(dir, "f.cnf"), filepath.Join(dir, "f.drat")
	require.NoError(t, os.WriteFile(formula, f.text(), 0o600))
	err := exec.Command("cadical", append(options, "-q", formula, proof)...).Run()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 20 {
		text, err := os.ReadFile(proof)
		require.NoError(t, err)
		return text
	}
	return nil
}

// flip negates the first literal of each clause that a proof adds.
func flip(proof []byte) []byte {
	var flipped strings.Builder
	for line := range strings.Lines(string(proof)) {
		switch {
		case strings.HasPrefix(line, "-"):
			line = line[1:]
		case line[0] >= '1' && line[0] <= '9':
			line = "-" + line
		}
		flipped.WriteString(line)
	}
	return []byte(flipped.String())
}

// Proofs of a solver, in both forms, are accepted of their formula; not of one that can be
// satisfied because a clause is gone; and hardly any where half of it is missing or
// literals are negated.
func TestProofsOfCadical(t *testing.T) {
	if _, err := exec.LookPath("cadical"); err != nil {
		t.Skip("cadical is not installed (Debian: apt-get install cadical)")
	}
	checked, dropped, cut, flipped := 0, 0, 0, 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := cnf{n: 40}
		for range 210 {
			k := rng.Perm(f.n)[:3]
			for i := range k {
				k[i] = (k[i] + 1) * (1 - 2*rng.IntN(2))
			}
			f.clauses = append(f.clauses, k)
		}
		proof := byCadical(t, f)
		if proof == nil {
			continue
		}
		checked++
		require.NoError(t, oracle.CheckProof(f.text(), proof), "seed %d", seed)
		text := byCadical(t, f, "--no-binary")
		require.NoError(t, oracle.CheckProof(f.text(), text), "seed %d", seed)
		if oracle.CheckProof(f.text(), flip(text)) != nil {
			flipped++
		}
		if oracle.CheckProof(f.text(), proof[:len(proof)/2]) != nil {
			cut++
		}
		for len(f.clauses) > 0 {
			f.clauses = f.clauses[min(8, len(f.clauses)):]
			if byCadical(t, f) == nil {
				dropped++
				require.Error(t, oracle.CheckProof(f.text(), proof), "seed %d", seed)
				break
			}
		}
	}
	require.Greater(t, checked, 3)
	require.Greater(t, flipped, checked/2)
	require.Equal(t, checked, dropped)
	require.Greater(t, cut, checked/2)
}
