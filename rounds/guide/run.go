package guide

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Run evaluates a guide over one execution after the other, round by round. It is for one
// goroutine.
type Run struct {
	guide     *Guide
	bounds    rounds.Bounds
	table     datalog.Tabulator
	decide    *lockstep.Grower // nil without rules
	move      *lockstep.Grower
	way       *lockstep.Grower
	coming    map[int][]pending // by round, what rules have decided for it
	taken     []int             // by rule: the rows of its relation that are in coming
	round     int               // that was decided last
	number    int               // of the last message
	scratch   []specs.Value
	count     int                  // how many messages the round has
	sent      []specs.Value        // the rows of message of the round, one after the other, where rules read sent
	interests map[string]*interest // by kind of messages
	state     string
	holds     int // the highest waypoint that holds in the round, reached or not
	held      map[int]bool
	own       [][]specs.Value // decided in the round, with the relation
	outcome   Outcome
}

// pending is what a rule decides for a later round.
type pending struct {
	rule *rule
	row  []specs.Value
}

// Past is what was recorded in a round.
type Past struct {
	Facts     []recording.Fact    // that processes reported
	Faults    []rounds.Fault      // those of other rounds do not count
	Delivered []recording.Message // that arrived in the round
	Lost      []recording.Message // that were sent in the round and are lost
}

// PastOf returns what an execution has of a round.
func PastOf(e *recording.Execution, round int) Past {
	return pastOf(e, round, func(recording.Message) int { return 0 })
}

// pastOf is PastOf. With nth it is known which one of its kind a message is, from 1.
func pastOf(e *recording.Execution, round int, nth func(recording.Message) int) Past {
	p := Past{Faults: e.Schedule.Faults}
	for _, f := range e.Facts {
		if f.Round == round {
			p.Facts = append(p.Facts, f)
		}
	}
	for _, m := range e.Messages {
		switch {
		case m.Lost && m.Round == round && lostAtOnce(e.Schedule, m, nth(m)):
			p.Lost = append(p.Lost, m)
		case !m.Lost && max(m.Round, m.Arrival) == round:
			p.Delivered = append(p.Delivered, m)
		}
	}
	return p
}

// NewRun returns a state for executions of a system within the bounds. For executions of
// a Dedalus program, value returns the value that its facts have for a process (its method
// ProcessValue); else it is nil.
func (g *Guide) NewRun(b rounds.Bounds, value func(process string) specs.Value) (*Run, error) {
	if value == nil {
		value = specs.String
	}
	r := &Run{guide: g, bounds: b, scratch: make([]specs.Value, 0, 16), table: g.tabulator(value)}
	for _, part := range []struct {
		machine
		to **lockstep.Grower
	}{{g.decisions, &r.decide}, {g.moves, &r.move}, {g.waypoints, &r.way}} {
		if part.program == nil {
			continue
		}
		var err error
		if *part.to, err = lockstep.NewGrower(part.program, part.momentary, maxFacts, maxSteps); err != nil {
			return nil, fmt.Errorf("%s: %w", g.name, err)
		}
	}
	return r, r.reset()
}

// tabulator returns what makes rows of what is recorded in a round.
func (g *Guide) tabulator(value func(process string) specs.Value) datalog.Tabulator {
	reads := maps.Clone(g.reads)
	maps.DeleteFunc(reads, func(name string, _ int) bool {
		return datalog.Subject(name) == datalog.TableScope || datalog.Subject(name) == datalog.Sending
	})
	return datalog.Tabulator{Reads: reads, Derives: g.compiled.Derives, Reserved: reserved, Value: value}
}

// reset makes the run ready for another execution.
func (r *Run) reset() error {
	r.round, r.number, r.state = 0, 0, "start"
	r.sent, r.own = r.sent[:0], r.own[:0]
	r.coming, r.held = map[int][]pending{}, map[int]bool{}
	r.taken = make([]int, len(r.guide.rules))
	r.outcome = Outcome{Fired: make([]int, len(r.guide.rules))}
	for _, g := range []*lockstep.Grower{r.decide, r.move, r.way} {
		if g != nil {
			g.Reset()
		}
	}
	if r.move == nil {
		return nil
	}
	defer r.move.Seen() // what rules state holds before anything happens
	return r.move.Turn(context.Background())
}

// Decide decides in a round, the next one. Past is what was recorded in the round before;
// sent are the messages that are sent in the round, in the order of sending. They are
// numbered from 1 over the execution.
func (r *Run) Decide(ctx context.Context, past Past, sent []recording.Message) (Decisions, error) {
	return r.turn(ctx, past, sent, func(ctx context.Context) (Decisions, error) { return r.derive(ctx, nil) })
}

