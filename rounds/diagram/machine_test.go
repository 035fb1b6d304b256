package diagram_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// machines is an execution with every fault of a machine.
func machines(t *testing.T) *recording.Execution {
	s, err := rounds.ParseSchedule("fast a@2..3; slow b@2; jump a@4+30; failsync b@4; crash a@5/torn; crash b@3/stored/kept; restart b@4; crash b@5/stored")
	require.NoError(t, err)
	e := &recording.Execution{
		System: "s", Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 6}, Schedule: s.Normal(), Inexact: "memory ran\nshort",
		Unreached: rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "b", Round: 5, Detail: "stored"}}},
		Facts:     []recording.Fact{},
		Messages:  []recording.Message{{From: "a", To: "b", Round: 1, Relation: "m"}},
	}
	require.NoError(t, e.Validate())
	return e
}

func TestDiagramOfMachines(t *testing.T) {
	var out strings.Builder
	require.NoError(t, diagram.Write(&out, machines(t), diagram.Options{}))
	require.Equal(t, `round  a         b
  1    ├─ m ────▶│
  2    »         «   fast a@2..3: the clock of a runs fast
       »         «   slow b@2: the clock of b runs slow
  3    »         ✗   crash b@3/stored/kept: b crashes at stored, and what it had not synced is kept
  4    │         ○   restart b@4
       │         │   jump a@4+30: the clock of a jumps ahead by 30 rounds
       │         │   failsync b@4: what b syncs does not become durable
  5    ✗         │   crash a@5/torn: what it had not synced is torn
       ╎         ✗   crash b@5/stored: b does not come to stored, and crashes at the end of the round
  6    ╎         ╎
       ✗ crashes   ○ restarts   ╎ has crashed   » runs fast   « runs slow
       not exact: memory ran\nshort
`, out.String())
}

func TestMermaidOfMachines(t *testing.T) {
	var out strings.Builder
	require.NoError(t, diagram.WriteMermaid(&out, machines(t), diagram.Options{}))
	for _, text := range []string{"the clock of a runs fast", "what b syncs does not become durable", "not exact#58; memory ran"} {
		require.Contains(t, out.String(), text)
	}
}
