package system

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// DurabilityError reports a durable fact that a process forgot in a crash, or
// contradicted later.
type DurabilityError struct {
	System   string
	Schedule rounds.Schedule
	Process  string
	Before   recording.Fact // the fact that the process had reported
	Round    int            // the round in which it did not report Before any more, or reported After
	After    recording.Fact // the fact that contradicts Before; zero if Before was forgotten

	doubt int // the round of the crash, if nothing was reported in the call in which it happened
}

func (e *DurabilityError) Error() string {
	text := fmt.Sprintf("system %q: %s reported %s, ", e.System, e.Process, e.Before)
	if e.After.Relation == "" {
		text += fmt.Sprintf("and does not any more when it restarts in round %d", e.Round)
	} else {
		text += fmt.Sprintf("and later %s", e.After)
	}
	return fmt.Sprintf("%s, under the schedule %q", text, e.Schedule)
}

// CheckDurability tests that no process forgets a durable fact in a crash. It executes
// runs random schedules, drawn from seed, of crashes and restarts without any other
// fault, also within rounds and while a process recovers. It checks the facts of the
// relations in s.Durable, which each process has to report in every round while they
// hold. If a process has a disk, crashes also keep or tear what was not synced.
//
//   - A process has to report the durable facts of the last round before a crash again
//     in the round of the restart: best in Restart itself, before it goes on to a later
//     term, say. If it reports durable facts in several calls of a round, the last of
//     these calls counts. (Without a restart it may stop reporting a fact, such as a
//     vote of a term that is over.) If it crashes at a point within a round, that holds
//     for the facts of the call in which it crashed, and for earlier facts that it
//     would have gone on reporting.
//   - A relation that is written with a number n, as in "vote/2", is a function of its
//     first n arguments, the process included: a process that ever reports vote(p, 3,
//     "a") must never report vote(p, 3, "b").
//
// CheckDurability returns the first fact that was forgotten or contradicted as a
// *DurabilityError, with a schedule from which nothing can be left out. It also returns
// an error if no execution reports a fact of one of the relations, because then nothing
// was tested.
func (s *System) CheckDurability(ctx context.Context, runs int, seed uint64) error {
	return s.checkDurability(ctx, runs, seed, &execution.Test{})
}

func (s *System) checkDurability(ctx context.Context, runs int, seed uint64, ran *execution.Test) error {
	relations, err := s.durable()
	if err != nil {
		return err
	}
	can, err := s.Abilities()
	if err != nil {
		return err
	}
	if !can.Restarts {
		return fmt.Errorf("system %q: durability: a process cannot restart: %w", s.Name, errNoRestarter)
	}
	random := rand.New(rand.NewPCG(seed, durabilityStream))
	o := &outages{system: s, runner: s.NewRunner(), relations: relations, visits: newVisits(can.Points), ran: ran}
	defer func() { o.visits.tell(s.Processes, ran) }()
	for range runs {
		schedule := s.randomOutages(can, random)
		ran.Schedules++
		if err := o.execute(ctx, schedule); err != nil {
			return s.smaller(ctx, schedule, rounds.Settings{}, err, o.execute)
		}
	}
	for _, d := range relations {
		if !d.seen {
			return fmt.Errorf("system %q: durability: no process has reported a fact of %q in %d executions, so nothing was tested", s.Name, d.relation, runs)
		}
	}
	return nil
}

// outages executes schedules of crashes and restarts.
type outages struct {
	system    *System
	runner    *Runner
	relations []*durable
	visits    *visits
	ran       *execution.Test
}

// execute executes a schedule and reports what is forgotten or contradicted.
func (o *outages) execute(ctx context.Context, schedule rounds.Schedule) error {
	w := &durabilityWatch{relations: o.relations, known: map[string]recording.Fact{}, last: map[string]lastSeen{}, visits: o.visits, ran: o.ran}
	o.ran.Executions++
	o.runner.Options.Transition = w.see
	if err := o.runner.Run(ctx, schedule); err != nil {
		return under(schedule, err)
	}
	drawn := o.runner.drawn()
	for _, e := range w.errors {
		e.System, e.Schedule = o.system.Name, drawn
		held, err := o.held(ctx, e)
		if held || err != nil {
			return cmp.Or[error](err, e)
		}
	}
	return nil
}

// held tells whether a fact still held that a process has forgotten. It did if the
// process reported it in the call in which it crashed, or in the last round before.
// Otherwise it might have changed its mind in that call: what it would have reported
// in the end of the round, without the crash, shows that.
func (o *outages) held(ctx context.Context, e *DurabilityError) (held bool, err error) {
	if e.doubt == 0 {
		return true, nil
	}
	without := rounds.Schedule{Settings: e.Schedule.Settings}
	for _, f := range e.Schedule.Faults {
		if f.Process != e.Process || f.Round < e.doubt || f.Round == e.doubt && f.Point() == "" {
			without.Faults = append(without.Faults, f)
		}
	}
	o.ran.Executions++
	o.runner.Options.Transition = func(t Transition) {
		if t.Process == e.Process && t.Round == e.doubt {
			facts, latest, _ := durableFacts(o.relations, t)
			held = slices.ContainsFunc(facts[latest:], func(f recording.Fact) bool { return sameTuple(f, e.Before) })
		}
	}
	if err := o.runner.Run(ctx, without); err != nil {
		return false, under(without, err)
	}
	return held, nil
}

// durable is a relation that is named in System.Durable.
type durable struct {
	relation string
	key      int // it is a function of so many arguments; 0: of no
	seen     bool
}

