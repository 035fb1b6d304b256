package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

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
	only     bool                 // watch, and decide nothing
	program  bool                 // its facts of a round may depend on later rounds
	ctx      context.Context      // of the execution
	schedule rounds.Schedule      // what the execution has so far
	sent     []numbered           // of all rounds
	seen     map[stream]int       // in the round: how many messages
	held     map[int]rounds.Fault // by the number of the message
	places   map[stream][]int     // where the order of sending is not that of the messages told
	must     []Fate               // messages that must arrive
	given    []rounds.Fault       // those with which the execution began
	against  []int                // the rules about messages that decide something else than these
	barred   []int                // and those about processes
	unsent   []undelivered        // messages that must arrive, and are not sent because of what else was decided
	ruled    []ruled              // the faults that rules decided
	settled  []Decisions          // by round, from 1
	told     []announced          // by round: the messages that these are about
	gone     []rounds.Fault       // they lose what was held, and is never released
	open     int                  // the round of which the faults of processes are decided and those of messages not; 0: none
}

// ruled is a fault that a rule decided.
type ruled struct {
	rounds.Fault
	rule int
}

// undelivered is a message that must arrive by a rule, and does not.
type undelivered struct {
	recording.Message
	rule int
}

// announced are the messages of a round when it was decided.
type announced struct {
	first    int // how many came before them
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
	return &Steering{seen: map[stream]int{}, run: run, eot: b.EOT, bounds: b, only: watch}, nil
}

// Start is called before an execution.
func (s *Steering) Start(ctx context.Context) {
	s.ctx, s.settled, s.places, s.gone, s.open = ctx, s.settled[:0], map[stream][]int{}, s.gone[:0], 0
}

// Begin begins an execution under a schedule, or begins it again.
func (s *Steering) Begin(schedule rounds.Schedule) {
	s.run.Reset()
	s.schedule = rounds.Schedule{Settings: schedule.Settings, Faults: slices.Clone(schedule.Faults)}
	s.sent, s.held, s.must = s.sent[:0], map[int]rounds.Fault{}, s.must[:0]
	s.unsent, s.against = s.unsent[:0], s.against[:0]
	if len(s.settled) == 0 {
		s.given, s.ruled, s.barred = slices.Clone(schedule.Faults), s.ruled[:0], s.barred[:0]
	}
}

// Decide decides the faults of a round.
func (s *Steering) Decide(t system.Turn) ([]rounds.Fault, error) {
	past := Past{Facts: t.Facts, Faults: s.schedule.Faults, Delivered: t.Arrived, Lost: s.lost(t.Lost)}
	if t.Settled {
		d := s.renumbered(t)
		s.number(t.Sent)
		if err := s.run.Follow(s.ctx, past, t.Sent, d); err != nil {
			return nil, err
		}
		faults := s.messageFaults(t.Round, t.Sent, d)
		if t.Round != s.open {
			return nil, nil // they are in the schedule already
		}
		s.open, s.schedule.Faults = 0, execution.Redirected(s.schedule.Faults, faults, t.Round)
		return faults, nil
	}
	d, err := s.run.Decide(s.ctx, past, t.Sent)
	if err != nil {
		return nil, err
	}
	first := len(s.sent)
	s.number(t.Sent)
	if s.only {
		return nil, nil
	}
	gone := len(s.gone)
	faults := s.messageFaults(t.Round, t.Sent, d)
	acts, findings := s.actFaults(t.Round, d, faults)
	d.findings = append(d.findings, findings...)
	s.settled, s.told = append(s.settled[:t.Round-1], d), append(s.told[:t.Round-1], announced{first, slices.Clone(t.Sent)})
	if slices.ContainsFunc(acts, ofProcess) { // others are sent in this round then, and have other places
		s.open, s.gone = t.Round, s.gone[:gone]
		faults = nil
	}
	faults = append(faults, acts...)
	s.schedule.Faults = execution.Redirected(s.schedule.Faults, faults, t.Round)
	return faults, nil
}

// Holds returns the highest waypoint that holds in the round before the one that was decided
// last, whether the ones before it were reached or not; 0 if there is none.
func (s *Steering) Holds() int { return s.run.holds }

// Also takes note of a fault that somebody else has decided in this round.
func (s *Steering) Also(f rounds.Fault) { s.schedule.Faults = append(s.schedule.Faults, f) }

