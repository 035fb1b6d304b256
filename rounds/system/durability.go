package system

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/selftest"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// DurabilityError reports a durable fact that a process forgot when it crashed,
// or contradicted later.
type DurabilityError struct {
	System   string
	Schedule rounds.Schedule
	Process  string
	Before   recording.Fact // what it had reported
	Round    int            // when it did not any more, or reported After
	After    recording.Fact // what contradicts that; zero if it was forgotten
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

// CheckDurability tests that crashes make no process forget what it must not
// forget. It executes random schedules (so many, from a seed) of crashes and
// restarts, without any other fault, and looks at the facts of the relations in
// s.Durable, which each process has to report in every round while they hold:
//
//   - What a process reports in the last round before a crash, it has to report
//     again in the round of the restart: best in Restart itself, before it goes
//     on to a later term, say. If it reports durable facts in several calls of
//     a round, the last of them counts. (Apart from restarts it may stop to
//     report a fact, such as a vote of a term that is over.)
//   - A relation that is written with a number, as in "vote/2", is a function of
//     so many of its first arguments, the process included: a process that ever
//     reports vote(p, 3, "a") must never report vote(p, 3, "b").
//
// The first fact that was forgotten or contradicted is a *DurabilityError, with a
// schedule from which nothing can be left out. It is an error, too, if no execution reports a fact of one of the relations, because
// then nothing was tested.
func (s *System) CheckDurability(ctx context.Context, runs int, seed uint64) error {
	return s.checkDurability(ctx, runs, seed, &selftest.Test{})
}

func (s *System) checkDurability(ctx context.Context, runs int, seed uint64, ran *selftest.Test) error {
	relations, err := s.durable()
	if err != nil {
		return err
	}
	switch can, err := s.Abilities(); {
	case err != nil:
		return err
	case !can.Restarts:
		return fmt.Errorf("system %q: durability: a process cannot restart: %w", s.Name, errNoRestarter)
	}
	random := rand.New(rand.NewPCG(seed, durabilityStream))
	r := s.NewRunner()
	execute := func(ctx context.Context, schedule rounds.Schedule) error {
		ran.Executions++
		return s.outage(ctx, r, schedule, relations, ran)
	}
	for range runs {
		schedule := s.randomOutages(random)
		ran.Schedules++
		if err := execute(ctx, schedule); err != nil {
			return s.smaller(ctx, schedule, rounds.Settings{}, err, execute)
		}
	}
	for _, d := range relations {
		if !d.seen {
			return fmt.Errorf("system %q: durability: no process has reported a fact of %q in %d executions, so nothing was tested", s.Name, d.relation, runs)
		}
	}
	return nil
}

// outage executes a schedule and reports what is forgotten or contradicted.
func (s *System) outage(ctx context.Context, r *Runner, schedule rounds.Schedule, relations []*durable, ran *selftest.Test) error {
	w := &durabilityWatch{relations: relations, known: map[string]recording.Fact{}, last: map[string][]recording.Fact{}, ran: ran}
	r.Options.Transition = w.see
	if err := r.Run(ctx, schedule); err != nil {
		return under(schedule, err)
	}
	if w.err != nil {
		w.err.System, w.err.Schedule = s.Name, r.drawn()
		return w.err
	}
	return nil
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
	known     map[string]recording.Fact   // by relation and key, the first fact
	last      map[string][]recording.Fact // by process, the durable facts of its last round
	ran       *selftest.Test
	err       *DurabilityError
}

func (w *durabilityWatch) see(t Transition) {
	if w.err != nil {
		return
	}
	var facts []recording.Fact
	lastCall, latest := 0, 0 // the last call with durable facts, and where those begin
	for i, f := range t.Facts {
		at := slices.IndexFunc(w.relations, func(d *durable) bool { return d.relation == f.Relation })
		if at < 0 {
			continue
		}
		if call := t.reported.call(i); call > lastCall {
			lastCall, latest = call, len(facts)
		}
		w.relations[at].seen = true
		facts = append(facts, f)
		w.contradicts(w.relations[at], f)
	}
	if t.Restarted {
		w.ran.Crashes++
		for _, f := range w.last[t.Process] {
			if !slices.ContainsFunc(facts, func(g recording.Fact) bool { return sameTuple(f, g) }) && w.err == nil {
				w.err = &DurabilityError{Process: t.Process, Before: f, Round: t.Round}
			}
		}
	}
	w.last[t.Process] = facts[latest:]
}

// call returns in which call of a round a fact was reported: 0 for Restart, 1 for
// Tick and Send, 2 for Receive.
func (m marks) call(fact int) int {
	switch {
	case fact < m.restarted:
		return 0
	case fact < m.sent:
		return 1
	default:
		return 2
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
	if !sameTuple(first, f) && w.err == nil {
		w.err = &DurabilityError{Process: f.Args[0].Text(), Before: first, Round: f.Round, After: f}
	}
}

// sameTuple tells whether two facts are the same but for their rounds.
func sameTuple(f, g recording.Fact) bool {
	f.Round = g.Round
	return f.Compare(g) == 0
}

// randomOutages returns a schedule of crashes and restarts.
func (s *System) randomOutages(random *rand.Rand) rounds.Schedule {
	var schedule rounds.Schedule
	for _, name := range s.Processes {
		round := 1
		for range random.IntN(4) {
			round += random.IntN(max(s.Rounds/2, 1))
			back := round + random.IntN(max(s.Rounds/4, 2))
			if back > s.Rounds {
				break
			}
			schedule.Faults = append(schedule.Faults, rounds.Fault{Kind: rounds.Crash, Process: name, Round: round}, rounds.Fault{Kind: rounds.Restart, Process: name, Round: back})
			round = back + 1
		}
	}
	return schedule.With(rounds.Settings{Seed: rounds.Set(random.Uint64N(1000))})
}