// follow is Decide for a round in which it is known what was decided. It returns what rules decide beside that of the
// messages for which also is true.
func (r *Run) follow(ctx context.Context, past Past, sent []recording.Message, d Decisions, also func(message int) bool) (more Decisions, err error) {
	_, err = r.turn(ctx, past, sent, func(context.Context) (Decisions, error) {
		if more, err = r.derive(ctx, also); err != nil {
			return d, err
		}
		for rule, times := range d.fired {
			r.outcome.Fired[rule] += times
		}
		for _, f := range d.findings {
			r.note(f)
		}
		return d.and(more), nil
	})
	return more, err
}

// End ends an execution: past is what was recorded in its last round.
func (r *Run) End(ctx context.Context, past Past) (Outcome, error) {
	rows, err := r.rows(past)
	if err == nil {
		err = r.recorded(ctx, rows)
	}
	if err != nil {
		return Outcome{}, r.guide.placed(err, "")
	}
	return r.ended(ctx)
}

func (r *Run) turn(ctx context.Context, past Past, sent []recording.Message, derive func(context.Context) (Decisions, error)) (d Decisions, err error) {
	rows, err := r.rows(past)
	if err == nil {
		err = r.step(ctx, rows, sent)
	}
	if err == nil {
		d, err = derive(ctx)
	}
	if err != nil {
		return d, r.guide.placed(err, fmt.Sprintf("round %d: ", r.round))
	}
	r.keep(d)
	return d, nil
}

// rows returns what was recorded in a round, as rules read it, in its order.
func (r *Run) rows(past Past) ([]recording.Fact, error) {
	e := &recording.Execution{System: r.guide.name, Bounds: r.bounds, Facts: past.Facts}
	if r.round == 0 {
		return r.scope()
	}
	for _, f := range past.Faults {
		if f.Round <= r.round && r.round <= max(f.Round, f.Until) {
			f.Round = r.round
			if f.Until > 0 {
				f.Until = r.round
			}
			e.Schedule.Faults = append(e.Schedule.Faults, f)
		}
	}
	if _, read := r.table.Reads["delivered"]; read {
		for _, m := range past.Delivered {
			m.Arrival, m.Lost, m.Relation = r.round, false, kindOf(&m)
			e.Messages = append(e.Messages, m)
		}
	}
	if _, read := r.table.Reads["lost"]; read {
		for _, m := range past.Lost {
			m.Lost, m.Relation = true, kindOf(&m)
			e.Messages = append(e.Messages, m)
		}
	}
	table, err := r.table.Table(e)
	if err != nil {
		return nil, err
	}
	if _, read := r.guide.reads["sent"]; read {
		for row := range slices.Chunk(r.sent, len(ofMessage.Columns)) {
			table = append(table, recording.Fact{Relation: "sent", Args: row[1:]})
		}
	}
	return r.of(table, r.round), nil
}

// scope returns what is known before the first round.
func (r *Run) scope() ([]recording.Fact, error) {
	whole := datalog.Tabulator{Reads: map[string]int{}, Value: r.table.Value}
	for name, columns := range r.guide.reads {
		if name != "round" && datalog.Subject(name) == datalog.TableScope {
			whole.Reads[name] = columns
		}
	}
	return whole.Table(&recording.Execution{System: r.guide.name, Bounds: r.bounds})
}

// of returns the rows of a round in their order, without what is known before the first.
func (r *Run) of(table []recording.Fact, round int) []recording.Fact {
	var rows []recording.Fact
	for _, f := range table {
		if f.Args[len(f.Args)-1] == specs.Int(int64(round)) {
			rows = append(rows, f)
		}
	}
	slices.SortStableFunc(rows, compareRows)
	return rows
}

// compareRows orders what was recorded in a round: faults, messages, then what processes
// reported.
func compareRows(a, b recording.Fact) int {
	about := func(f recording.Fact) int {
		if is := datalog.Subject(f.Relation); is != datalog.Reports {
			return int(is)
		}
		return 1 << 10
	}
	return cmp.Or(cmp.Compare(about(a), about(b)), a.Compare(b))
}

