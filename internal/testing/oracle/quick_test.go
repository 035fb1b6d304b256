package oracle

import (
	"slices"
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

// The quick cases are of all signatures, one of each, and none has a smaller one beside it.
// Only what the large published bugs alone have together is for -all.
func TestQuick(t *testing.T) {
	quick, left := map[string]int{}, map[string]bool{}
	for _, c := range Quick(t) {
		s := signature(c.Program, c.Bounds, c.Goals)
		require.NotContains(t, quick, s)
		quick[s] = weight(c.Program, c.Bounds)
	}
	for _, c := range Small(t) {
		s := signature(c.Program, c.Bounds, c.Goals)
		if _, ok := quick[s]; !ok && large(c) {
			left[s] = true
			continue
		}
		require.Contains(t, quick, s)
		require.LessOrEqual(t, quick[s], weight(c.Program, c.Bounds), c.Name)
	}
	require.Greater(t, len(quick), 30)
	require.Len(t, left, 2)
}

// Every kind of fault that a program can have, and every part of the language, is among them.
func TestSignatures(t *testing.T) {
	var words []string
	for _, c := range Quick(t) {
		words = append(words, strings.Fields(signature(c.Program, c.Bounds, c.Goals))...)
	}
	slices.Sort(words)
	require.Equal(t, strings.Fields(`aggregates assumptions choices crash cut delay deliver duplicate durable
		isolate joins kernel messages negation omit partition phases recursion restart stop`), slices.Compact(words))
}

// Bounds that are for nobody, or not smaller, are left-overs.
func TestQuickErrors(t *testing.T) {
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simpel": {"eot": "3"}}), "not there: delivery/simpel")
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simple": {"crashes": "3"}}), "not smaller")
	require.ErrorContains(t, bind(Protocols(t), map[string]map[string]string{"delivery/simple": {"eot": "x"}}), "delivery/simple.ded")
}
