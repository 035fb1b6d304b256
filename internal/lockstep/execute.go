package lockstep

import (
	"context"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Execute executes the program under a schedule, as Run does, and records everything: all
// facts, and all messages whether they arrived or not. It also records messages sent in the
// last round, and messages of a process to itself; but no messages to a destination that is
// no process or has not joined.
func (m *Machine) Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, error) {
	run, err := m.Run(ctx, s)
	if err != nil {
		return nil, err
	}
	e := &recording.Execution{Bounds: m.bounds, Schedule: m.env.Schedule()}
	if e.Facts, err = run.all(ctx); err != nil {
		return nil, err
	}
	if e.Messages, err = run.m.messages(ctx); err != nil {
		return nil, err
	}
	e.Sort()
	return e, nil
}

// all returns the facts of all relations in all rounds.
func (r *Run) all(ctx context.Context) ([]recording.Fact, error) {
	var facts []recording.Fact
	r.m.ctx = ctx
	defer func() { r.m.ctx = nil }()
	for round := 1; round <= r.m.eot; round++ {
		for i, rel := range r.m.relations {
			t := &r.m.tables[r.m.node(i, round)]
			for row := range t.n {
				if !r.m.tick() || !r.m.weigh(ofRecordedFact+ofColumn*t.arity) {
					return nil, r.m.err
				}
				facts = append(facts, recording.Fact{Relation: rel.name, Args: r.m.decode(t.row(row)), Round: round})
			}
		}
	}
	return facts, nil
}

// messages evaluates the @async rules once more over the facts that held, to get the
// messages.
func (m *Machine) messages(ctx context.Context) ([]recording.Message, error) {
	var messages []recording.Message
	m.emit = func(row []id) bool {
		if to, ok := m.process(row[0]); ok && m.at.round >= m.joined[to] {
			sent := m.sent(row, to)
			messages = append(messages, sent...)
			return m.weigh(len(sent) * (ofMessage + ofColumn*len(row)))
		}
		return true
	}
	m.ctx, m.firings = ctx, 0
	defer func() { m.emit, m.ctx = nil, nil }()
	for _, in := range m.senders {
		if m.counting && !m.number(in) || !m.evaluate(in) {
			return nil, m.err
		}
	}
	return messages, nil
}

// sent returns the messages that the instance being evaluated sends, with their fates.
func (m *Machine) sent(row []id, to int) []recording.Message {
	var messages []recording.Message
	relation := m.relations[m.at.relation].name
	for _, fate := range m.env.Of(relation, m.nth(m.at, to, row)).Fates(m.sender, to, m.at.round) {
		message := recording.Message{
			To: m.names[to], Round: m.at.round, Relation: relation, Args: m.decode(row),
			Arrival: fate.Arrival, Again: fate.Again, Lost: fate.Lost, Cause: fate.Cause,
		}
		if m.sender >= 0 {
			message.From = m.names[m.sender]
		}
		messages = append(messages, message)
	}
	return messages
}

// RunWith is Run with further facts, as if the program stated them too. It leaves out facts
// of relations that the program does not have, or has with another number of columns, and
// facts of rounds beyond the bounds.
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
