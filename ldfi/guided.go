package ldfi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// mostGuided limits the schedules under which a program is executed with a guide.
const mostGuided = 100_000

// Guided decides whether some execution breaks the promise in which a guide decides faults, beside those of any
// schedule within the bounds. What the guide decides does not count towards the budgets, but meets the assumptions
// of the bounds. A schedule under which a message is lost that the guide delivers is not allowed. Every schedule is
// executed, those with the fewest faults first; the counterexample has what the guide decided as well. Where these are
// too many the solver is asked, if what the guide decides depends on no execution, or is nothing.
// Errors and limits are those of Check.
func (m *Model) Guided(ctx context.Context, g *guide.Guide) (*result.Answer, error) {
	if err := cmp.Or(m.onlyRun(), g.Fits(m.program, m.bounds)); err != nil {
		return nil, err
	}
	if m.options.Hold && g.Waypoints() == 0 {
		return nil, fmt.Errorf("hold leaves unharmed what leads to the waypoints of a guide, and %s has none", g.Name())
	}
	start := time.Now()
	a := m.unanswered()
	a.Scope.Text += ", within " + g.Name()
	d := &guided{Model: m, guide: g}
	asked, err := false, error(nil)
	if schedules.Count(m.bounds).Cmp(big.NewInt(mostGuided)) > 0 {
		if asked, err = d.solved(ctx, a); asked && err == nil {
			return a, d.concludeWay(ctx, a)
		}
		if !asked && err == nil && !m.options.Hold {
			if asked, err = d.assumed(ctx, a); asked && err == nil {
				return a, nil
			}
		}
	}
	if !asked && err == nil {
		err = d.all(ctx, a)
	}
	if wrong := d.farthest(context.WithoutCancel(ctx), a); wrong != nil {
		return nil, wrong
	}
	if a.Limit = limitOf(ctx, err); err != nil && a.Limit == nil {
		return nil, err
	}
	if a.Limit != nil && a.Verdict != result.Violated {
		a.Limit.Advice = append(a.Limit.Advice, "smaller fault budgets: the guide is executed under each schedule that is left")
	}
	if err := d.conclude(ctx, a); err != nil {
		return nil, err
	}
	a.Stats.Workers, a.Stats.Executions = m.options.Workers, d.executions
	a.Stats.Times.Total = text.Milliseconds(time.Since(start))
	return a, nil
}

// guided is the execution of schedules with what a guide decides.
type guided struct {
	*Model
	guide  *guide.Guide
	silent bool // nothing need be promised

	way        []*rounds.Schedule // if the solver was asked: by waypoint a smallest schedule that reaches it; nil: none does
	confirming *steered           // executes what the solver found
	first      []rounds.Schedule  // by waypoint: of the first execution that reached it
	ended      *rounds.Schedule   // of the first that ended in a good state
	outcomes   []guide.Outcome    // of all schedules, in their order
	found      [][]int            // sets of units that break the promise, none of which has another as a part
	asked      bool               // pre has a fact in some execution that is allowed
	pre        bool               // the promise is that of pre
	every      bool               // all schedules were executed
	allowed    int                // how many of them the guide and the bounds allow
	executions int
	shorts     []*turn // with Options.Hold: those that break the promise, and do not reach all waypoints
	broke      *turn   // that of the first counterexample
	refused    string  // why what the guide decides is outside of the bounds, in the first execution in which it is
}

// turn is one schedule, and what came of it.
type turn struct {
	units      []int
	given      *rounds.Schedule // in place of units; nil: there is none
	schedule   rounds.Schedule  // with what the guide decided
	outcome    guide.Outcome
	broken     []result.Violation
	asked      bool
	executions int
	refused    string
	err        error
}

// steered executes one schedule after the other. It is for one goroutine.
type steered struct {
	*guided
	universe *schedules.Universe
	machine  *lockstep.Machine
	executor *executor // nil: nothing is promised
	steering *guide.Steering
}

// newSteered compiles the program once more.
func (d *guided) newSteered(ctx context.Context) (*steered, error) {
	s := &steered{guided: d, universe: schedules.New(d.bounds)}
	var err error
	var none *NoPromiseError
	_, bad := d.guide.Ends()
	if s.executor, _, err = newExecutor(ctx, d.Model); err != nil && (!errors.As(err, &none) || len(bad) == 0 && d.guide.Waypoints() == 0 && !d.silent) {
		return nil, err
	}
	if s.machine, err = lockstep.Compile(d.program, d.bounds, lockstep.Options{MaxFacts: d.options.MaxFacts}); err != nil {
		return nil, err
	}
	s.steering, err = d.guide.SteeringOf(d.program, d.bounds)
	return s, err
}

