package property

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// A checker shows what its rules derived and what they read, for those who ask
// why an outcome held.
func TestWhatRulesDeriveAndRead(t *testing.T) {
	e := recorded(t, "leader a 1 @2", "leader b 2 @5", "word c hello @1")
	c, err := Compile(Property{Name: "led", Rules: `
		pre(1). pre(2).
		post(T) :- leader(_, T, _).
		needs(T, P, P, R) :- leader(P, T, R).`})
	require.NoError(t, err)
	require.True(t, c.Derives("post"))
	require.True(t, c.Derives(Needs))
	require.False(t, c.Derives(NeedsSome))

	violations, err := c.Check(e)
	require.NoError(t, err)
	require.Empty(t, violations)
	one, two, a, b := dedalus.Int(1), dedalus.Int(2), dedalus.String("a"), dedalus.String("b")
	require.Equal(t, [][]dedalus.Value{{one}, {two}}, c.Derived("post"))
	require.Equal(t, [][]dedalus.Value{{one, a, a, two}, {two, b, b, dedalus.Int(5)}}, c.Derived(Needs))
	require.Empty(t, c.Derived(NeedsSome))

	facts, err := c.Facts(e)
	require.NoError(t, err)
	require.Equal(t, []rounds.Fact{
		{Relation: "leader", Args: []dedalus.Value{a, one, two}, Round: 1},
		{Relation: "leader", Args: []dedalus.Value{b, two, dedalus.Int(5)}, Round: 1},
	}, facts)

	f, err := Compile(Property{Name: "any", Func: func(*rounds.Execution) []Violation { return nil }})
	require.NoError(t, err)
	require.False(t, f.Derives("post"))
	require.Nil(t, f.Derived("post"))
	facts, err = f.Facts(e)
	require.NoError(t, err)
	require.Nil(t, facts)
}