// durable reads s.Durable.
func (s *System) durable() ([]*durable, error) {
	if len(s.Durable) == 0 {
		return nil, fmt.Errorf("system %q: durability: its Durable names no relations, such as \"vote/2\"", s.Name)
	}
	var all []*durable
	for _, text := range s.Durable {
		relation, number, keyed := strings.Cut(text, "/")
		d := &durable{relation: relation}
		if keyed {
			var err error
			if d.key, err = strconv.Atoi(number); err != nil || d.key < 1 {
				return nil, fmt.Errorf("system %q: durability: %q is not a relation, as in \"vote\", or one and the number of its arguments that determine the others, as in \"vote/2\"", s.Name, text)
			}
		}
		all = append(all, d)
	}
	return all, nil
}

// durabilityWatch watches one execution.
type durabilityWatch struct {
	relations []*durable
	known     map[string]recording.Fact // by relation and key, the first fact
	last      map[string]lastSeen       // by process
	visits    *visits
	ran       *execution.Test
	errors    []*DurabilityError
}

// lastSeen is what a process has reported last.
type lastSeen struct {
	facts []recording.Fact
	doubt int // the round in which it crashed in a call before it reported anything in that; 0: in none
}

func (w *durabilityWatch) see(t Transition) {
	w.visits.see(t)
	facts, latest, lastCall := durableFacts(w.relations, t)
	for _, f := range facts {
		d := of(w.relations, f)
		d.seen = true
		w.contradicts(d, f)
	}
	if t.Restarted {
		w.ran.Crashes++
	}
	if t.Restarted && t.Point == "" { // it had the whole round to report what it knows
		w.forgets(t, facts)
	}
	seen := lastSeen{facts: facts[latest:]}
	if t.Point != "" && len(facts) == 0 {
		seen.facts = w.last[t.Process].facts
	}
	if lastCall < t.reported.crashed {
		seen.doubt = t.Round
	}
	w.last[t.Process] = seen
}

// durableFacts returns the durable facts of a round, where those of the last call with
// any begin, and which call that is.
func durableFacts(relations []*durable, t Transition) (facts []recording.Fact, latest, lastCall int) {
	for i, f := range t.Facts {
		if of(relations, f) == nil {
			continue
		}
		if call := t.reported.call(i); call > lastCall {
			lastCall, latest = call, len(facts)
		}
		facts = append(facts, f)
	}
	return facts, latest, lastCall
}

// of returns the durable relation of a fact, nil if it is none.
func of(relations []*durable, f recording.Fact) *durable {
	for _, d := range relations {
		if d.relation == f.Relation {
			return d
		}
	}
	return nil
}

// forgets looks for facts that a process does not report any more when it restarts.
func (w *durabilityWatch) forgets(t Transition, facts []recording.Fact) {
	for _, f := range w.last[t.Process].facts {
		if !slices.ContainsFunc(facts, func(g recording.Fact) bool { return sameTuple(f, g) }) {
			w.errors = append(w.errors, &DurabilityError{Process: t.Process, Before: f, Round: t.Round, doubt: w.last[t.Process].doubt})
		}
	}
}

// call returns in which call of a round a fact was reported: 1 for Restart, 2 for
// Tick and Send, 3 for Receive.
func (m marks) call(fact int) int {
	switch {
	case fact < m.restarted:
		return 1
	case fact < m.sent:
		return 2
	default:
		return 3
	}
}

// contradicts looks for another fact with the same key.
func (w *durabilityWatch) contradicts(d *durable, f recording.Fact) {
	if d.key == 0 {
		return
	}
	key := recording.Fact{Relation: f.Relation, Args: f.Args[:min(d.key, len(f.Args))]}.String()
	first, ok := w.known[key]
	if !ok {
		w.known[key] = f
		return
	}
	if !sameTuple(first, f) {
		w.errors = append(w.errors, &DurabilityError{Process: f.Args[0].Text(), Before: first, Round: f.Round, After: f})
	}
}

// sameTuple tells whether two facts are the same but for their rounds.
func sameTuple(f, g recording.Fact) bool {
	f.Round = g.Round
	return f.Compare(g) == 0
}

// randomOutages returns a schedule of crashes and restarts. A process that has points
// crashes at one of them half of the time, now and then while it restarts. Where
// processes have disks, a crash loses, keeps or tears what was not synced.
func (s *System) randomOutages(can Abilities, random *rand.Rand) rounds.Schedule {
	var schedule rounds.Schedule
	for _, name := range s.Processes {
		round, up := 1, 0
		for range random.IntN(4) {
			round += random.IntN(max(s.Rounds/2, 1))
			crash := rounds.Fault{Kind: rounds.Crash, Process: name, Round: round}
			if p := can.Points[name]; len(p) > 0 && random.IntN(2) == 0 {
				crash.Detail = p[random.IntN(len(p))]
				if up > 0 && random.IntN(3) == 0 {
					crash.Round = up
				}
				round = crash.Round + 1
			}
			if can.Machine.Disk {
				crash.Detail = strings.Trim(crash.Detail+[]string{"", "/kept", "/torn"}[random.IntN(3)], "/")
			}
			up = round + random.IntN(max(s.Rounds/4, 2))
			if up > s.Rounds {
				break
			}
			schedule.Faults = append(schedule.Faults, crash, rounds.Fault{Kind: rounds.Restart, Process: name, Round: up})
			round = up + 1
		}
	}
	return schedule.With(rounds.Settings{Seed: rounds.Set(random.Uint64N(1000))})
}
