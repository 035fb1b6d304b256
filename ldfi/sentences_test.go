package ldfi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestSentences shows what proofs for any number of rounds say: that an acknowledged write is at every follower
// in sync, and that a server votes once in a term. A sentence names processes if it is so of some only.
func TestSentences(t *testing.T) {
	var text strings.Builder
	for _, file := range []string{"../testdata/protocols/replication/kafka_min_isr.ded", "testdata/raft.ded"} {
		p, err := dedalus.Parse(file)
		require.NoError(t, err)
		a, err := anyRoundsOf(t, p)
		require.NoError(t, err)
		require.Equal(t, result.Holds, a.Verdict)
		require.LessOrEqual(t, len(a.Rounds.Invariant), 40)
		fmt.Fprintf(&text, "%s: %d clauses, %d sentences\n", file, a.Rounds.Clauses, len(a.Rounds.Invariant))
		for _, sentence := range a.Rounds.Invariant {
			fmt.Fprintf(&text, "  %s\n", sentence)
		}
	}
	golden(t, "sentences.txt", text.String())
}
