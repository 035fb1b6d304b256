package answertext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// A server that nobody answers dials in every second round: in a long execution that is one line.
func TestLongDiagramsAreFolded(t *testing.T) {
	e := &recording.Execution{System: "kvd", Bounds: rounds.Bounds{EOT: 300, Processes: []string{"n1", "n2"}}}
	for round := 1; round < 300; round += 2 {
		e.Messages = append(e.Messages, recording.Message{Relation: "dial", From: "n1", To: "n2", Round: round})
	}
	var drawn strings.Builder
	require.NoError(t, Draw(&drawn, e, nil, Drawing{}))
	require.Contains(t, drawn.String(), "folded: dial n1>n2 every 2 rounds from round 1 to 299\n")
	require.Less(t, strings.Count(drawn.String(), "\n"), 10)
	e.Bounds.EOT, e.Messages = 20, e.Messages[:10]
	drawn.Reset()
	require.NoError(t, Draw(&drawn, e, nil, Drawing{}))
	require.NotContains(t, drawn.String(), "folded")
}

// What led to a late waypoint may be most of an execution.
func TestLongWaysAreCut(t *testing.T) {
	w := result.Way{Processes: []string{"a@9"}}
	for round := 1; round <= 20; round++ {
		w.Messages = append(w.Messages, fmt.Sprintf("vote a>b@%d", round))
	}
	lines := func() []string {
		return held(&result.Guidance{Held: &result.Unharmed{Waypoints: 1, Ways: result.List[result.Way]{w}}})
	}
	require.True(t, strings.HasSuffix(lines()[0], ", vote a>b@20; a@9 up"), lines()[0])
	w.Messages = append(w.Messages, "vote a>b@21", "vote a>b@22")
	require.True(t, strings.HasSuffix(lines()[0], ", vote a>b@19 and 3 more messages; a@9 up"), lines()[0])
}
