package diagram_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

func TestEventsLeavesOutWhatRepeats(t *testing.T) {
	three := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6}
	e := oracle.Play(t, three, "crash a@2; omit a>c@1", []string{"a", "b", "log", "hello"}, []string{"a", "c", "log", "hello"}, []string{"a", "a", "log", "hello"})
	require.Equal(t, []diagram.Event{
		{Round: 1, Text: `log(b, "hello") from a to b`, Relation: "log"},
		{Round: 1, Text: `log(c, "hello") from a to c is lost (omit a>c@1)`, Relation: "log", Fault: true},
		{Round: 2, Text: "crash a@2", Fault: true},
		{Round: 2, Text: `log(b, "hello") from a to b is lost (crash a@2)`, Relation: "log", Fault: true},
		{Round: 2, Text: `log(c, "hello") from a to c is lost (crash a@2)`, Relation: "log", Fault: true},
	}, diagram.Events(e))
}

func TestEventsOfMessagesThatWait(t *testing.T) {
	e := &recording.Execution{
		System: "s", Bounds: rounds.Bounds{Processes: []string{"a"}, EOT: 2},
		Messages: []recording.Message{{To: "a", Round: 1, Relation: "tick", Arrival: 2}, {From: "a", To: "b", Round: 2, Relation: "tick", Arrival: 3}},
	}
	require.Equal(t, []diagram.Event{
		{Round: 1, Text: "tick() from nobody to a waits until round 2", Relation: "tick"},
		{Round: 2, Text: "tick() from a to b waits until the end", Relation: "tick"},
	}, diagram.Events(e))
}
