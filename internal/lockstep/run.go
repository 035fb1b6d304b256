package lockstep

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Run has the facts of one execution. It is valid until its machine runs again.
type Run struct {
	m *Machine
}

// Run executes the program under a schedule, which has to be one for the
// processes and rounds of the bounds but may exceed their budgets.
//
// It returns a *limits.UndefinedError when a fact depends on its own absence, a
// *limits.RunawayError when a recursion within a round does not end, a
// *limits.LimitError when there are more facts than the options allow or three
// times as many firings of rules, and the context's error when that ends.
func (m *Machine) Run(ctx context.Context, s rounds.Schedule) (*Run, error) {
	if err := s.CheckProgram(); err != nil {
		return nil, err
	}
	if err := m.env.Reset(s); err != nil {
		return nil, err
	}
	m.restarts = slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Restart })
	m.counting = slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool { return f.Nth > 0 })
	if m.restarts && m.final != nil {
		return nil, m.final
	}
	if m.env.Latest() > m.latest() {
		return m.runWider(ctx, s)
	}
	m.clear(ctx)
	if !m.refuel() {
		return nil, m.err
	}
	if m.load() {
		for _, c := range m.components {
			if !m.compute(c) {
				break
			}
		}
	}
	m.ctx = nil
	if m.err != nil {
		return nil, m.err
	}
	return &Run{m}, nil
}

// runWider executes the program under a schedule whose messages come later than the bounds
// allow.
func (m *Machine) runWider(ctx context.Context, s rounds.Schedule) (*Run, error) {
	if m.wider == nil || m.wider.latest() < m.env.Latest() {
		b := m.bounds
		b.At = "" // faults may strike single messages
		b.Delays, b.MaxDelay = rounds.Unlimited, m.env.Latest()
		wider, err := Compile(m.source, b, m.options)
		if err != nil {
			return nil, err
		}
		m.wider = wider
	}
	m.wider.further = m.further
	return m.wider.Run(ctx, s)
}

// clear forgets the run before.
func (m *Machine) clear(ctx context.Context) {
	m.ctx, m.err, m.at = ctx, nil, nil
	m.facts, m.firings = 0, 0
	m.memory = limits.MemoryOf(ctx)
	for _, t := range m.filled {
		t.reset()
	}
	m.filled = m.filled[:0]
	clear(m.valued)
	m.values.forget()
	if m.counting {
		m.places = places{map[stream]map[string]int{}, map[[2]int]bool{}}
	}
}

// load states the given facts: those of the program, the chosen ones, and the crashes.
func (m *Machine) load() bool {
	for i := range m.given {
		if !m.insert(m.given[i].node, m.given[i].row) {
			return false
		}
	}
	if !m.choose() {
		return false
	}
	_, crashing := m.numbers[crashes]
	if _, reads := m.numbers[syntax.Booted]; !crashing && !(reads && m.restarts) {
		return m.state(m.further)
	}
	for _, f := range m.env.Schedule().Faults {
		if (f.Kind == rounds.Crash || f.Kind == rounds.Restart) && !m.happens(f) {
			return false
		}
	}
	return m.state(m.further)
}

// happens states the facts of the built-in relations about a crash or a restart.
func (m *Machine) happens(f rounds.Fault) bool {
	crash, known := m.numbers[crashes]
	booted, reads := m.numbers[syntax.Booted]
	switch victim := m.processes[slices.Index(m.names, f.Process)]; {
	case f.Kind == rounds.Crash && known:
		for _, observer := range m.processes {
			if !m.insert(m.node(crash, 1), []id{observer, victim, m.values.integer(int64(f.Round))}) {
				return false
			}
		}
	case f.Kind == rounds.Restart && reads:
		return m.insert(m.node(booted, f.Round), []id{victim})
	}
	return true
}

// table returns the table of a relation in a round, nil if there is none.
func (r *Run) table(relation string, round int) *table {
	number, ok := r.m.numbers[relation]
	if !ok {
		return nil
	}
	return &r.m.tables[r.m.node(number, round)]
}

// Has tells whether a fact holds.
func (r *Run) Has(relation string, args []specs.Value, round int) bool {
	t := r.table(relation, round)
	if t == nil || len(args) != t.arity {
		return false
	}
	row := make([]id, len(args))
	for i, v := range args {
		if row[i] = r.m.values.find(v); row[i] == none {
			return false
		}
	}
	return t.find(row) >= 0
}

// Facts returns the arguments of all facts of a relation in a round, sorted.
func (r *Run) Facts(relation string, round int) [][]specs.Value {
	t := r.table(relation, round)
	if t == nil {
		return nil
	}
	var facts [][]specs.Value
	for i := range t.n {
		facts = append(facts, r.m.decode(t.row(i)))
	}
	slices.SortFunc(facts, func(a, b []specs.Value) int { return slices.CompareFunc(a, b, specs.Value.Compare) })
	return facts
}

// decode returns the values of a row.
func (m *Machine) decode(row []id) []specs.Value {
	args := make([]specs.Value, len(row))
	for i, x := range row {
		args[i] = m.values.value(x)
	}
	return args
}

// NoValue returns the rules in which some arithmetic had no value, in the order of the
// program: a division by zero, a result beyond 64 bits, or arithmetic on strings. A fact
// that needs such a value did not hold.
func (r *Run) NoValue() []*syntax.Rule {
	var found []*syntax.Rule
	for i, valued := range r.m.valued {
		if valued {
			found = append(found, r.m.rules[i].source)
		}
	}
	return found
}
