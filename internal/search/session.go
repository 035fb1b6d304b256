package search

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Session is one search of a target.
type Session struct {
	*Target
	Options    // with everything written out
	Random     *rand.Rand
	Executions int // that Execute made

	// Trial says that another strategy is at hand if this one has much to go through.
	Trial bool

	// Seen is the execution that violates a property, if it was recorded.
	Seen *recording.Execution

	// Violates are the violations of an execution of Execute, as far as it was judged.
	Violates []result.Violation

	// Redraw draws schedules with a limited number of faults by their numbers, if the
	// strategy can. FewestFirst tells that the strategy executes schedules by number of
	// faults, so that a violation found has the fewest.
	Redraw      func(faults int) func(number uint64) rounds.Schedule
	FewestFirst bool

	// Spared is how many schedules the guide does not allow of those that were not executed,
	// because it is known what happens.
	Spared int

	// Least is how many waypoints of the guide an execution has to reach, for its violations to count.
	Least int

	// Held is what a search has left unharmed on the way to waypoints.
	Held *result.Unharmed

	tally     tally
	guidance  guidance
	unjudged  *unjudged // executions whose violations are not known
	continued continuations
	drawn     rounds.Settings // the settings of the first execution, which all have
	found     rounds.Schedule // violates a property
	violated  bool

	left    int // executions left to try each later start of the faults of a violation found
	untried int // later starts that were not executed
}

// NewSession returns the session of a new search of t.
func NewSession(t *Target, o Options) (*Session, error) {
	if len(t.Properties) == 0 {
		return nil, fmt.Errorf("system %q has no properties, so nothing can be violated", t.Name)
	}
	if len(o.Bounds.Joins) > 0 && !maps.Equal(o.Bounds.Joins, t.Joins) {
		return nil, fmt.Errorf("join: system %q says itself which processes join later (System.Joins): leave it out", t.Name)
	}
	var err error
	if o.Bounds, err = t.bounds(o.Bounds); err != nil {
		return nil, err
	}
	if err := t.choices(o.Bounds); err != nil {
		return nil, err
	}
	if err := o.spare(); err != nil {
		return nil, err
	}
	if err := t.restarts(o.Bounds); err != nil {
		return nil, err
	}
	if o.GoroutineOrders && !slices.Contains(t.Offers, OffersGoroutines) {
		return nil, fmt.Errorf("goroutine orders: no process of system %q has goroutines whose order could be drawn (system.Machined): leave them out", t.Name)
	}
	if err := t.machines(o.Bounds); err != nil {
		return nil, err
	}
	if t.System != nil && t.Single {
		o.Workers = 1
	}
	return &Session{Target: t, Options: o.normal(), Random: rand.New(rand.NewPCG(o.Seed, 0)), unjudged: &unjudged{}}, nil
}

// restarts reports a process of this program that may crash and restart, but cannot.
// Schedules in which it does could not be executed, and are no scenarios.
func (t *Target) restarts(b rounds.Bounds) error {
	if b.Restarts == 0 || b.Crashes == 0 {
		return nil
	}
	for _, p := range t.final {
		if schedules.CanCrash(b, p) {
			return fmt.Errorf("restarts: process %s of system %q cannot restart: give it a method Restart(*system.Step) (system.Restarter), leave restarts out, or say that it does not crash (never-crash=%s)", p, t.Name, p)
		}
	}
	return nil
}

// machines reports a fault of clocks or disks that the processes do not have.
func (t *Target) machines(b rounds.Bounds) error {
	for _, k := range rounds.Kinds() {
		if lacks := t.Lacks(k); b.Budget(k) != 0 && lacks != "" {
			return fmt.Errorf("%s: %s", text.PluralWord(k.Noun()), lacks)
		}
	}
	return nil
}

// Executor returns an executor within the bounds of the session.
// It decides nothing beside the schedules, but knows the bad states of a guide.
func (s *Session) Executor(record bool) (Executor, error) { return s.executor(record, true) }

// Guided returns an executor within the bounds of the session that is guided, if anything
// guides the search.
func (s *Session) Guided(record bool) (Executor, error) { return s.executor(record, false) }

func (s *Session) executor(record, watch bool) (x Executor, err error) {
	if x, err = s.Open(s.Bounds.EOT, record || s.Guide != nil && s.System == nil); err != nil { // a host records what it is asked for
		return nil, err
	}
	if s.Guide != nil {
		if x, err = s.guided(x, watch); err != nil {
			return nil, err
		}
	}
	return s.unjudged.of(x), nil
}

