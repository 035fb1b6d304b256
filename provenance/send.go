package provenance

import (
	"cmp"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// Send is a message that a process sends under some schedule, whether it arrives or not.
type Send struct {
	From, To string // From is empty if the rule has no location
	Round    int
	Relation string
	Args     []specs.Value
	Cond     solver.Lit // when it is sent
}

// Sends returns the messages of the @async rules, if Options.Messages asks for them: each
// message once, also messages of the last round, to the sender itself, and those that never
// arrive; but no messages to a destination that is no process or has not joined. They are
// in the order of recordings.
func (g *Graph) Sends() []Send { return g.sends }

// sending collects the messages of one evaluation.
type sending struct {
	*evaluation
	round      int
	rule       *rule
	known      map[message]int // their places
	conditions [][]solver.Lit
}

// message is a message of one sender, by its numbers.
type message struct {
	round, from, relation int
	head                  string
}

// sendAll runs the @async rules once more over all possible facts.
func (ev *evaluation) sendAll() {
	s := &sending{evaluation: ev, known: map[message]int{}}
	ev.sending = s
	defer func() { ev.sending = nil }()
	for round := 1; round <= ev.graph.Bounds.EOT; round++ {
		for _, r := range ev.graph.rules {
			if r.kind != syntax.Async || r.late > 0 {
				continue
			}
			if s.run(r, round); !ev.check() {
				return
			}
		}
	}
	s.finish()
}

// run runs a rule in a round.
func (s *sending) run(r *rule, round int) {
	if s.rule, s.round = r, round; r.aggregates == nil {
		s.join.run(r, round, -1, nil)
		return
	}
	g := newGrouping(r, round)
	s.join.run(r, round, -1, g)
	for _, group := range g.groups {
		exact := make([]span, len(group.rows))
		for i, row := range group.rows {
			exact[i] = span{row.cond, row.cond}
		}
		for _, h := range s.heads(group, exact, false) {
			s.add(group.from, h.tuple, h.cond)
		}
	}
}

// add adds a message that is sent under a condition.
func (s *sending) add(from int, head []uint32, cond solver.Lit) {
	to := s.process(head[0])
	if to < 0 || s.joined != nil && s.round < s.joined[to] {
		return
	}
	s.countFiring(s.rule, s.round)
	key := message{s.round, from, s.rule.head.number, text(head)}
	at, known := s.known[key]
	if !known {
		at = len(s.graph.sends)
		s.known[key] = at
		s.countMemory(ofSend+ofColumn*len(head), s.rule, s.round)
		m := Send{To: s.graph.Bounds.Processes[to], Round: s.round, Relation: s.rule.head.name}
		if from >= 0 {
			m.From = s.graph.Bounds.Processes[from]
		}
		for _, id := range head {
			m.Args = append(m.Args, s.graph.values.list[id])
		}
		s.graph.sends = append(s.graph.sends, m)
		s.conditions = append(s.conditions, nil)
	}
	s.conditions[at] = append(s.conditions[at], cond)
}

// finish gives the messages their conditions, and sorts them.
func (s *sending) finish() {
	for i, conditions := range s.conditions {
		s.graph.sends[i].Cond = s.circuit.Ors(conditions...)
	}
	slices.SortFunc(s.graph.sends, func(m, n Send) int { return cmp.Or(cmp.Compare(m.Round, n.Round), m.CompareAtoms(&n)) })
}

// CompareAtoms orders messages of one round.
func (m *Send) CompareAtoms(n *Send) int {
	return cmp.Or(cmp.Compare(m.From, n.From), cmp.Compare(m.To, n.To), cmp.Compare(m.Relation, n.Relation), slices.CompareFunc(m.Args, n.Args, specs.Value.Compare))
}

// Execution returns the recording of the world, as package lockstep makes it: all facts
// that were evaluated, and all messages, whether they arrive or not. It requires
// Options.Messages.
func (w *World) Execution() *recording.Execution {
	g := w.Graph
	e := &recording.Execution{Bounds: g.Bounds, Schedule: w.Schedule}
	for _, r := range g.relations {
		for round := 1; round <= g.Bounds.EOT; round++ {
			for _, f := range r.nodes[round].facts {
				if w.Holds(f) { // also a crash, whose facts hold in every round
					e.Facts = append(e.Facts, recording.Fact{Relation: r.name, Args: f.Args(), Round: round})
				}
			}
		}
	}
	for i := range g.sends {
		if m := &g.sends[i]; w.is(m.Cond) {
			e.Messages = append(e.Messages, w.messages(m)...)
		}
	}
	e.Sort()
	return e
}

// messages returns the recorded messages of a send, with their fates.
func (w *World) messages(m *Send) []recording.Message {
	processes := w.Graph.Bounds.Processes
	var all []recording.Message
	nth := w.Graph.Nth(m.Relation, m.From, m.To, m.Round, m.Args)
	for _, fate := range w.Environment.Of(m.Relation, nth).Fates(slices.Index(processes, m.From), slices.Index(processes, m.To), m.Round) {
		all = append(all, recording.Message{
			From: m.From, To: m.To, Round: m.Round, Relation: m.Relation, Args: m.Args,
			Arrival: fate.Arrival, Again: fate.Again, Lost: fate.Lost, Cause: fate.Cause,
		})
	}
	return all
}
