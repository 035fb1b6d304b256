package dedalus_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// An outline has every statement that can be read, with the places of its names, whatever is
// wrong with the others.
func TestOutline(t *testing.T) {
	p := dedalus.Outline("x.ded", `// ldfi: processes=a,b eot=3
include "lib/none.ded";
node("a")@1;
this is no statement
choose  one coin(each, 0 | 1)@1;
log(X, Y :- node(X);
log(X, Missing) :- node(X), node(X, X);
`)
	require.Equal(t, []string{"x.ded"}, p.Files)
	require.Equal(t, []dedalus.Include{{Path: "lib/none.ded", Position: specs.Position{File: "x.ded", Line: 2, Column: 9}}}, p.Includes)
	require.Equal(t, "processes", p.Settings[0].Key)
	require.Len(t, p.Facts, 1)
	require.Len(t, p.Rules, 1, "what is not understood is left out, what is only wrong is there")
	require.Equal(t, 7, p.Rules[0].Position.Line)
}

// The name of a choice has a place of its own.
func TestNameOfChoice(t *testing.T) {
	p := parse(t, "choose /* which? */ one\n  coin(each, 0 | 1)@1;")
	require.Equal(t, []*syntax.Choose{p.Choices[0]}, p.Choices)
	require.Equal(t, 2, p.Choices[0].Name.Line)
	require.Equal(t, 3, p.Choices[0].Name.Column)
}