// all executes all schedules, until enough counterexamples are found. The answer has what was found before an error.
func (d *guided) all(ctx context.Context, a *result.Answer) error {
	var workers []*steered
	for range max(d.options.Workers, 1) {
		s, err := d.newSteered(ctx)
		if err != nil {
			return err
		}
		workers = append(workers, s)
	}
	d.pre = workers[0].executor != nil && workers[0].executor.promise.prePost
	var batch []*turn
	for set, more := range workers[0].universe.InOrder(ctx, mostGuided) {
		if !more {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := d.batch(ctx, a, workers, batch); err != nil || len(a.Counterexamples) >= d.options.Max {
				return err
			}
			a.AtLeast = len(workers[0].universe.Faults(set))
			return d.tooMany()
		}
		if batch = append(batch, &turn{units: slices.Clone(set)}); len(batch) == 64*len(workers) {
			if err := d.batch(ctx, a, workers, batch); err != nil || len(a.Counterexamples) >= d.options.Max {
				return err
			}
			batch = batch[:0]
		}
	}
	if err := d.batch(ctx, a, workers, batch); err != nil || len(a.Counterexamples) >= d.options.Max {
		return err
	}
	a.Complete, d.every = true, true
	return ctx.Err()
}

// tooMany is the limit on schedules.
func (d *guided) tooMany() error {
	return &limits.LimitError{Count: len(d.outcomes), What: fmt.Sprintf("of %s schedules executed with %s", text.Number(schedules.Count(d.bounds), 24), d.guide.Name())}
}

// batch executes schedules at the same time, and takes what came of them in their order.
func (d *guided) batch(ctx context.Context, a *result.Answer, workers []*steered, batch []*turn) error {
	d.tell(len(d.outcomes))
	var all sync.WaitGroup
	for i, s := range workers {
		all.Go(func() {
			for j := i; j < len(batch); j += len(workers) {
				s.turn(ctx, batch[j])
			}
		})
	}
	all.Wait()
	for _, t := range batch {
		if t.err != nil {
			return t.err
		}
		d.executions += t.executions
		d.outcomes = append(d.outcomes, t.outcome)
		if d.refused == "" {
			d.refused = t.refused
		}
		if len(t.outcome.Prevented) > 0 || t.refused != "" {
			continue
		}
		d.allowed++
		d.reaches(t)
		d.asked = d.asked || t.asked
		part := func(known []int) bool { return isPart(known, t.units) }
		if len(t.broken) == 0 || slices.ContainsFunc(d.found, part) || d.short(t) {
			continue
		}
		d.found = append(d.found, t.units)
		if err := d.breaks(ctx, a, workers[0], t); err != nil || len(a.Counterexamples) >= d.options.Max {
			return err
		}
	}
	return nil
}

// breaks adds a counterexample to the answer. All schedules with fewer faults were executed before.
func (d *guided) breaks(ctx context.Context, a *result.Answer, s *steered, t *turn) error {
	c, err := d.counterexample(ctx, s, t)
	if err != nil {
		return err
	}
	if d.broke == nil {
		d.broke = t
	}
	faults := s.universe.Faults
	switch less := d.less(t); {
	case less != nil:
		c.Unneeded = scheduleOf(s.universe, less)
	case len(faults(t.units)) == len(faults(d.broke.units)):
		c.Minimal, c.Irreducible, c.Among = true, true, result.AmongGuided
		if d.options.Hold {
			c.Among = result.AmongWaypoints
		}
	default:
		c.Irreducible = true
	}
	a.Verdict, a.Counterexamples = result.Violated, append(a.Counterexamples, *c)
	return nil
}

// reaches takes note of what an execution reached first.
func (d *guided) reaches(t *turn) {
	for range t.outcome.Reached[min(len(d.first), len(t.outcome.Reached)):] {
		d.first = append(d.first, t.schedule)
	}
	if good, _ := d.guide.Ends(); d.ended == nil && slices.Contains(good, t.outcome.State()) {
		d.ended = &t.schedule
	}
}

func (d *guided) tell(n int) {
	if d.options.Progress != nil {
		d.options.Progress(fmt.Sprintf("executing with %s, schedule %d", d.guide.Name(), n+1))
	}
}

