package strategies

import (
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// A fact of the environment that is not of a process hangs on nothing that
// processes report; any other fact does.
func TestRecordedOfTheEnvironment(t *testing.T) {
	c := newFaultCircuit(rounds.Bounds{Processes: []string{"a", "b"}, EOT: 1}.Normal())
	never := [][]solver.Lit{{solver.False, solver.False}, {solver.False, solver.False}}
	fact := func(relation string, columns int) recording.Fact {
		args := slices.Repeat([]specs.Value{specs.String("nobody")}, columns)
		args[columns-1] = specs.Int(1)
		return recording.Fact{Relation: relation, Args: args, Round: 1}
	}
	for _, r := range datalog.Environment {
		require.Equal(t, solver.True, c.recorded(never, fact(r.Name, len(r.Columns))), r)
	}
	require.Equal(t, solver.False, c.recorded(never, fact("log", 2)))
}
