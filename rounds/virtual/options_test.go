package virtual_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// Options with which no server can run are told before anything runs.
func TestOptions(t *testing.T) {
	for wrong, o := range map[string]virtual.Options{
		"there is no Start":            {},
		"Tick is -1ns":                 {Start: startClock, Tick: -1},
		"Drift is 1, and has to be":    {Start: startClock, Drift: 1},
		"Memory is -1 and ResetAfter ": {Start: startClock, Memory: -1},
	} {
		s := clocks()
		s.New = virtual.New(o)
		_, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
		require.ErrorContains(t, err, wrong)
		require.ErrorContains(t, err, "in New")
	}
}
