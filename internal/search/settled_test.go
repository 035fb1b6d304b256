package search

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// What is decided with one seed only, such as what a torn disk keeps, is said to be.
func TestSettledOn(t *testing.T) {
	for text, settings := range map[string]rounds.Settings{
		"":             {Reliable: "*>m"},
		" with seed 3": {Seed: rounds.Set(3)},
	} {
		require.Equal(t, text, SettledOn(&result.Answer{Search: &result.Search{Certificate: &result.Certificate{Settings: settings}}}))
	}
	require.Empty(t, SettledOn(&result.Answer{Search: &result.Search{}}))
	require.Empty(t, SettledOn(&result.Answer{}))
}