// turn executes a schedule with what the guide decides, and judges the execution.
func (s *steered) turn(ctx context.Context, t *turn) {
	execute := func(schedule rounds.Schedule) (*recording.Execution, error) {
		t.executions++
		possible, refused := s.possible(schedule)
		if t.refused == "" && refused != nil {
			t.refused = refused.Error()
		}
		e, err := s.machine.Execute(ctx, possible)
		if err != nil {
			return nil, err
		}
		e.Facts = slices.DeleteFunc(e.Facts, func(f recording.Fact) bool { return f.Relation == syntax.Crash || f.Relation == syntax.Booted })
		return e, nil
	}
	begin := scheduleOf(s.universe, t.units)
	if t.given != nil {
		begin = *t.given
	}
	var e *recording.Execution
	e, t.outcome, t.err = s.steering.ByExecuting(ctx, begin, execute)
	if t.err != nil || t.refused != "" {
		return
	}
	t.schedule = e.Schedule
	t.broken = s.bad(t.outcome)
	if s.executor == nil {
		return
	}
	expected, err := s.executor.expected(ctx, t.schedule)
	if err != nil {
		t.err = err
		return
	}
	run, err := s.executor.run(ctx, t.schedule)
	if err != nil {
		t.err = err
		return
	}
	t.executions++
	t.asked = len(run.Facts(preRelation, s.bounds.EOT)) > 0
	t.broken = append(s.executor.promise.judge(run, expected), t.broken...)
}

// possible leaves out what cannot happen, such as the crash of a process that is down. The error is that something contradicts
// the assumptions of the bounds.
func (s *steered) possible(schedule rounds.Schedule) (kept rounds.Schedule, refused error) {
	schedule = schedule.Normal()
	if schedule.Check(s.bounds) == nil && schedules.Assumed(schedule, s.bounds) == nil {
		return schedule, nil
	}
	inTime := slices.Clone(schedule.Faults)
	slices.SortStableFunc(inTime, func(f, g rounds.Fault) int { return f.Round - g.Round })
	add := func(check func(rounds.Schedule) error) {
		kept = rounds.Schedule{Settings: schedule.Settings}
		for _, f := range inTime { // a process that crashes again has come back before
			if more := (rounds.Schedule{Settings: schedule.Settings, Faults: append(slices.Clone(kept.Faults), f)}).Normal(); check(more) == nil {
				kept = more
			}
		}
	}
	add(func(more rounds.Schedule) error { return more.Check(s.bounds) })
	if refused = schedules.Assumed(kept, s.bounds); refused != nil { // what else the guide decides is still of interest
		add(func(more rounds.Schedule) error {
			return cmp.Or(more.Check(s.bounds), schedules.Assumed(more, s.bounds))
		})
	}
	return kept, refused
}

// bad returns the bad states that an execution entered, as violations.
func (s *steered) bad(o guide.Outcome) (violations []result.Violation) {
	_, bad := s.guide.Ends()
	entered := map[string]bool{}
	for _, move := range o.Moves {
		if entered[move.To] || !slices.Contains(bad, move.To) {
			continue
		}
		entered[move.To] = true
		violations = append(violations, result.Violation{
			Fact:     recording.Fact{Relation: "in", Args: []specs.Value{specs.String(move.To)}, Round: move.Round},
			Property: s.guide.Name(), Position: s.guide.Rules()[move.Rule].Position,
			Text: text.Safe(fmt.Sprintf("the bad state %q of %s is entered in round %d", move.To, s.guide.Name(), move.Round)),
		})
	}
	return violations
}

// counterexample is a schedule with what the guide decided, recorded and explained.
func (d *guided) counterexample(ctx context.Context, s *steered, t *turn) (*result.Counterexample, error) {
	beside := scheduleOf(s.universe, t.units)
	c := &result.Counterexample{Schedule: t.schedule, Beside: &beside, Size: t.schedule.Size(), Confirmed: true}
	var promised []result.Violation
	for _, v := range t.broken {
		if v.Property == "" {
			promised = append(promised, v)
		}
	}
	c.Violations = append(d.stated(promised), t.broken[len(promised):]...)
	record := s.machine.Execute
	if len(promised) > 0 {
		record = s.executor.record
	}
	var err error
	if c.Execution, err = record(ctx, t.schedule); err != nil {
		return nil, err
	}
	c.Senders = d.senders(c.Execution)
	if len(promised) > 0 {
		if w, _, err := d.world(ctx, t.schedule, s.executor.promise.relations()...); err == nil {
			c.Because = reason(explain.New(w), c.Execution, promised)
		}
	}
	return c, nil
}

