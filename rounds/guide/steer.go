package guide

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs"
)

// Steering steers one execution of a system after the other by a guide. It is for one
// goroutine.
type Steering struct {
	run      *Run
	eot      int
	bounds   rounds.Bounds
	only     bool                   // watch, and decide nothing
	program  bool                   // its facts of a round may depend on later rounds
	ctx      context.Context        // of the execution
	schedule rounds.Schedule        // what the execution has so far
	known    map[int][]rounds.Fault // those of its faults that rules can read, by the round in which they begin
	lasting  []rounds.Fault         // those that last several rounds
	first    int                    // how many messages were sent in the rounds before
	now      []recording.Message    // those of the round
	single   map[int]bool           // the rounds in which faults hit single messages
	sent     map[int][]numbered     // of those, and others in which the guide decides about messages
	held     map[int]rounds.Fault   // by the number of the message
	places   map[stream][]int       // where the order of sending is not that of the messages told
	must     []undelivered          // messages that must arrive
	given    []rounds.Fault         // those with which the execution began
	against  []int                  // the rules about messages that decide something else than these
	barred   []int                  // and those about processes
	unsent   []undelivered          // messages that must arrive, and are not sent because of what else was decided
	ruled    []ruled                // the faults that rules decided
	is       map[ruled]bool         // the same
	settled  [][2]look              // by round, from 1: at first, and then of what is sent because of that
	gone     []rounds.Fault         // they lose what was held, and is never released
	open     int                    // the round of which the faults of processes are decided and those of messages not; 0: none
}

// look is what was decided in a round, and the messages of the round then.
type look struct {
	Decisions
	first    int // how many messages came before them
	messages []recording.Message
}

// numbered is a message, and which one of its kind on its link in its round it is.
type numbered struct {
	recording.Message
	nth int
}

// NewSteering returns a steering of executions of so many rounds. With watch it decides
// nothing, and only the automaton and the waypoints follow what happens.
func (g *Guide) NewSteering(b rounds.Bounds, watch bool) (*Steering, error) {
	run, err := g.NewRun(b, specs.String)
	if err != nil {
		return nil, err
	}
	return &Steering{run: run, eot: b.EOT, bounds: b, only: watch}, nil
}

// Start is called before an execution.
func (s *Steering) Start(ctx context.Context) {
	s.ctx, s.settled, s.places, s.gone, s.open = ctx, s.settled[:0], map[stream][]int{}, s.gone[:0], 0
}

// Begin begins an execution under a schedule, or begins it again.
func (s *Steering) Begin(schedule rounds.Schedule) {
	s.run.reset()
	s.schedule = rounds.Schedule{Settings: schedule.Settings}
	s.known, s.lasting, s.single = map[int][]rounds.Fault{}, s.lasting[:0], map[int]bool{}
	s.add(0, schedule.Faults...)
	s.first, s.now = 0, nil
	s.sent, s.held, s.must = map[int][]numbered{}, map[int]rounds.Fault{}, s.must[:0]
	s.unsent, s.against = s.unsent[:0], s.against[:0]
	if len(s.settled) == 0 {
		s.given, s.ruled, s.is, s.barred = slices.Clone(schedule.Faults), s.ruled[:0], map[ruled]bool{}, s.barred[:0]
	}
}

// add adds faults that were decided in a round to the schedule.
func (s *Steering) add(round int, faults ...rounds.Fault) {
	s.schedule.Faults = execution.Redirect(s.schedule.Faults, faults, round)
	for _, f := range faults {
		if f.Nth > 0 {
			s.single[f.Round] = true
		}
		switch {
		case !datalog.Told(f.Kind):
		case f.Until > f.Round:
			s.lasting = append(s.lasting, f)
		default:
			s.known[f.Round] = append(s.known[f.Round], f)
		}
	}
}

