package lockstep

import (
	"context"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// RunWith is Run with further facts, as if the program stated them too. It
// leaves out those of relations that the program does not have, or has with
// another number of columns, and those of rounds beyond the bounds.
func (m *Machine) RunWith(ctx context.Context, s rounds.Schedule, facts []recording.Fact) (*Run, error) {
	m.further = facts
	defer func() { m.further = nil }()
	return m.Run(ctx, s)
}

// state makes facts hold.
func (m *Machine) state(facts []recording.Fact) bool {
	var row []id
	for i := range facts {
		f := &facts[i]
		number, ok := m.numbers[f.Relation]
		if !ok || f.Relation == crashes || len(f.Args) != m.relations[number].arity || f.Round < 1 || f.Round > m.eot {
			continue
		}
		row = row[:0]
		for _, v := range f.Args {
			row = append(row, m.values.intern(v))
		}
		if !m.insert(m.node(number, f.Round), row) {
			return false
		}
	}
	return true
}
