package causality_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"testing"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Two messages, one of which is lost; a fact that lasts is told once, and what no process
// reports is left out.
func TestEvents(t *testing.T) {
	e := played(t)
	var b bytes.Buffer
	for i, event := range causality.Events(e) {
		fmt.Fprintf(&b, "%2d  round %d  %s  %s", i, event.Round, e.Bounds.Processes[event.Process], event.Text)
		if event.From >= 0 {
			fmt.Fprintf(&b, "  (%d)", event.From)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	require.NoError(t, causality.WriteEventDOT(&b, e))
	golden.Equal(t, "events.txt", b.Bytes())
}

func played(t *testing.T) *recording.Execution {
	t.Helper()
	e := oracle.Play(t, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Crashes: 1}, "omit a>b@1; crash a@3",
		[]string{"a", "b", "log", `"quoted" \ and \n`}, []string{"b", "b", "note"}, []string{"", "b", "input"})
	for round := 2; round <= 3; round++ {
		e.Facts = append(e.Facts, recording.Fact{Relation: "log", Args: []specs.Value{specs.String("b")}, Round: round}, recording.Fact{Relation: "nobody", Args: []specs.Value{specs.Int(1)}, Round: round})
	}
	return e
}

// Graphviz reads the graph.
func TestGraphviz(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	var b, errors bytes.Buffer
	require.NoError(t, causality.WriteEventDOT(&b, played(t)))
	cmd := exec.Command(dot, "-Tsvg")
	cmd.Stdin, cmd.Stderr = &b, &errors
	require.NoError(t, cmd.Run())
	require.Empty(t, errors.String())
}
