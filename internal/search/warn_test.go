package search

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// Who has no flags gets advice in words of their own.
func TestAdviceInOtherWords(t *testing.T) {
	require.Equal(t, "all: enumerate/7; or 80 rounds: done by then; or 1+2: none; or mend it",
		Advice("all: --strategy enumerate --executions 7; or --eot 80: done by then; or --crashes 1 --restarts 2: none; or mend it", "$1/$2", "$1+$2", "$1 rounds"))
}

// A client that has not ended without faults needs more rounds, or waits for what never comes.
func TestMoreRounds(t *testing.T) {
	stuck := []result.Violation{{Text: "it has not ended", ByEnd: true}}
	for _, c := range []struct {
		after *Aftermath
		want  string
	}{
		{&Aftermath{Awaited: stuck, Late: &result.Late{Rounds: 60}}, "it has not ended in 20 rounds, though nothing failed: try --eot 60"},
		{&Aftermath{Left: stuck, Continued: &result.Continued{Rounds: 160}}, "it has not ended in 160 rounds, though nothing failed: try --eot 500"},
		{&Aftermath{Left: stuck, Continued: &result.Continued{Rounds: 400}}, "it has not ended in 400 rounds, though nothing failed: try --eot 800"},
		{&Aftermath{Left: stuck, Continued: &result.Continued{Rounds: 4000}}, ""},
		{&Aftermath{Left: []result.Violation{{Text: "it fails"}}}, ""},
	} {
		d := Description{Name: "s"}
		require.Empty(t, d.MoreRounds(20, c.after))
		d.Offers = []string{OffersSignals}
		var texts []string
		for _, w := range d.MoreRounds(20, c.after) {
			texts = append(texts, w.Message)
		}
		if c.want == "" {
			require.Empty(t, texts)
		} else {
			require.Equal(t, []string{c.want}, texts)
		}
	}
}
