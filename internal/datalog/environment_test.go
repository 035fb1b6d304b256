package datalog_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// A table has facts of every relation of the environment, with its columns, and
// a relation of the system is not taken for one.
func TestEnvironmentIsInTables(t *testing.T) {
	e := &recording.Execution{
		Bounds: rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 3},
		Schedule: rounds.Schedule{Faults: []rounds.Fault{
			{Kind: rounds.Crash, Process: "a", Round: 1}, {Kind: rounds.Restart, Process: "a", Round: 2},
			{Kind: rounds.Isolate, Process: "b", Round: 1}, {Kind: rounds.Pause, Process: "b", Round: 3},
			{Kind: rounds.Crash, Process: "b", Round: 3, Detail: "stored"}, {Kind: rounds.Partition, Round: 2, Until: 3, Detail: "a,c|*"},
		}},
		Messages: []recording.Message{
			{From: "a", To: "b", Round: 1, Relation: "log", Lost: true}, {From: "b", To: "a", Round: 2, Relation: "log"},
		},
	}
	for _, r := range datalog.Environment {
		e.Facts = append(e.Facts, recording.Fact{Relation: r.Name, Args: []specs.Value{specs.String("a")}, Round: 1})
	}
	var tabulator datalog.Tabulator
	table, err := tabulator.Table(e)
	require.NoError(t, err)
	columns := map[string]int{}
	var texts []string
	for _, f := range table {
		texts = append(texts, recording.Display(f, nil))
		columns[f.Relation] = len(f.Args)
	}
	require.Contains(t, texts, `crashed_at("b", "stored", 3)`)
	require.Contains(t, texts, `crashed("b", 3)`)
	for _, parted := range []string{`parted("a", "b", 2)`, `parted("b", "a", 3)`, `parted("d", "c", 3)`} {
		require.Contains(t, texts, parted)
	}
	require.NotContains(t, texts, `parted("a", "c", 2)`)
	for _, r := range datalog.Environment {
		require.Equal(t, len(r.Columns), columns[r.Name], r)
		require.Equal(t, 2, columns[r.Name+"_"], r)
		require.Equal(t, r.About, datalog.Subject(r.Name))
		require.Equal(t, datalog.Reports, datalog.Subject(r.Name+"_"))
	}
}
