package vet_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestNumbersThatEnd are computed from earlier ones and are finitely many all the same: below a limit, modulo
// a number, taken from a table, or counted of what does not depend on them.
func TestNumbersThatEnd(t *testing.T) {
	for _, rules := range []string{
		`c(X, N + 1)@next :- c(X, N), N < 5;`,
		`c(X, N + 1)@next :- c(X, N), N + 1 <= 5;`,
		`c(X, N - 1)@next :- c(X, N), 0 < N;`,
		`c(X, (N + 1) % 5)@next :- c(X, N);`,
		`c(X, N / 2)@next :- c(X, N);`,
		`c(X, N + 1)@next :- c(X, N), table(X, N)@1;`,
		`c(X, N % 3 + 1)@next :- c(X, N);`,
		`c(X, M + N)@next :- c(X, _), table(X, M), table(X, N);`,
		`d(X, count<N>) :- c(X, N); c(X, N)@next :- c(X, N);`,
		`c(X, max<N>)@next :- d(X, N); d(X, N) :- c(X, N);`,
	} {
		require.Empty(t, growing(t, rules), rules)
	}
	for rules, says := range map[string]string{
		`c(X, N + 1)@next :- c(X, N), N > 5;`:                              "t.ded:4:8: the numbers in column 2 of c can grow, for N + 1 is computed from earlier ones: a test such as N < 9 in the rule ends that",
		`c(X, N - 1)@next :- c(X, N), N < 5;`:                              "t.ded:4:8: the numbers in column 2 of c can grow, for N - 1 is computed from earlier ones: a test such as N > 0 in the rule ends that",
		`c(X, N * 10 + M)@next :- c(X, N), table(X, M)@1;`:                 "t.ded:4:13: the numbers in column 2 of c can grow, for N * 10 + M is computed from earlier ones: a relation with a fact for each part, in place of a number, is finite",
		`d(Y, N)@async :- c(X, N), table(X, Y); c(X, N + 1) :- d(X, N);`:   "",
		`c(X, count<N>)@next :- c(X, N);`:                                  "",
		`c(X, N * 2)@next :- c(X, N), N < 5;`:                              "",
		`c(X, N + M)@next :- c(X, N), d(X, M), N < 5; d(X, N) :- c(X, N);`: "",
	} {
		all := growing(t, rules)
		require.NotEmpty(t, all, rules)
		if says != "" {
			require.Equal(t, says, all[0])
		}
	}
}

func growing(t *testing.T, rules string) (all []string) {
	p, err := dedalus.ParseText("t.ded", "// ldfi: processes=a eot=3\nc(\"a\", 0)@1;\ntable(\"a\", 1)@1;\n"+rules+"\nviolation(X) :- c(X, 7);\n")
	require.NoError(t, err)
	for _, w := range vet.Growing(p) {
		all = append(all, fmt.Sprintf("%s: %s", w.Position, w.Message))
	}
	return all
}
