package ldfi

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// A program may be refused if facts of a round depend on each other through what is
// absent, or make values.
func TestRefusable(t *testing.T) {
	for text, want := range map[string]bool{
		`p(X) :- q(X), notin r(X); r(X) :- q(X), notin p(X);`:           true,
		`p(X)@next :- q(X), notin r(X); r(X) :- q(X), notin p(X);`:      false,
		`p(X + 1) :- p(X), X < 10; p(1)@1;`:                             true,
		`p(X + 1)@next :- p(X); p(1)@1;`:                                false,
		`p(count<X>) :- q(X), p(X); p(1)@1; q(1)@1;`:                    true,
		`p(X, Z) :- p(X, Y), p(Y, Z); p(X, Y) :- q(X, Y);`:              false,
		`p(X)@next :- q(X), notin r(X)@2; r(X) :- q(X), p(X);`:          true,
		`p(count<X>) :- q(X); r(X) :- p(X), notin q(X); q("a")@1;`:      false,
		`violation(X) :- p(X), notin p(X); p(X) :- violation(X), p(X);`: true,
	} {
		p, err := dedalus.ParseText("test.ded", text)
		require.NoError(t, err, text)
		require.Equal(t, want, refusable(p), text)
	}
}

// Of the protocols only those may be refused that are about recursion.
func TestRefusableProtocols(t *testing.T) {
	var names []string
	for _, c := range oracle.Protocols(t) {
		if refusable(c.Program) {
			names = append(names, c.Name)
		}
	}
	require.Equal(t, []string{"traps/idle_cycle.ded", "traps/wellfounded.ded"}, names)
}