// Decide decides the faults of a round.
func (s *Steering) Decide(t system.Turn) ([]rounds.Fault, error) {
	past := Past{Facts: t.Facts, Faults: slices.Concat(s.lasting, s.known[t.Round-1]), Delivered: t.Arrived, Lost: s.lost(t.Lost)}
	if t.Settled {
		s.next(t)
		d, err := s.follow(past, t)
		if err != nil {
			return nil, err
		}
		faults := s.messageFaults(t.Round, d)
		if t.Round != s.open {
			return nil, nil // they are in the schedule already
		}
		s.open = 0
		s.add(t.Round, faults...)
		s.grant(t.Round)
		return faults, nil
	}
	d, err := s.run.Decide(s.ctx, past, t.Sent)
	if err != nil {
		return nil, err
	}
	s.next(t)
	if s.only {
		return nil, nil
	}
	gone := len(s.gone)
	faults := s.messageFaults(t.Round, d)
	acts, findings := s.actFaults(t.Round, d, faults)
	d.findings = append(d.findings, findings...)
	again := slices.ContainsFunc(acts, ofProcess) // others are sent in this round then, and have other places
	at := look{Decisions: d, first: s.first}
	if len(d.Fates) > 0 || again {
		at.messages = slices.Clone(t.Sent)
	}
	s.settled = append(s.settled[:t.Round-1], [2]look{at})
	if again {
		s.open, s.gone = t.Round, s.gone[:gone]
		faults = nil
	}
	faults = append(faults, acts...)
	s.add(t.Round, faults...)
	if s.open == 0 {
		s.grant(t.Round)
	}
	return faults, nil
}

// Holds returns the highest waypoint that holds in the round before the one that was decided
// last, whether the ones before it were reached or not; 0 if there is none.
func (s *Steering) Holds() int { return s.run.holds }

// Also takes note of a fault that somebody else has decided in this round.
func (s *Steering) Also(f rounds.Fault) {
	s.add(f.Round, f)
	if s.single[s.run.round] {
		s.numbered(s.run.round)
	}
}

// follow takes a round that is executed again, and returns what was decided in it. The first time it decides of the
// messages, too, that are sent only because of what was decided in the round: a process answers what it is asked, say.
func (s *Steering) follow(past Past, t system.Turn) (Decisions, error) {
	looks := &s.settled[t.Round-1]
	d, open := s.renumbered(looks[0], t), t.Round == s.open
	if !open {
		d = d.and(s.renumbered(looks[1], t))
	}
	more, err := s.run.follow(s.ctx, past, t.Sent, d, func(message int) bool {
		if !open || message <= s.first {
			return false // a release of what was sent before
		}
		m := t.Sent[message-s.first-1]
		return !slices.ContainsFunc(looks[0].messages, func(o recording.Message) bool { return identical(o, m) })
	})
	if open {
		looks[1] = look{Decisions: more, first: s.first}
		if len(more.Fates) > 0 {
			looks[1].messages = slices.Clone(t.Sent)
		}
	}
	return d.and(more), err
}

// renumbered returns what was decided of a round that is executed again: a process that crashes in it, say, sends fewer
// messages than when it was decided.
func (s *Steering) renumbered(was look, t system.Turn) Decisions {
	d := was.Decisions
	if len(d.Fates) == 0 || was.first == s.first && slices.EqualFunc(was.messages, t.Sent, identical) {
		return d
	}
	fates := d.Fates
	d.Fates = nil
	for _, f := range fates {
		m := was.messages[f.Message-was.first-1]
		at := slices.IndexFunc(t.Sent, func(o recording.Message) bool { return identical(o, m) })
		switch {
		case at >= 0:
			f.Message = s.first + at + 1
			d.Fates = append(d.Fates, f)
		case f.Do == "deliver":
			s.unsent = append(s.unsent, undelivered{m, f.Rule})
		}
	}
	return d
}

// lost leaves out what is still held when it is not yet known that nothing releases it.
func (s *Steering) lost(all []recording.Message) []recording.Message {
	if len(s.gone) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), s.neverReleased)
}

// neverReleased tells whether a message that is lost was held, and nothing has released it.
func (s *Steering) neverReleased(m recording.Message) bool {
	return len(s.gone) > 0 && slices.ContainsFunc(s.gone, func(f rounds.Fault) bool {
		return f == m.Cause || f.Process == m.From && f.To == m.To && f.Round == m.Round && f.Of == kindOf(&m) && f.Nth == s.nth(m)
	})
}