// Judge returns an executor that records everything, of a system of this program.
func (s *Session) Judge() *Judge {
	j := s.Target.Judge(s.Bounds.EOT, true)
	j.unjudged, j.mark = s.unjudged.note, s.unjudged.mark
	return j
}

// With returns a schedule with the settings of the session, and those drawn for its first
// execution.
func (s *Session) With(schedule rounds.Schedule) rounds.Schedule {
	return schedule.With(s.drawn).With(s.Settings)
}

// errBudget says that the executions are used up.
var errBudget = errors.New("the budget of executions is used up")

// Execute executes the schedule with the settings of the session, within the budget. It
// tells whether a property is violated, which ends the search; something that is only
// late is no violation.
func (s *Session) Execute(ctx context.Context, x Executor, schedule rounds.Schedule) (e *recording.Execution, violated bool, err error) {
	if s.Executions >= s.Options.Executions {
		return nil, false, errBudget
	}
	e, violations, err := x.Execute(ctx, s.With(schedule))
	if err != nil {
		return nil, false, err
	}
	if s.Executions == 0 { // the draws of the first execution are those of all
		s.Settle(e.Schedule.Settings)
	}
	s.Executions++
	s.Count(s.Executions, e)
	if short := s.guidance.short; short != nil && short.execution == e {
		short.number = s.Executions
	}
	if len(violations) > 0 {
		if s.violated, err = s.Stands(ctx, s.Executions, e, violations); err != nil {
			return nil, false, err
		}
		s.found, s.Seen, s.Violates = e.Schedule, e, violations
		if s.violated && s.Hold { // so does what is made smaller
			s.Least = len(s.Waypoints(s.Executions))
		}
	}
	return e, s.violated, nil
}

// Settle sets the settings of all executions.
func (s *Session) Settle(drawn rounds.Settings) { s.drawn = drawn }

// Finish returns the answer to a search that ended with the error err, or nil. If no
// property is violated, and nothing stopped the search, conclude completes the answer.
func (s *Session) Finish(ctx context.Context, err error, conclude func(*result.Answer)) (*result.Answer, error) {
	a := s.Answer(s.Executions)
	switch {
	case s.violated:
		return a, s.Violated(ctx, a, s.found)
	case errors.Is(err, errBudget):
		Stop(a, result.LimitExecutions, "%v", err)
	case ctx.Err() != nil:
		a.Limit = s.Ended(ctx)
	case err != nil:
		return nil, err
	default:
		conclude(a)
	}
	return a, nil
}

// Under sets the function that returns the schedule of the executions that are judged next,
// for executions that do not say their schedule themselves.
func (s *Session) Under(schedule func() rounds.Schedule) { s.unjudged.under = schedule }

// Unjudged makes an answer without a violation inconclusive, if some execution was
// not judged.
func (s *Session) Unjudged(a *result.Answer) { s.unjudged.limit(a) }

// Certificate returns a certificate to which a strategy adds what it has covered.
func (s *Session) Certificate(lens *Lens) *result.Certificate {
	late, more := s.late()
	drawn := s.drawn
	drawn.Reliable = "" // the bounds say it
	c := &result.Certificate{Bounds: s.Bounds, Settings: drawn, Schedules: schedules.Count(s.Bounds), Executions: s.Executions + more, Late: late}
	if lens != nil && lens.All() {
		c.Assumption = assumption
	}
	if slices.Contains(s.Offers, OffersGoroutines) {
		c.Assumption = strings.TrimPrefix(c.Assumption+". "+oneOrder, ". ")
	}
	if s.apart() {
		c.Assumption = strings.TrimPrefix(c.Assumption+". "+oneDraw, ". ")
	}
	if names := propertiesOf(s.past); len(names) > 0 {
		text := "Known violations are left out: " + text.List(names, "and")
		c.Assumption = strings.TrimPrefix(c.Assumption+". "+text, ". ")
	}
	return c
}

// oneOrder is the text of a certificate if goroutines could run in another order.
const oneOrder = "Goroutines run in one order only: --goroutine-orders tries others"

// oneDraw is the text of a certificate if processes could start, and links be late, in
// another way.
const oneDraw = "One seed decides when processes start and how late links are: --seed tries others"

// assumption is the assumption of a certificate about functions.
const assumption = "A property that is a Go function is taken to read only the facts of an execution, not its messages and faults"

// ExecutionError reports an execution that did not end, because a process did something
// that systems do not allow. (Panics are violations.)
type ExecutionError struct {
	Schedule rounds.Schedule
	Err      error
}

func (e *ExecutionError) Error() string {
	return fmt.Sprintf("the execution under %q: %v", e.Schedule, e.Err)
}

// Unwrap returns Err.
func (e *ExecutionError) Unwrap() error { return e.Err }
