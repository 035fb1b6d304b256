package system

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// checkOrders executes random schedules, and again with what several processes send one
// in a round in another order there. It says where that makes a difference: in what the
// process reports then, or in its state; of one without a fingerprint, in what anybody
// does later. That is no mistake, and no proof where there is none.
func (s *System) checkOrders(ctx context.Context, runs int, seed uint64, ran *execution.Test) error {
	can, err := s.Abilities()
	if err != nil {
		return err
	}
	c := &orderCheck{system: s, runner: s.NewRunner(), random: rand.New(rand.NewPCG(seed, ordersStream)), ran: ran, matters: map[string]bool{}}
	for i := range runs {
		schedule := rounds.Schedule{}
		if i > 0 {
			schedule = s.randomSchedule(can, c.random)
		}
		ran.Schedules++
		if err := c.try(ctx, schedule); err != nil {
			return err
		}
	}
	return nil
}

// orderCheck remembers where order matters.
type orderCheck struct {
	system  *System
	runner  *Runner
	random  *rand.Rand
	ran     *execution.Test
	matters map[string]bool // by process, and what it was sent
}

// reception is what a process did in a round, and who sent it what.
type reception struct {
	turn
	named   bool     // its state has a name
	senders []string // others, in their order
	kinds   []string
}

// point names where order matters.
func (r *reception) point() string { return r.process + " " + strings.Join(r.kinds, " ") }

// mostPoints is how many points of one schedule are tried at most.
const mostPoints = 20

// try executes a schedule, and again with other orders.
func (c *orderCheck) try(ctx context.Context, schedule rounds.Schedule) error {
	log, err := c.execute(ctx, schedule)
	if err != nil {
		return under(schedule, err)
	}
	var points []int
	for i := range log {
		if len(log[i].senders) > 1 && !c.matters[log[i].point()] && !ordered(schedule, &log[i]) {
			points = append(points, i)
		}
	}
	if schedule.Size() > 0 {
		c.random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		points = points[:min(len(points), 1)]
	}
	for _, i := range points[:min(len(points), mostPoints)] {
		if c.matters[log[i].point()] {
			continue
		}
		if err := c.reorder(ctx, schedule, log, i); err != nil {
			return err
		}
	}
	return nil
}

// ordered tells whether a schedule has an order there.
func ordered(s rounds.Schedule, r *reception) bool {
	return slices.ContainsFunc(s.Faults, func(f rounds.Fault) bool {
		return f.Kind == rounds.Order && f.Process == r.process && f.Round == r.round
	})
}

// execute executes a schedule, and returns what processes did until they failed.
func (c *orderCheck) execute(ctx context.Context, schedule rounds.Schedule) (log []reception, err error) {
	c.runner.Options.Transition = func(t Transition) { log = append(log, c.reception(t)) }
	c.ran.Executions++
	err = c.runner.Run(ctx, schedule)
	return log, err
}

func (c *orderCheck) reception(t Transition) reception {
	p := c.runner.processes[c.runner.index[t.Process]]
	r := reception{turn: turnOf(t), named: p.fingerprinter != nil && named(t.State) && named(t.Next)}
	for _, m := range t.Inbox {
		if m.From != t.Process && !slices.Contains(r.senders, m.From) {
			r.senders = append(r.senders, m.From)
		}
		if kind := execution.PayloadKind(m.Payload); m.From != t.Process && !slices.Contains(r.kinds, kind) {
			r.kinds = append(r.kinds, kind)
		}
	}
	slices.Sort(r.kinds)
	return r
}

// reorder tries another order at a point of an execution.
func (c *orderCheck) reorder(ctx context.Context, schedule rounds.Schedule, log []reception, i int) error {
	at := &log[i]
	names := slices.DeleteFunc(slices.Clone(c.system.Processes), func(p string) bool { return !slices.Contains(at.senders, p) })
	usual := slices.Clone(names)
	for slices.Equal(names, usual) {
		c.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	names = moved(names, usual)
	order := rounds.Fault{Kind: rounds.Order, Process: at.process, Round: at.round, Detail: strings.Join(names, ",")}
	other := schedule
	other.Faults = append(slices.Clone(schedule.Faults), order)
	again, err := c.execute(ctx, other.Normal())
	c.ran.Orders++
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed *Error
	if err != nil && !errors.As(err, &failed) {
		return under(other, err)
	}
	what := "the execution fails"
	if err == nil {
		what = difference(log, again, i)
	}
	if what != "" {
		c.matters[at.point()] = true
		c.ran.Matters = append(c.ran.Matters, fmt.Sprintf("%s gets %s of %s: %s (%s)", at.process, text.List(at.kinds, "and"), text.List(at.senders, "and"), what, other.Normal()))
	}
	return nil
}

// moved returns those that have another place in an order than usual.
func moved(order, usual []string) (names []string) {
	for i, name := range order {
		if name != usual[i] {
			names = append(names, name)
		}
	}
	return names
}

// difference says what the order at a point makes different, "" if nothing.
func difference(log, again []reception, i int) string {
	if i >= len(again) {
		return "the execution ends before"
	}
	first, second := &log[i], &again[i]
	if d := comparing(first.facts, second.facts); d != "" {
		return "in that round it reports " + d
	}
	if first.named && second.named {
		if first.next != second.next {
			return fmt.Sprintf("its state is then %s, and not %s", second.next, first.next)
		}
		return ""
	}
	for j := i + 1; j < min(len(log), len(again)); j++ {
		before, now := &log[j], &again[j]
		if before.process != now.process || before.round != now.round {
			return fmt.Sprintf("in round %d %s takes part, and not %s", now.round, now.process, before.process)
		}
		if d := comparing(before.sent, now.sent); d != "" {
			return fmt.Sprintf("in round %d %s sends %s", now.round, now.process, d)
		}
		if d := comparing(before.facts, now.facts); d != "" {
			return fmt.Sprintf("in round %d %s reports %s", now.round, now.process, d)
		}
	}
	return ""
}

// comparing says which of some texts is the first that differs.
func comparing(before, now []string) string {
	for i := range max(len(before), len(now)) {
		if b, n := nth(before, i), nth(now, i); b != n {
			return fmt.Sprintf("%s, and not %s", n, b)
		}
	}
	return ""
}
