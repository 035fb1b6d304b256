package strategies

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// around is Exhaustive where a guide decides faults. What it decides depends on all that has
// happened, so there are no global states to be looked at once: schedules are executed, fewest
// faults first, but not those under which it is known what happens (see [tree]). Whatever
// their number, all are decided. It requires nothing of a system.
var around = &search.Strategy{
	Name:   "exhaustive",
	Needs:  search.Needs{Phases: true},
	Search: searchAround,
}

// mostLooked limits the schedules that are looked at for each one that may be executed.
const mostLooked = 50

func searchAround(ctx context.Context, s *search.Session) (*result.Answer, error) {
	if !s.Settings.Seed.Given && s.Seed != 0 {
		s.Settings.Seed = rounds.Set(s.Seed) // one for all
	}
	x := &surrounding{Session: s, tree: newTree(s)}
	for range max(s.Workers, 1) {
		executor, err := s.Guided(s.Statistics)
		if err != nil {
			return nil, err
		}
		x.executors = append(x.executors, executor)
	}
	found, err := x.all(ctx)
	switch {
	case ctx.Err() != nil:
		a := s.Answer(s.Executions)
		a.Limit = s.Ended(ctx)
		return a, nil
	case err != nil:
		return nil, err
	case found != nil:
		s.Seen, s.Violates = found.recording, found.violations
		s.Forget(found.number)
		a := s.Answer(found.number + 1)
		return a, s.Violated(ctx, a, found.recording.Schedule)
	}
	a := s.Answer(s.Executions)
	if x.tooMany {
		search.Stop(a, result.LimitSize, "%d executions showed what happens under the %d schedules with the fewest faults, of %s within the bounds",
			s.Executions, x.looked, schedules.Count(s.Bounds))
		return a, nil
	}
	s.Certify(a, certificate(ctx, s))
	return a, nil
}

// surrounding is a search of all schedules around a guide.
type surrounding struct {
	*search.Session
	tree      *tree
	executors []search.Executor
	looked    int // schedules
	tooMany   bool
}

// all looks at all schedules, until one violates a property. Those of a batch are chosen
// before any of them is executed, so that the number of workers makes no difference.
func (x *surrounding) all(ctx context.Context) (*trial, error) {
	var trials []trial
	size := 1
	for schedule := range schedules.New(x.Bounds).ByChoices() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		schedule = x.With(schedule)
		known, err := x.tree.known(schedule)
		if err != nil {
			return nil, err
		}
		if x.looked++; known {
			continue
		}
		if x.Executions+len(trials) == x.States || x.looked > mostLooked*x.States {
			x.looked, x.tooMany = x.looked-1, true
			break
		}
		if trials = append(trials, trial{number: x.Executions + len(trials), schedule: schedule}); len(trials) < size {
			continue
		}
		if found, err := x.batch(ctx, trials); found != nil || err != nil {
			return found, err
		}
		trials, size = trials[:0], min(2*size, batch)
	}
	return x.batch(ctx, trials)
}

// batch executes schedules, and returns the first one that violates a property.
func (x *surrounding) batch(ctx context.Context, trials []trial) (*trial, error) {
	found, err := executed(ctx, x.Session, x.executors, trials, func(t *trial) error {
		if x.Executions++; len(t.violations) > 0 {
			return nil // they do not stand
		}
		return x.tree.add(t.schedule, t.recording, x.Prevents(t.number))
	})
	if found != nil {
		x.Executions = found.number + 1
	}
	x.Progress(result.Progress{Executions: x.Executions, Text: fmt.Sprintf("%d schedules are decided", x.looked)})
	return found, err
}

// tree has the executions whose outcome is known. Take two schedules with the same crashes and
// other faults that lose no messages of their own. Up to the round in which one of them loses
// a message that is sent, and the other one does not, the same happens: processes send,
// receive and report the same, so that the guide decides the same. If there is no such round,
// they have the same outcome. This needs that neither the guide nor a property reads which
// faults lost a message, and that no other fault has a part in whether one is lost.
type tree struct {
	session     *search.Session
	alike       bool // the same is known to have the same outcome
	environment *schedules.Environment
	classes     *classes
	index       map[string]int
	first       map[string]*branch // by the faults that lose no messages of their own
	scratch     []byte
}