// renumbered returns what was decided of a round that is executed again: a process that crashes in it, say, sends fewer
// messages than when it was decided.
func (s *Steering) renumbered(t system.Turn) Decisions {
	d, was := s.settled[t.Round-1], s.told[t.Round-1]
	if len(d.Fates) == 0 || was.first == len(s.sent) && slices.EqualFunc(was.messages, t.Sent, identical) {
		return d
	}
	fates := d.Fates
	d.Fates = nil
	for _, f := range fates {
		m := was.messages[f.Message-was.first-1]
		at := slices.IndexFunc(t.Sent, func(o recording.Message) bool { return identical(o, m) })
		switch {
		case at >= 0:
			f.Message = len(s.sent) + at + 1
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
		return f == m.Cause || f.Process == m.From && f.To == m.To && f.Round == m.Round && f.Of == m.Relation && f.Nth == s.nth(m)
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

func streamOf(m *recording.Message) stream { return stream{m.From, m.To, m.Relation, m.Round} }

// number takes note of the messages of a round.
func (s *Steering) number(messages []recording.Message) {
	clear(s.seen)
	for i := range messages {
		of := streamOf(&messages[i])
		s.seen[of]++
		nth := s.seen[of]
		if moved := s.places[of]; nth <= len(moved) {
			nth = moved[nth-1]
		}
		s.sent = append(s.sent, numbered{messages[i], nth})
	}
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
		for _, m := range s.sent {
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

// messageFaults returns what is decided of messages as faults.
func (s *Steering) messageFaults(round int, messages []recording.Message, d Decisions) (faults []rounds.Fault) {
	first := len(s.sent) - len(messages)
	var dropped []int
	for _, f := range d.Fates {
		m := s.sent[f.Message-1]
		one := rounds.Fault{Process: m.From, To: m.To, Round: round, Of: m.Relation, Nth: m.nth}
		if m.From == m.To {
			continue // it always arrives
		}
		switch {
		case (f.Do == "drop" || f.Do == "hold") && (s.gives(rounds.Delay, one) || s.gives(rounds.Duplicate, one)):
			s.against = append(s.against, f.Rule)
		case f.Do == "drop":
			dropped = append(dropped, f.Message)
			one.Kind = rounds.Omit
			s.rules(one, f.Rule)
		case f.Do == "hold" && s.gives(rounds.Omit, one): // it is lost anyway
		case f.Do == "hold":
			one.Kind, one.By = rounds.Delay, s.eot-round // unless it is released before
			if round == s.eot {
				one.Kind = rounds.Omit
			} else {
				s.held[f.Message] = one
			}
			faults = append(faults, one)
			s.rules(one, f.Rule)
		case f.Do == "deliver":
			s.must = append(s.must, f)
		}
		if f.Lie != "" {
			one.Kind, one.By, one.Detail = rounds.Lie, 0, f.Lie
			faults = append(faults, one)
		}
	}
	faults = append(faults, s.drops(first, dropped)...)
	for _, m := range d.Releases {
		if f, held := s.held[m]; held {
			f.By = round - f.Round
			faults = append(faults, f)
			delete(s.held, m)
		}
	}
	if round == s.eot {
		for _, m := range slices.Sorted(maps.Keys(s.held)) { // nothing releases them any more
			f := s.held[m]
			f.Kind, f.By = rounds.Omit, 0
			faults = append(faults, f)
			s.gone = append(s.gone, f)
		}
	}
	return faults
}

// rules takes note of a fault that a rule decides.
func (s *Steering) rules(f rounds.Fault, rule int) {
	if r := (ruled{f, rule}); !slices.Contains(s.ruled, r) {
		s.ruled = append(s.ruled, r)
	}
}

// gives tells whether a fault of a kind with which the execution began hits a message.
func (s *Steering) gives(k rounds.Kind, m rounds.Fault) bool {
	return slices.ContainsFunc(s.given, func(f rounds.Fault) bool {
		return f.Kind == k && f.Process == m.Process && f.To == m.To && f.Round == m.Round &&
			(f.Of == "" || f.Of == m.Of) && (f.Nth == 0 || f.Nth == m.Nth)
	})
}

// actFaults returns what happens to processes as faults, beside those of messages. What the
// schedule does not allow changes nothing, such as a restart of a process that is up. If only
// faults with which the execution began are in the way, the guide does not allow these.
func (s *Steering) actFaults(round int, d Decisions, others []rounds.Fault) (faults []rounds.Fault, findings []Finding) {
	before := execution.Redirected(s.schedule.Faults, others, round)
	check := func(faults ...rounds.Fault) error {
		return rounds.Schedule{Settings: s.schedule.Settings, Faults: faults}.Check(s.bounds)
	}
	var all []ruled
	for _, a := range d.Acts {
		for _, f := range a.faults(round) {
			all, faults = append(all, ruled{f, a.Rule}), append(faults, f)
		}
	}
	restarts := func(f rounds.Fault) bool { return f.Kind == rounds.Restart } // which need a crash before them
	if len(all) == 0 || !slices.ContainsFunc(faults, restarts) && check(slices.Concat(before, faults)...) == nil {
		for _, f := range all {
			s.rules(f.Fault, f.rule)
		}
		return faults, nil
	}
	faults = nil
	given := func(f rounds.Fault) bool { return slices.Contains(s.given, f) }
	for _, f := range all {
		with := slices.Concat(before, faults, []rounds.Fault{f.Fault})
		wrong := check(with...)
		switch {
		case wrong == nil:
			faults = append(faults, f.Fault)
			s.rules(f.Fault, f.rule)
		case isSo(f.Fault, before):
		case check(slices.DeleteFunc(with, given)...) == nil:
			s.barred = append(s.barred, f.rule)
		default:
			found := s.run.finding(s.run.guide.rules[f.rule], fmt.Sprintf("%s changes nothing: %v", f, cmp.Or(errors.Unwrap(wrong), wrong)))
			s.run.note(found)
			findings = append(findings, found)
		}
	}
	return faults, findings
}

// isSo tells whether what a fault brings about in its round is so already, by faults of
// rounds until then.
func isSo(f rounds.Fault, faults []rounds.Fault) bool {
	var last rounds.Fault // crash or restart
	for _, g := range faults {
		if g.Process != f.Process || g.To != f.To || g.Round > f.Round {
			continue
		}
		switch {
		case g.Kind == f.Kind && g.Until >= f.Round:
			return true
		case (g.Kind == rounds.Crash || g.Kind == rounds.Restart) && (last.Round < g.Round || g.Kind == rounds.Restart):
			last = g
		}
	}
	return last.Round > 0 && last.Kind == rounds.Crash && f.Kind == rounds.Crash
}

// drops returns the fewest omissions that lose the messages with these numbers, of those
// from first on.
func (s *Steering) drops(first int, numbers []int) (faults []rounds.Fault) {
	all := func(of func(numbered) bool) bool {
		for i, m := range s.sent[first:] {
			if of(m) && !slices.Contains(numbers, first+i+1) {
				return false
			}
		}
		return true
	}
	for _, n := range numbers {
		m := s.sent[n-1]
		f := rounds.Fault{Kind: rounds.Omit, Process: m.From, To: m.To, Round: m.Round, Of: m.Relation, Nth: m.nth}
		onLink := func(o numbered) bool { return o.From == m.From && o.To == m.To }
		switch {
		case all(onLink) && !late(s.given, f, ""):
			f.Of, f.Nth = "", 0
		case all(func(o numbered) bool { return onLink(o) && o.Relation == m.Relation }) && !late(s.given, f, f.Of):
			f.Nth = 0
		}
		if !slices.Contains(faults, f) {
			faults = append(faults, f)
		}
	}
	return faults
}

// late tells whether faults make messages late, or let them come twice, in the round and on the link of f: of a kind, "" for all.
func late(faults []rounds.Fault, f rounds.Fault, kind string) bool {
	return slices.ContainsFunc(faults, func(g rounds.Fault) bool {
		return (g.Kind == rounds.Delay || g.Kind == rounds.Duplicate) && g.Process == f.Process && g.To == f.To && g.Round == f.Round &&
			(kind == "" || g.Of == "" || g.Of == kind)
	})
}

// faults returns what happens to a process as faults.
func (a Act) faults(round int) []rounds.Fault {
	f := rounds.Fault{Process: a.Process, Round: round}
	switch a.Do {
	case "crash":
		f.Kind = rounds.Crash
	case "restart":
		f.Kind = rounds.Restart
	case "pause":
		f.Kind, f.Until = rounds.Pause, round
	case "isolate":
		f.Kind, f.Until = rounds.Isolate, round
	case "part":
		f.Kind, f.To, f.Until = rounds.Cut, a.Other, round
		back := f
		back.Process, back.To = f.To, f.Process
		return []rounds.Fault{f, back}
	case "tick":
		f.Kind, f.By = rounds.Tick, a.N
	case "ask":
		f.Kind, f.Detail = rounds.Ask, a.Payload
	default:
		panic(fmt.Sprintf("guide: %q is nothing that happens to a process", a.Do))
	}
	return []rounds.Fault{f}
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

// merged returns a schedule with one fault in place of several that hit all messages of one
// kind, or of one link, in a round.
func merged(sent []numbered, s rounds.Schedule) rounds.Schedule {
	of := func(f rounds.Fault) (rest rounds.Fault) { f.Of, f.Nth = "", 0; return f }
	groups := map[rounds.Fault][]rounds.Fault{}
	for _, f := range s.Faults {
		there := func(m numbered) bool { // a fault of a message that is not sent hits none
			return m.Round == f.Round && m.From == f.Process && m.To == f.To && m.Relation == f.Of && m.nth == f.Nth
		}
		if f.Nth > 0 && !slices.Contains(groups[of(f)], f) && slices.ContainsFunc(sent, there) {
			groups[of(f)] = append(groups[of(f)], f)
		}
	}
	faults := slices.Clone(s.Faults)
	for rest, group := range groups {
		kinds := map[string]int{}
		for _, f := range group {
			kinds[f.Of]++
		}
		there, all := map[string]int{}, 0
		for _, m := range sent {
			if m.Round == rest.Round && m.From == rest.Process && m.To == rest.To {
				there[m.Relation]++
				all++
			}
		}
		for i := range faults {
			f := &faults[i]
			switch {
			case f.Nth == 0 || of(*f) != rest || there[f.Of] != kinds[f.Of]:
			case len(group) == all && rest.Kind == rounds.Omit && !late(s.Faults, *f, ""):
				f.Of, f.Nth = "", 0
			case rest.Kind != rounds.Omit || !late(s.Faults, *f, f.Of):
				f.Nth = 0
			}
		}
	}
	return rounds.Schedule{Settings: s.Settings, Faults: joined(rounds.Schedule{Faults: faults}.Normal().Faults)}.Normal()
}

// joined returns sorted faults with those that last in place of several of one round after
// the other.
func joined(faults []rounds.Fault) (all []rounds.Fault) {
	last := map[rounds.Fault]int{} // by what it is without its rounds: its place in all
	for _, f := range faults {
		of := f
		of.Round, of.Until = 0, 0
		if i, ok := last[of]; ok && f.Until > 0 && all[i].Until == f.Round-1 {
			all[i].Until = f.Until
			continue
		}
		last[of] = len(all)
		all = append(all, f)
	}
	return all
}

// prevented returns the rules whose messages had to arrive, and did not in their own round, and
// those that decide something else than the faults with which the execution began. It notes
// which other rules made these messages lost or late.
func (s *Steering) prevented(e *recording.Execution) (rules []int) {
	rules = slices.Concat(s.against, s.barred)
	for _, m := range append(s.unsent[:len(s.unsent):len(s.unsent)], s.undelivered(e)...) {
		rules = append(rules, m.rule)
		for _, d := range slices.Backward(s.ruled) {
			if d.inWayOf(m.Message) && !slices.Contains(s.given, m.Cause) {
				rule, other := s.run.guide.rules[m.rule], s.run.guide.rules[d.rule]
				s.run.find(rule, fmt.Sprintf("%s wants a message to arrive that %s of line %d makes lost, or late", rule.head, other.head, other.source.Position.Line))
				break
			}
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// undelivered returns the messages that had to arrive, and did not in their own round.
func (s *Steering) undelivered(e *recording.Execution) (all []undelivered) {
	if len(s.must) == 0 {
		return nil
	}
	type message struct {
		from, to, kind, text string
		round                int
	}
	of := func(m recording.Message) message {
		return message{m.From, m.To, m.Relation, fmt.Sprint(m.Args), m.Round}
	}
	arrived, not := map[message]bool{}, map[message]rounds.Fault{} // those of a round in which a process panics do neither
	for _, m := range e.Messages {
		if !m.Lost && m.Arrival == 0 {
			arrived[of(m)] = true
		} else {
			not[of(m)] = m.Cause
		}
	}
	for _, f := range s.must {
		m := s.sent[f.Message-1].Message
		if cause, is := not[of(m)]; is && !arrived[of(m)] {
			m.Cause = cause
			all = append(all, undelivered{m, f.Rule})
		}
	}
	return all
}

// inWayOf tells whether a fault can make a message lost or late.
func (d ruled) inWayOf(m recording.Message) bool {
	ofOne := d.Process == m.From || d.Process == m.To
	switch d.Kind {
	case rounds.Crash:
		return ofOne && d.Round <= m.Round
	case rounds.Isolate, rounds.Pause:
		return ofOne && d.Round == m.Round
	case rounds.Cut, rounds.Omit, rounds.Delay:
		return d.Process == m.From && d.To == m.To && d.Round == m.Round
	}
	return false
}
