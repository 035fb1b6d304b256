package diagram_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// Rounds of phases are drawn with their names.
func TestPhasesInDiagrams(t *testing.T) {
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Phase: []string{"Ask", "Answer"}},
		Schedule: rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Cut, Process: "a", To: "b", Round: 3, Until: 3}}}}
	var text, mermaid strings.Builder
	require.NoError(t, diagram.Write(&text, e, diagram.Options{All: true}))
	require.Contains(t, text.String(), "  2  phase 1, Answer   │")
	require.Contains(t, text.String(), "  3  phase 2, Ask      │")
	require.NoError(t, diagram.WriteMermaid(&mermaid, e, diagram.Options{All: true}))
	require.Contains(t, mermaid.String(), "round 3, phase 2, Ask")
}
