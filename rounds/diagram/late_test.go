package diagram_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// What comes late does not wait for anybody, and a duplicate has a line of its own.
func TestLateMessages(t *testing.T) {
	schedule, err := rounds.ParseSchedule("delay a>b@1+2; duplicate a>c@1+1")
	require.NoError(t, err)
	e := &recording.Execution{System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 3}, Schedule: schedule}
	for _, m := range []recording.Message{{To: "b", Arrival: 3}, {To: "c"}, {To: "c", Again: true, Arrival: 2}} {
		m.From, m.Round, m.Relation, m.Args = "a", 1, "log", []specs.Value{specs.String(m.To), specs.String("x")}
		e.Messages = append(e.Messages, m)
	}
	require.NoError(t, e.Validate())
	var texts []string
	for _, event := range diagram.Events(e) {
		texts = append(texts, event.Text)
	}
	require.Contains(t, texts, `log(b, "x") from a to b arrives in round 3`)
	require.Contains(t, texts, `log(c, "x") from a to c arrives again in round 2`)
	require.Contains(t, texts, `log(c, "x") from a to c`)
	var text strings.Builder
	require.NoError(t, diagram.Write(&text, e, diagram.Options{}))
	require.Contains(t, text.String(), "arrives in round 3")
	require.Contains(t, text.String(), "arrives again in round 2")
	require.NotContains(t, text.String(), "waits")
	require.NotContains(t, text.String(), "×2")
}
