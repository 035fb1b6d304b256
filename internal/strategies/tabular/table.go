package tabular

// State is the number of a state.
type State int32

// Action is the number of an action.
type Action int32

// table has a value of each action in each state. What it has not is worth the same.
type table struct {
	unknown float64
	rows    map[State][]cell
}

// cell is what is known of an action in a state.
type cell struct {
	action Action
	value  float64
	visits int
}

func newTable(unknown float64) *table { return &table{unknown, map[State][]cell{}} }

// offer notes the actions that there are in a state, and returns their cells, in the order
// of the actions.
func (t *table) offer(s State, actions []Action) []*cell {
	for _, a := range actions {
		if t.at(s, a) == nil {
			t.rows[s] = append(t.rows[s], cell{action: a, value: t.unknown})
		}
	}
	cells := make([]*cell, len(actions))
	for i, a := range actions {
		cells[i] = t.at(s, a)
	}
	return cells
}

// at returns the cell of an action in a state, nil if that was never offered.
func (t *table) at(s State, a Action) *cell {
	row := t.rows[s]
	for i := range row {
		if row[i].action == a {
			return &row[i]
		}
	}
	return nil
}

// best returns the highest value of an action in a state.
func (t *table) best(s State) float64 {
	row := t.rows[s]
	if len(row) == 0 {
		return t.unknown
	}
	best := row[0].value
	for _, c := range row[1:] {
		best = max(best, c.value)
	}
	return best
}
