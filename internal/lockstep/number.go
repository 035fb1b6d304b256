package lockstep

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
)

// stream is the messages of a relation from one process to another in a round.
type stream struct {
	relation, from, to, round int
}

// places has the numbers of the messages of streams, from 1. Messages of one stream are in the
// order of recordings: by their arguments.
type places struct {
	known map[stream]map[string]int
	done  map[[2]int]bool // by relation and round
}

// rowKey is a row as a key of a map.
func rowKey(row []id) string {
	var key []byte
	for _, x := range row {
		key = binary.LittleEndian.AppendUint32(key, uint32(x))
	}
	return string(key)
}

// nth returns the number of a message of an instance; 0 if no fault hits one message alone of its stream.
func (m *Machine) nth(in *instance, to int, row []id) int {
	if !m.counting {
		return 0
	}
	return m.places.known[stream{in.relation, m.sender, to, in.round}][rowKey(row)]
}

// numberAll numbers the messages of a component, where a fault hits one of them alone, before
// any of them arrives.
func (m *Machine) numberAll(c *component) bool {
	for _, in := range c.recursive {
		if in.kind == syntax.Async && m.counts(in) {
			m.err = fmt.Errorf("%s: which messages %s are sent in round %d depends on which of them arrive, so they have no numbers: leave # out of the schedule",
				in.source.Position, m.relations[in.relation].name, in.round)
			return false
		}
	}
	for _, in := range c.first {
		if in.kind == syntax.Async && !m.number(in) {
			return false
		}
	}
	return true
}

// counts tells whether a fault hits one message alone of those that an instance and others of its round send.
func (m *Machine) counts(in *instance) bool {
	return m.env.Counts(m.relations[in.relation].name, in.round)
}

// number numbers the messages of a relation that are sent in a round.
func (m *Machine) number(in *instance) bool {
	of := [2]int{in.relation, in.round}
	if !m.counts(in) || m.places.done[of] {
		return true
	}
	sent := map[stream][][]id{}
	emit, firings := m.emit, m.firings
	defer func() { m.emit, m.firings = emit, firings }()
	m.firings, m.emit = 0, func(row []id) bool {
		if to, ok := m.process(row[0]); ok && m.at.round >= m.joined[to] && m.sender >= 0 {
			s := stream{m.at.relation, m.sender, to, m.at.round}
			sent[s] = append(sent[s], slices.Clone(row))
			return m.weigh(ofMessage + ofColumn*len(row))
		}
		return true
	}
	for _, sender := range m.senders {
		if sender.relation == in.relation && sender.round == in.round && !m.evaluate(sender) {
			return false
		}
	}
	for s, rows := range sent {
		slices.SortFunc(rows, func(a, b []id) int {
			return slices.CompareFunc(m.decode(a), m.decode(b), specs.Value.Compare)
		})
		known := map[string]int{}
		for _, row := range rows {
			if key := rowKey(row); known[key] == 0 {
				known[key] = len(known) + 1
			}
		}
		m.places.known[s] = known
	}
	m.places.done[of] = true
	return true
}
