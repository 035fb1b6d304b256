package roundstest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// All programs are among the quick ones, and only those that are named have smaller bounds.
func TestQuick(t *testing.T) {
	own, quick := Protocols(t), Quick(t)
	require.Len(t, quick, len(own))
	var other []string
	for i, c := range quick {
		require.Equal(t, own[i].Name, c.Name)
		if c.Bounds.String() != own[i].Bounds.String() {
			other = append(other, c.Name)
		}
	}
	require.Len(t, other, 2*len(smaller), other) // each with its fix
}

// Bounds that are for nobody, or not smaller, are left-overs.
func TestQuickErrors(t *testing.T) {
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simpel": {"eot": "3"}}), "not there: delivery/simpel")
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simple": {"crashes": "3"}}), "not smaller")
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simple": {"eot": "x"}}), "delivery/simple.ded")
}
