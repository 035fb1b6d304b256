package guide

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// ruled is a fault that a rule decided.
type ruled struct {
	rounds.Fault
	rule int
}

// undelivered is a message that must arrive by a rule, and maybe does not.
type undelivered struct {
	recording.Message
	rule int
}

// messageFaults returns what is decided of messages as faults.
func (s *Steering) messageFaults(round int, d Decisions) (faults []rounds.Fault) {
	var all []numbered
	if len(d.Fates) > 0 {
		all = s.numbered(round)
	}
	var dropped []int // places of messages in the round
	for _, f := range d.Fates {
		at := f.Message - s.first - 1
		m := all[at]
		one := rounds.Fault{Process: m.From, To: m.To, Round: round, Of: kindOf(&m.Message), Nth: m.nth}
		if m.From == m.To {
			continue // it always arrives
		}
		switch {
		case (f.Do == "drop" || f.Do == "hold") && (s.gives(rounds.Delay, one) || s.gives(rounds.Duplicate, one)):
			s.against = append(s.against, f.Rule)
		case (f.Do == "drop" || f.Do == "hold") && s.excluded(rounds.Omit, one) != "":
			s.against = append(s.against, f.Rule)
			s.run.note(s.excludes(f.Rule, s.excluded(rounds.Omit, one)))
		case f.Do == "drop":
			dropped = append(dropped, at)
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
			s.must = append(s.must, undelivered{m.Message, f.Rule})
		}
		if f.Lie != "" {
			one.Kind, one.By, one.Detail = rounds.Lie, 0, f.Lie
			faults = append(faults, one)
			s.rules(one, f.liar)
		}
	}
	faults = append(faults, s.drops(all, dropped)...)
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
	if r := (ruled{f, rule}); !s.is[r] {
		s.ruled, s.is[r] = append(s.ruled, r), true
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
	check := func(faults ...rounds.Fault) error {
		return rounds.Schedule{Settings: s.schedule.Settings, Faults: faults}.Check(s.bounds)
	}
	var all []ruled
	for _, a := range d.Acts {
		for _, f := range a.faults(round) {
			if why := s.excluded(f.Kind, f); why != "" {
				s.barred, findings = append(s.barred, a.Rule), append(findings, s.excludes(a.Rule, why))
				s.run.note(findings[len(findings)-1])
				continue
			}
			all, faults = append(all, ruled{f, a.Rule}), append(faults, f)
		}
	}
	var before []rounds.Fault
	restarts := func(f rounds.Fault) bool { return f.Kind == rounds.Restart } // which need a crash before them
	if slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Kind == rounds.Crash || restarts(f) }) || check(faults...) != nil {
		before = execution.Redirected(s.schedule.Faults, others, round) // else nothing is in the way of them
	}
	if len(all) == 0 || !slices.ContainsFunc(faults, restarts) && check(slices.Concat(before, faults)...) == nil {
		for _, f := range all {
			s.rules(f.Fault, f.rule)
		}
		return faults, findings
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

// excluded says why no schedule has a fault of a kind that hits the same as f by the
// assumptions of the bounds, "" if some has.
func (s *Steering) excluded(k rounds.Kind, f rounds.Fault) string {
	if s.program || len(s.bounds.Reliable)+len(s.bounds.NeverCrash) == 0 {
		return ""
	}
	f.Kind = k
	alone := rounds.Bounds{Processes: s.bounds.Processes, EOT: s.bounds.EOT, Reliable: s.bounds.Reliable, NeverCrash: s.bounds.NeverCrash}
	wrong := schedules.Assumed(rounds.Schedule{Faults: []rounds.Fault{f}}, alone)
	if wrong == nil {
		return ""
	}
	_, why, _ := strings.Cut(wrong.Error(), f.String()+": ")
	return why
}

// grant bars the rules that decided faults in a round, if processes receive less then than the
// bounds assume.
func (s *Steering) grant(round int) {
	if s.program || s.bounds.Deliver == "" && s.bounds.Kernel == "" {
		return
	}
	wrong := schedules.Granted(merged(s.sent, s.schedule), s.bounds)
	if wrong == nil {
		return
	}
	_, why, _ := strings.Cut(wrong.Error(), ": in round ")
	d := &s.settled[round-1][0]
	for _, f := range s.ruled {
		if (f.Round == round || round == s.eot) && !slices.Contains(s.barred, f.rule) { // in the last round what is never released is lost
			found := s.excludes(f.rule, "in round "+why)
			s.barred, d.findings = append(s.barred, f.rule), append(d.findings, found)
			s.run.note(found)
		}
	}
}

// excludes is the finding that the bounds exclude what a rule decides.
func (s *Steering) excludes(rule int, why string) Finding {
	of := s.run.guide.rules[rule]
	return s.run.finding(of, fmt.Sprintf("%s wants what the bounds exclude: %s", of.head, why))
}

// Blame adds the rule to an error of an execution that names a fault which a rule decided, such as a lie that the
// system does not know. Of several it is the one with the longest text: tick a@4+2 stands in tick a@4+20.
func (s *Steering) Blame(err error) error {
	reason, longest, blamed := err.Error(), "", -1
	if _, rest, ok := strings.Cut(reason, "the execution under "); ok {
		if schedule, wrong := strconv.QuotedPrefix(rest); wrong == nil {
			reason = rest[len(schedule):]
		}
	}
	for _, f := range s.ruled {
		if text := f.Fault.String(); len(text) > len(longest) && strings.Contains(reason, text) {
			longest, blamed = text, f.rule
		}
	}
	if blamed < 0 {
		return err
	}
	of := s.run.guide.rules[blamed]
	return fmt.Errorf("%s: %s: %w", of.source.Position, of.head, err)
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

// drops returns the fewest omissions that lose the messages of a round at these places.
func (s *Steering) drops(all []numbered, places []int) (faults []rounds.Fault) {
	if len(places) == 0 {
		return nil
	}
	type link struct{ from, to string }
	onLink, ofKind := map[link]int{}, map[stream]int{} // those that arrive
	count := func(m *numbered, n int) {
		onLink[link{m.From, m.To}] += n
		streamsOf(&m.Message, func(of stream) { ofKind[of] += n })
	}
	for i := range all {
		count(&all[i], 1)
	}
	for _, at := range places {
		count(&all[at], -1)
	}
	seen := map[rounds.Fault]bool{}
	for _, at := range places {
		m := &all[at]
		f := rounds.Fault{Kind: rounds.Omit, Process: m.From, To: m.To, Round: m.Round, Of: kindOf(&m.Message), Nth: m.nth}
		switch {
		case onLink[link{m.From, m.To}] == 0 && !late(s.given, f, ""):
			f.Of, f.Nth = "", 0
		case ofKind[streamOf(&m.Message)] == 0 && !late(s.given, f, f.Of):
			f.Nth = 0
		}
		if !seen[f] {
			seen[f] = true
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

// merged returns a schedule with one fault in place of several that hit all messages of one
// kind, or of one link, in a round.
func merged(sent map[int][]numbered, s rounds.Schedule) rounds.Schedule {
	type link struct {
		from, to string
		round    int
	}
	ofKind, onLink := map[stream]int{}, map[link]int{}
	for _, all := range sent {
		for i := range all {
			m := &all[i]
			streamsOf(&m.Message, func(of stream) { ofKind[of]++ })
			onLink[link{m.From, m.To, m.Round}]++
		}
	}
	streamOf := func(f rounds.Fault) stream { return stream{f.Process, f.To, f.Of, f.Round} }
	rest := func(f rounds.Fault) rounds.Fault { f.Of, f.Nth = "", 0; return f }
	type group struct { // of faults that are the same but for which messages they hit
		seen  map[rounds.Fault]bool
		kinds map[string]int
	}
	groups := map[rounds.Fault]group{}
	for _, f := range s.Faults {
		if f.Nth == 0 || f.Nth > ofKind[streamOf(f)] { // a fault of a message that is not sent hits none
			continue
		}
		g, ok := groups[rest(f)]
		if !ok {
			g = group{map[rounds.Fault]bool{}, map[string]int{}}
			groups[rest(f)] = g
		}
		if !g.seen[f] {
			g.seen[f] = true
			g.kinds[f.Of]++
		}
	}
	later := map[link][]rounds.Fault{}
	for _, f := range s.Faults {
		if f.Kind == rounds.Delay || f.Kind == rounds.Duplicate {
			on := link{f.Process, f.To, f.Round}
			later[on] = append(later[on], f)
		}
	}
	has := func(f rounds.Fault, kind string) bool { return late(later[link{f.Process, f.To, f.Round}], f, kind) }
	faults := slices.Clone(s.Faults)
	for i := range faults {
		f := &faults[i]
		g := groups[rest(*f)]
		switch {
		case f.Nth == 0 || g.kinds == nil || ofKind[streamOf(*f)] != g.kinds[f.Of]:
		case len(g.seen) == onLink[link{f.Process, f.To, f.Round}] && f.Kind == rounds.Omit && !has(*f, ""):
			f.Of, f.Nth = "", 0
		case f.Kind != rounds.Omit || !has(*f, f.Of):
			f.Nth = 0
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

// undelivered returns the messages that had to arrive, and did not in their own round.
func (s *Steering) undelivered(e *recording.Execution) (all []undelivered) {
	if len(s.must) == 0 {
		return nil
	}
	type message struct {
		from, to, kind, text string
		round                int
	}
	of := func(m *recording.Message) message {
		return message{m.From, m.To, kindOf(m), fmt.Sprint(m.Args), m.Round}
	}
	wanted := map[stream]bool{}
	for i := range s.must {
		wanted[streamOf(&s.must[i].Message)] = true
	}
	arrived, not := map[message]bool{}, map[message]rounds.Fault{} // those of a round in which a process panics do neither
	for i := range e.Messages {
		m := &e.Messages[i]
		switch {
		case !wanted[streamOf(m)]:
		case !m.Lost && m.Arrival == 0:
			arrived[of(m)] = true
		default:
			not[of(m)] = m.Cause
		}
	}
	for _, m := range s.must {
		key := of(&m.Message)
		if cause, is := not[key]; is && !arrived[key] {
			m.Cause = cause
			all = append(all, m)
		}
	}
	return all
}