// identical tells whether two messages are one for a guide.
func identical(m, o recording.Message) bool {
	return streamOf(&m) == streamOf(&o) && slices.Equal(m.Args, o.Args)
}

// stream is the messages of one kind on a link in a round.
type stream struct {
	from, to, kind string
	round          int
}

func streamOf(m *recording.Message) stream { return stream{m.From, m.To, kindOf(m), m.Round} }

// kindOf returns the kind of a message as faults have it.
func kindOf(m *recording.Message) string {
	if m.Relation != "json" || len(m.Args) < 2 || m.Args[1].IsInt() {
		return m.Relation
	}
	return execution.KindOf(m.Relation, m.Args[1].Text())
}

// streamsOf calls a function for the streams of a message: a fault of the kind that is recorded hits it, too.
func streamsOf(m *recording.Message, each func(stream)) {
	of := streamOf(m)
	each(of)
	if of.kind != m.Relation {
		each(stream{m.From, m.To, m.Relation, m.Round})
	}
}

// next takes note of the messages of a round.
func (s *Steering) next(t system.Turn) {
	s.first += len(s.now)
	s.now = t.Sent
	if s.single[t.Round] {
		s.numbered(t.Round)
	}
}

// numbered returns the messages of the round, with which ones of their kinds they are.
func (s *Steering) numbered(round int) []numbered {
	all := s.sent[round]
	if all != nil {
		return all
	}
	seen := map[stream]int{}
	for i := range s.now {
		of := streamOf(&s.now[i])
		streamsOf(&s.now[i], func(of stream) { seen[of]++ })
		nth := seen[of]
		if moved := s.places[of]; nth <= len(moved) {
			nth = moved[nth-1]
		}
		all = append(all, numbered{s.now[i], nth})
	}
	s.sent[round] = all
	return all
}

// misplaced returns a fault of the n-th message of its kind that has hit another one than
// it was meant for, because recordings do not have the order of sending. It takes note of the
// order then.
func (s *Steering) misplaced(e *recording.Execution, faults []rounds.Fault) (wrong rounds.Fault, is bool) {
	for _, f := range faults {
		if f.Nth == 0 || f.Kind != rounds.Omit || liedAbout(e.Schedule, recording.Message{From: f.Process, To: f.To, Round: f.Round}) {
			continue
		}
		of := stream{f.Process, f.To, f.Of, f.Round}
		var meant, place int // places among the messages of the stream, from 1
		var hit []int
		for _, m := range s.sent[f.Round] {
			if streamOf(&m.Message) != of {
				continue
			}
			place++
			if m.nth == f.Nth {
				meant = place
			}
			if loses(e, f, m.Message) {
				hit = append(hit, place)
			}
		}
		if len(hit) == 0 || slices.Contains(hit, meant) {
			continue
		}
		if meant == 0 {
			return f, true // there are not so many
		}
		s.order(of, place)
		s.swap(of, meant, hit[0])
		return f, true
	}
	return wrong, false
}

// order returns the numbers of the messages of a stream by their places, of at least so many.
func (s *Steering) order(of stream, places int) []int {
	for len(s.places[of]) < places {
		s.places[of] = append(s.places[of], len(s.places[of])+1)
	}
	return s.places[of]
}

// swap swaps the numbers of the messages at two places, from 1.
func (s *Steering) swap(of stream, i, j int) {
	moved := s.places[of]
	moved[i-1], moved[j-1] = moved[j-1], moved[i-1]
}

// End returns what came of the guide in an execution that has ended, and the schedule that
// gives the same execution without the guide.
func (s *Steering) End(e *recording.Execution) (Outcome, rounds.Schedule, error) {
	prevented := s.prevented(e)
	o, err := s.run.End(s.ctx, pastOf(e, e.Bounds.EOT, s.nth))
	if err != nil {
		return o, rounds.Schedule{}, err
	}
	o.Prevented = prevented
	return o, merged(s.sent, e.Schedule), nil
}