// branch is what is sent in a round, after what happened in those before.
type branch struct {
	sent      []passage
	next      map[string]*branch // by which of these are lost; after the last round one that sends nothing
	prevented bool               // the guide does not allow it
}

// passage is the messages of a class on a link in a round.
type passage struct{ from, to, class int }

func newTree(s *search.Session) *tree {
	c := &tree{session: s, classes: newClasses(s.Bounds.Kinds), index: map[string]int{}, first: map[string]*branch{}}
	_, reads := search.NewLens(s.Properties)
	c.alike = reads == nil && !s.Guide.ReadsLosses() && s.Inexact == "" && s.Bounds.Delays == 0 && s.Bounds.Duplicates == 0
	for i, p := range s.Bounds.Processes {
		c.index[p] = i
	}
	return c
}

// known tells whether the outcome of a schedule is known, and that it violates nothing.
func (c *tree) known(s rounds.Schedule) (bool, error) {
	if !c.alike {
		return false, nil
	}
	if err := c.under(s); err != nil {
		return false, err
	}
	at := c.first[othersOf(s)]
	for round := 1; at != nil && round <= c.session.Bounds.EOT; round++ {
		at = at.next[string(c.lost(at, round))]
	}
	if at != nil && at.prevented {
		c.session.Spared++
	}
	return at != nil, nil
}

// add adds the execution of a schedule that violates nothing.
func (c *tree) add(s rounds.Schedule, e *recording.Execution, prevented bool) error {
	if !c.alike {
		return nil
	}
	if err := c.under(s); err != nil {
		return err
	}
	sent := make([][]passage, c.session.Bounds.EOT+2)
	seen := map[int]map[passage]bool{}
	for i := range e.Messages {
		m := &e.Messages[i]
		p := passage{-1, c.index[m.To], c.classes.classOf(m)}
		if m.From != "" {
			p.from = c.index[m.From]
		}
		if seen[m.Round] == nil {
			seen[m.Round] = map[passage]bool{}
		}
		if m.Round >= 1 && m.Round < len(sent)-1 && p.from != p.to && !seen[m.Round][p] {
			seen[m.Round][p] = true
			sent[m.Round] = append(sent[m.Round], p)
		}
	}
	key := othersOf(s)
	at := c.first[key]
	if at == nil {
		at = &branch{sent: sent[1]}
		c.first[key] = at
	}
	for round := 1; round <= c.session.Bounds.EOT; round++ {
		lost := string(c.lost(at, round))
		next := at.next[lost]
		if next == nil {
			next = &branch{sent: sent[round+1]}
			if at.next == nil {
				at.next = map[string]*branch{}
			}
			at.next[lost] = next
		}
		at = next
	}
	at.prevented = prevented
	return nil
}

// under sets the schedule that lost speaks of.
func (c *tree) under(s rounds.Schedule) (err error) {
	if c.environment == nil {
		c.environment, err = schedules.NewEnvironment(c.session.Bounds, s)
		return err
	}
	return c.environment.Reset(s)
}

// lost tells which of the messages of a round the schedule loses, a byte for each.
func (c *tree) lost(at *branch, round int) []byte {
	c.scratch = c.scratch[:0]
	for _, p := range at.sent {
		arrives := c.environment.Delivers(p.from, p.to, round)
		for _, kind := range c.classes.of[p.class] {
			arrives = arrives && c.environment.Of(kind, 0).Delivers(p.from, p.to, round)
		}
		if arrives {
			c.scratch = append(c.scratch, 0)
		} else {
			c.scratch = append(c.scratch, 1)
		}
	}
	return c.scratch
}

// othersOf returns the faults of a schedule that lose no messages of their own, as a text.
func othersOf(s rounds.Schedule) string {
	var others rounds.Schedule
	for _, f := range s.Faults {
		switch f.Kind {
		case rounds.Isolate, rounds.Partition, rounds.Cut, rounds.Omit:
		default:
			others.Faults = append(others.Faults, f)
		}
	}
	if others.Faults == nil {
		return ""
	}
	return others.Normal().String()
}
