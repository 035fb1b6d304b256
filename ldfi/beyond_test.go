package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// turns is a program in which a token has two values in turn, and what would be if it had both at once.
const turns = `
token("a", 0)@1;
token(X, 1)@next :- token(X, 0);
token(X, 0)@next :- token(X, 1);
both(X) :- token(X, 0), token(X, 1);
`

// TestStatesThatAreNeverReached have no meaning: some fact depends on its own absence, or facts have no end.
// The proof is that they are not reached.
func TestStatesThatAreNeverReached(t *testing.T) {
	for name, rules := range map[string]string{
		"a fact that depends on its own absence": `odd(X) :- both(X), notin odd(X); violation(X) :- odd(X);`,
		"facts without end":                      `up(X, 0) :- both(X); up(X, N + 1) :- up(X, N); violation(X) :- up(X, N), up(X, M), N == M + 3;`,
	} {
		t.Run(name, func(t *testing.T) {
			m := modelOf(t, turns+rules)
			a, err := m.AnyRounds(t.Context())
			require.NoError(t, err)
			assert.Equal(t, result.Holds, a.Verdict)
			assert.Equal(t, result.List[string]{`never token("a", V) and token("a", W)`}, a.Rounds.Invariant)
			assert.False(t, a.Rounds.Vacuous)
		})
	}
}

// TestBeyondTheBounds is what a verdict within bounds says of more rounds.
func TestBeyondTheBounds(t *testing.T) {
	for _, c := range []struct{ name, promise, verdict, reason string }{
		{"a proof is found in passing", `violation(X) :- both(X);`, "holds", ""},
		{"it breaks behind the bounds", `
			old("a", 1)@1; old(X, N + 1)@next :- old(X, N), N < 9;
			violation(X) :- old(X, 8);`, "inconclusive", "more rounds, or losses in more of them, may break it; --any-rounds looks further"},
		{"it is judged at the end", `pre(X) :- both(X); post(X) :- both(X);`, "", ""},
		{"it is broken within them", `violation(X) :- token(X, 1);`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := modelOf(t, turns+c.promise)
			beyond := m.Beyond(t.Context())
			a, err := m.Check(t.Context())
			require.NoError(t, err)
			u, err := beyond(a)
			require.NoError(t, err)
			if c.verdict == "" {
				assert.Nil(t, u)
				return
			}
			assert.Equal(t, c.verdict, string(u.Verdict))
			assert.Equal(t, c.reason, u.Reason)
		})
	}
}

// modelOf is a program with two processes, four rounds and an omission.
func modelOf(t *testing.T, text string) *ldfi.Model {
	p, err := dedalus.ParseText("test.ded", text)
	require.NoError(t, err)
	m, err := ldfi.New(p, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 4, Omissions: 1}, ldfi.Options{Goals: "every"})
	require.NoError(t, err)
	return m
}
