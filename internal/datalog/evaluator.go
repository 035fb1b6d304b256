package datalog

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Evaluator evaluates rules over one execution after the other. It is for one
// goroutine; Clone gives another.
type Evaluator struct {
	*Compiled
	Watch    *Watch // nil: nobody watches
	recorded Tabulator
	machine  *lockstep.Machine
	result   *lockstep.Run
	derived  map[string][][]specs.Value // by the engine
}

// Clone returns an evaluator of the same rules for another goroutine.
func (v *Evaluator) Clone() *Evaluator {
	clone := &Evaluator{Compiled: v.Compiled, Watch: v.Watch, recorded: Tabulator{Reads: v.Reads, Derives: v.Derives}}
	if v.machine != nil {
		clone.machine = v.machine.Clone()
	}
	return clone
}

// Table returns what the rules read of an execution. It is valid until the next
// call of a method.
func (v *Evaluator) Table(e *recording.Execution) ([]recording.Fact, error) {
	table, err := v.recorded.Table(e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	return table, nil
}

// Run evaluates the rules over an execution.
func (v *Evaluator) Run(e *recording.Execution) error {
	table, err := v.Table(e)
	if err != nil {
		return err
	}
	if err := v.RunTable(context.Background(), table); err != nil {
		return err
	}
	v.Watch.look(e.Facts, table, func() bool { return len(v.Rows("pre")) > 0 })
	return nil
}

// RunTable evaluates the rules over a table.
func (v *Evaluator) RunTable(ctx context.Context, table []recording.Fact) (err error) {
	if v.machine != nil {
		v.result, err = v.machine.RunWith(ctx, rounds.Schedule{}, table)
	} else {
		v.derived, err = v.Engine.Run(ctx, table)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", v.Name, err)
	}
	return nil
}

// Rows returns the arguments of what the rules derived last, sorted.
func (v *Evaluator) Rows(relation string) [][]specs.Value {
	if v.machine != nil {
		return v.result.Facts(relation, 1)
	}
	return v.derived[relation]
}
