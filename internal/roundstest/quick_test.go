package roundstest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// All programs are among the small ones, and only those that are named have smaller bounds.
func TestSmall(t *testing.T) {
	own, small := Protocols(t), Small(t)
	require.Len(t, small, len(own))
	var other []string
	for i, c := range small {
		require.Equal(t, own[i].Name, c.Name)
		if c.Bounds.String() != own[i].Bounds.String() {
			other = append(other, c.Name)
		}
	}
	require.Len(t, other, 2*len(smaller), other) // each with its fix
}

// A test looks at everything but three published bugs in four, and each bug is looked at, with
// its fix, by some test.
func TestQuick(t *testing.T) {
	all, missing := Small(t), map[string]bool{}
	for _, c := range all {
		missing[c.Name] = true
	}
	for _, test := range []string{"TestA", "TestB", "TestC", "TestD"} {
		quick := some(Small(t), test)
		published := 0
		for _, c := range quick {
			delete(missing, c.Name)
			if strings.HasPrefix(c.Name, "catalogue/") {
				published++
			}
		}
		require.Less(t, published, 16, test)
		require.GreaterOrEqual(t, published, 12, test)
	}
	require.Empty(t, missing)
}

// Bounds that are for nobody, or not smaller, are left-overs.
func TestQuickErrors(t *testing.T) {
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simpel": {"eot": "3"}}), "not there: delivery/simpel")
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simple": {"crashes": "3"}}), "not smaller")
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simple": {"eot": "x"}}), "delivery/simple.ded")
}
