package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A command that is made alone is the one that is made among all.
func TestCommandsMadeAlone(t *testing.T) {
	for _, c := range new(session).commands() {
		alone := (&session{args: []string{c.Name(), "--help"}}).commands()
		require.Len(t, alone, 1)
		require.Equal(t, c.UsageString(), alone[0].UsageString())
	}
	require.Greater(t, len((&session{args: []string{"rn"}}).commands()), 20)
}