// conclude adds the verdict, and what came of the guide.
func (d *guided) conclude(ctx context.Context, a *result.Answer) error {
	g := d.guide.Guidance(d.outcomes, len(a.Counterexamples) > 0)
	for i := range d.first {
		g.Waypoints[i].Schedule = &d.first[i]
	}
	if good, _ := d.guide.Ends(); len(good) > 0 {
		g.Target.Schedule = d.ended
	} else if n := len(g.Waypoints); n > 0 && len(d.first) == n {
		g.Target.Schedule = &d.first[n-1]
	}
	for i := range g.Waypoints {
		g.Waypoints[i].Never = d.every && d.allowed > 0 && g.Waypoints[i].Executions == 0
	}
	if g.Target != nil {
		g.Target.Never = d.every && d.allowed > 0 && g.Target.Executions == 0
	}
	a.Guidance = g
	switch {
	case len(a.Counterexamples) > 0 || !d.every:
		d.holding(ctx, a, len(d.first))
		return nil
	case d.allowed == 0:
		return d.nothing(ctx, a)
	case d.pre && !d.asked:
		a.Vacuity = fmt.Sprintf("pre has no fact at round %d in any execution within %s, so post is never asked for", d.bounds.EOT, d.guide.Name())
	}
	a.Verdict, a.Decided = result.Holds, d.bounds.EOT
	d.holding(ctx, a, len(d.first))
	return nil
}

// concludeWay adds what the solver found about waypoints.
func (d *guided) concludeWay(ctx context.Context, a *result.Answer) error {
	g := d.guide.Guidance(d.outcomes, false)
	for i, s := range d.way {
		g.Waypoints[i].Schedule, g.Waypoints[i].Never = s, s == nil
	}
	target := g.Waypoints[len(g.Waypoints)-1]
	g.Target.Schedule, g.Target.Never = target.Schedule, target.Never
	g.Vacuous = slices.DeleteFunc(g.Vacuous, func(w specs.Warning) bool { // a rule may fire where nothing was executed
		return !slices.ContainsFunc(d.guide.Rules(), func(r guide.Named) bool { return r.Name == "waypoint" && r.Position == w.Position })
	})
	a.Guidance = g
	a.Stats.Executions += d.executions
	d.holding(ctx, a, d.reached())
	return nil
}

// nothing says which rules leave no schedule: a set of which each is needed for that.
func (d *guided) nothing(ctx context.Context, a *result.Answer) error {
	a.Complete = false
	core, names, err := d.guide.Core(func(rule int) bool {
		return slices.ContainsFunc(d.outcomes, func(o guide.Outcome) bool { return o.Fired[rule] > 0 })
	}, func(less *guide.Guide) (bool, error) { return d.some(ctx, less) })
	if err != nil {
		return err
	}
	reason := fmt.Sprintf("no schedule within the bounds is left: %s", names)
	switch {
	case d.refused != "":
		reason += ": " + d.refused
	case len(core) == 1:
		reason += " wants a message to arrive that is lost, or late"
	default:
		reason += " want a message to arrive that is lost, or late"
	}
	a.Limit = &result.Limit{Kind: result.LimitSize, Reason: text.SafeLines(reason), Advice: []string{"other rules", "wider bounds"}}
	return nil
}

// some tells whether a guide allows some schedule.
func (d *guided) some(ctx context.Context, g *guide.Guide) (bool, error) {
	less := &guided{Model: d.Model, guide: g, silent: true}
	s, err := less.newSteered(ctx)
	if err != nil {
		return false, err
	}
	s.executor = nil
	for set := range s.universe.InOrder(ctx, mostGuided) {
		t := &turn{units: set}
		if s.turn(ctx, t); t.err != nil {
			return false, t.err
		}
		d.executions += t.executions
		if len(t.outcome.Prevented) == 0 && t.refused == "" {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// InjectGuided executes the schedule s with what a guide decides beside it, and judges the execution as Inject does, which
// enters no bad state of the guide. The schedule of the injection has all of it.
func (m *Model) InjectGuided(ctx context.Context, g *guide.Guide, s rounds.Schedule) (*result.Injection, error) {
	if err := cmp.Or(s.Check(m.bounds), m.onlyRun()); err != nil {
		return nil, err
	}
	d := &guided{Model: m, guide: g, silent: true}
	x, err := d.newSteered(ctx)
	if err != nil {
		return nil, err
	}
	x.executor = nil
	t := &turn{given: &s}
	if x.turn(ctx, t); t.err != nil {
		return nil, t.err
	}
	if t.refused != "" {
		return nil, fmt.Errorf("what %s decides lies outside of the bounds: %s", g.Name(), t.refused)
	}
	in, err := m.inject(ctx, t.schedule, s)
	if err != nil {
		return nil, err
	}
	if len(t.broken) > 0 {
		in.Verdict, in.Violations = result.Violated, append(in.Violations, t.broken...)
	}
	if in.Guidance = g.Guidance([]guide.Outcome{t.outcome}, false); in.Guidance.Prevented > 0 && in.Verdict != result.Violated {
		in.Verdict = result.Inconclusive
	}
	return in, nil
}
