package notes_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/examples/notes"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/stretchr/testify/require"
)

func TestNotes(t *testing.T) {
	ldfitest.Run(t, notes.System("notes", false), ldfitest.Isolations(1, 20), ldfitest.Crashes(1, 1), ldfitest.Executions(200))
}

// One isolation brings the mistake out, and less does not.
func TestCareless(t *testing.T) {
	answer, err := search.Run(t.Context(), notes.System("notes-careless", true), search.Options{})
	require.NoError(t, err)
	require.Equal(t, result.Violated, answer.Verdict)
	require.Equal(t, 1, answer.First().Schedule.Size())
}