// step takes what was recorded in the round before, and what is sent in the round.
func (r *Run) step(ctx context.Context, rows []recording.Fact, sent []recording.Message) error {
	if err := r.recorded(ctx, rows); err != nil {
		return err
	}
	r.round++
	r.count, r.sent = len(sent), r.sent[:0]
	round := specs.Int(int64(r.round))
	if err := r.event(ctx, "round", round); err != nil {
		return err
	}
	_, told := r.guide.reads["sent"]
	row := make([]specs.Value, len(ofMessage.Columns))
	for i := range sent {
		r.number++
		kind := kindOf(&sent[i])
		of := r.interestIn(kind)
		if !told && len(of.decide)+len(of.way)+len(of.move) == 0 {
			continue
		}
		from, to, _, says := r.table.Message(&sent[i])
		row = append(row[:0], specs.Int(int64(r.number)), from, to, specs.String(kind), says, round)
		if told {
			r.sent = append(r.sent, row...)
		}
		if len(of.decide) > 0 {
			r.guide.decisions.put(r.decide, r.scratch, ofMessage.Name, of.decide, row)
		}
		if len(of.way) > 0 {
			r.guide.waypoints.put(r.way, r.scratch, ofMessage.Name, of.way, row)
		}
		if slices.ContainsFunc(of.move, func(a readAtom) bool { return a.fits(row) }) {
			if err := r.moves(ctx, ofMessage.Name, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// recorded takes what was recorded in the round that was decided last.
func (r *Run) recorded(ctx context.Context, rows []recording.Fact) error {
	for _, f := range rows {
		if err := r.event(ctx, f.Relation, f.Args...); err != nil {
			return err
		}
	}
	for _, row := range r.own {
		if err := r.event(ctx, row[0].Text(), row[1:]...); err != nil {
			return err
		}
	}
	r.own = r.own[:0]
	if r.round == 0 {
		return nil
	}
	if err := r.event(ctx, ofState.Name, specs.String(r.state), specs.Int(int64(r.round))); err != nil {
		return err
	}
	return r.reach(ctx)
}

// event adds something that happened, for all rules, and moves the automaton.
func (r *Run) event(ctx context.Context, relation string, row ...specs.Value) error {
	r.guide.decisions.add(r.decide, r.scratch, relation, row)
	r.guide.waypoints.add(r.way, r.scratch, relation, row)
	if r.move == nil || !r.guide.moves.reads(relation, row) {
		return nil
	}
	return r.moves(ctx, relation, row)
}

// moves adds something that happened for the rules of the automaton, and moves it.
func (r *Run) moves(ctx context.Context, relation string, row []specs.Value) error {
	r.move.Add(r.move.Relation(relation), row...)
	if err := r.move.Turn(ctx); err != nil {
		return err
	}
	defer r.move.Seen()
	for _, of := range r.guide.moves.heads {
		if of.from == r.state && r.move.Count(r.move.Relation(of.relation)) > 0 {
			r.state = of.to
			r.outcome.Fired[of.index]++
			r.outcome.Moves = append(r.outcome.Moves, Move{To: of.to, Round: max(r.round, 1), Rule: of.index})
			return nil
		}
	}
	return nil
}

// reach notes the waypoints of the round that was decided last.
func (r *Run) reach(ctx context.Context) error {
	if r.way == nil {
		return nil
	}
	if err := r.way.Turn(ctx); err != nil {
		return err
	}
	round := specs.Int(int64(r.round))
	next, reached := len(r.outcome.Reached)+1, false
	r.holds = 0
	for _, of := range r.guide.waypoints.heads {
		for _, row := range r.way.Rows(r.way.Relation(of.relation), 0) {
			if row[1] == round {
				r.outcome.Fired[of.index]++
				reached = reached || of.number == next
				r.holds = max(r.holds, of.number)
				break
			}
		}
	}
	r.way.Seen()
	if !reached {
		return nil
	}
	r.outcome.Reached = append(r.outcome.Reached, r.round)
	return r.event(ctx, datalog.Given("waypoint"), specs.Int(int64(next)), round)
}

// keep takes note of what was decided, for later rounds.
func (r *Run) keep(d Decisions) {
	delete(r.coming, r.round)
	round := specs.Int(int64(r.round))
	own := func(head string, row ...specs.Value) {
		r.own = append(r.own, append([]specs.Value{specs.String(datalog.Given(head))}, row...))
	}
	for _, f := range d.Fates {
		m := specs.Int(int64(f.Message))
		if f.Do != "" {
			own(f.Do, m)
		}
		if f.Lie != "" {
			own("lie", m, specs.String(f.Lie))
		}
		if f.Do == "hold" {
			r.held[f.Message] = true
		}
	}
	for _, m := range d.Releases {
		own("release", specs.Int(int64(m)), round)
		delete(r.held, m)
	}
	for _, a := range d.Acts {
		row := []specs.Value{r.table.Value(a.Process)}
		switch a.Do {
		case "part":
			row = append(row, r.table.Value(a.Other))
		case "tick":
			row = append(row, specs.Int(int64(a.N)))
		case "ask":
			row = append(row, specs.String(a.Payload))
		}
		own(a.Do, append(row, round)...)
	}
}
