package strategies

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// need is the need of an outcome, by rules.
type need struct {
	outcome []specs.Value
	enough  solver.Lit
}

// needs returns the needs that rules state, sorted by outcomes: all deliveries of
// needs(..), and of each group of needs_some(..) at least its threshold. Thresholds stay
// thresholds.
func (w *witness) needs(c *faultCircuit) ([]need, error) {
	var all []need
	add := func(outcome []specs.Value, l solver.Lit) {
		i, known := slices.BinarySearchFunc(all, outcome, func(n need, args []specs.Value) int {
			return slices.CompareFunc(n.outcome, args, specs.Value.Compare)
		})
		if !known {
			all = slices.Insert(all, i, need{outcome, solver.True})
		}
		all[i].enough = c.And(all[i].enough, l)
	}
	for _, row := range w.rules.Rows(datalog.Needs) {
		outcome, delivery := row[:len(row)-3], row[len(row)-3:]
		l, err := c.needed(delivery)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rowText(datalog.Needs, row), err)
		}
		add(outcome, l)
	}
	rows := w.rules.Rows(datalog.NeedsSome)
	for len(rows) > 0 { // they are sorted, so that groups stand together
		first := rows[0]
		group := first[:len(first)-3]
		var some []solver.Lit
		for len(rows) > 0 && slices.Equal(rows[0][:len(group)], group) {
			l, err := c.needed(rows[0][len(group):])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rowText(datalog.NeedsSome, rows[0]), err)
			}
			some = append(some, l)
			rows = rows[1:]
		}
		outcome, n := group[:len(group)-2], group[len(group)-1]
		if !n.IsInt() || n.Int() < 0 || n.Int() > int64(len(some)) {
			return nil, fmt.Errorf("%s: the outcome needs at least %s of the group, which has %d", rowText(datalog.NeedsSome, first), n, len(some))
		}
		if n.Int() > 0 {
			add(outcome, c.Counts(some, int(n.Int()))[n.Int()-1])
		}
	}
	return all, nil
}

// needed is true when a delivery takes place, given as From, To and Round.
func (c *faultCircuit) needed(delivery []specs.Value) (solver.Lit, error) {
	from, to := c.index(delivery[0].Text()), c.index(delivery[1].Text())
	switch {
	case from < 0:
		return solver.False, fmt.Errorf("%s is no process", delivery[0])
	case to < 0:
		return solver.False, fmt.Errorf("%s is no process", delivery[1])
	case !delivery[2].IsInt() || delivery[2].Int() < 1 || delivery[2].Int() > int64(c.bounds.EOT):
		return solver.False, fmt.Errorf("%s is no round of an execution with %d", delivery[2], c.bounds.EOT)
	}
	return c.deliversAll(from, to, int(delivery[2].Int())), nil
}

func rowText(relation string, row []specs.Value) string {
	return recording.Display(recording.Fact{Relation: relation, Args: row}, nil)
}
