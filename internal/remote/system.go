package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// System is a system of a host.
type System struct {
	search.Target
	Asks    search.Options // the default options of searches
	Kept    string         // the directory in which its test keeps schedules; "": it has none
	Guided  string         // the guide of its test; "": it has none
	remote  *Remote
	judged  map[string]func() *sync.Pool // properties that the host judges; their checkers are nil without rules that can be read here
	checked []*sync.Pool                 // checkers of the others
}

func newSystem(r *Remote, d messages.Description) (*System, error) {
	s := &System{Target: search.Target{Description: d.Description}, remote: r, judged: map[string]func() *sync.Pool{}}
	s.Kept, s.Guided = d.Kept, d.Guided
	s.Open = s.openOn(func() *Remote { return r })
	s.Without, s.Varying = s.without, s.varying
	if d.Rounds < 1 || d.Rounds > messages.MaxRounds {
		return nil, messages.TooManyRounds(d.Rounds)
	}
	for i := range d.Choices {
		if err := d.Choices[i].Check(d.Processes); err != nil {
			return nil, fmt.Errorf("choices: %w", err)
		}
	}
	if err := s.DefaultBounds(rounds.Bounds{}).Validate(); err != nil {
		return nil, err
	}
	if d.Asks != nil {
		if err := strategies.Check(d.Asks.Strategy); err != nil {
			return nil, err
		}
		if d.Asks.Executions < 0 {
			return nil, fmt.Errorf("a search has 0 or more executions, and not %d", d.Asks.Executions)
		}
		s.Asks = search.Options{Strategy: d.Asks.Strategy, Seed: d.Asks.Seed, Executions: d.Asks.Executions, Settings: d.Asks.Settings, GoroutineOrders: d.Asks.GoroutineOrders}
	}
	properties := d.Properties
	for _, p := range r.options.Properties {
		added := messages.PropertyOf(p, false)
		if !slices.ContainsFunc(properties, func(q messages.Property) bool { return q.Name == p.Name && q.Rules == added.Rules }) {
			properties = append(properties, added)
		}
	}
	for i, p := range properties {
		if p.Name == "" {
			return nil, errors.New("a property has no name")
		}
		if slices.ContainsFunc(properties[:i], func(q messages.Property) bool { return q.Name == p.Name }) {
			return nil, fmt.Errorf("two properties have the name %q", p.Name)
		}
		s.Properties = append(s.Properties, p.Property())
		if p.Judged {
			s.judged[p.Name] = sync.OnceValue(func() *sync.Pool {
				checkers, _, _ := checkersOf(p)
				return checkers
			})
			s.Watches = append(s.Watches, nil) // the host knows
			continue
		}
		checkers, watch, err := checkersOf(p)
		if err != nil {
			return nil, err
		}
		s.checked, s.Watches = append(s.checked, checkers), append(s.Watches, watch)
	}
	return s, nil
}

// checkersOf returns a pool of checkers of a property, for several goroutines, and a watch
// of its rules.
func checkersOf(p messages.Property) (*sync.Pool, *datalog.Watch, error) {
	c, err := property.Compile(p.Property())
	if err != nil {
		return nil, nil, err
	}
	rules := c.Rules()
	if rules == nil {
		return &sync.Pool{New: func() any { return c.Clone() }}, nil, nil
	}
	rules.Watch = datalog.NewWatch(rules.Compiled)
	return &sync.Pool{New: func() any { return c.Clone() }}, rules.Watch, nil
}

// check judges a recording by one of the checkers.
func check(checkers *sync.Pool, e *recording.Execution) ([]result.Violation, error) {
	c := checkers.Get().(*property.Checker)
	defer checkers.Put(c)
	return c.Check(e)
}

// Execute executes a schedule for eot rounds (0: the default of the system), and returns
// the violations. It returns a recording if r asks for one.
func (s *System) Execute(ctx context.Context, schedule rounds.Schedule, eot int, r messages.Recording) (*recording.Execution, []result.Violation, error) {
	return s.executeOn(ctx, s.remote, schedule, eot, r)
}

// executeOn executes a schedule on a host that has the same systems.
func (s *System) executeOn(ctx context.Context, host *Remote, schedule rounds.Schedule, eot int, r messages.Recording) (*recording.Execution, []result.Violation, error) {
	schedule, eot = schedule.Normal(), cmp.Or(eot, s.Rounds)
	if err := host.checkKnown(schedule); err != nil {
		return nil, nil, err
	}
	q := messages.Request{Do: messages.DoRun, System: s.Name, Schedule: &schedule, Rounds: eot, Recording: r}
	if len(s.checked) > 0 {
		q.Recording = messages.Always
	}
	a, err := host.ask(ctx, q, host.options.Answer, nil)
	if refused := refusal(""); errors.As(err, &refused) {
		return nil, nil, &search.ExecutionError{Schedule: schedule, Err: err}
	}
	if err != nil {
		return nil, nil, err
	}
	e, violations, err := s.read(a, &q)
	if err == nil {
		err = s.believeUnjudged(a)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the answer of the host to the schedule %q: %w", schedule, err)
	}
	if late := a.Unjudged; late != nil && len(violations) == 0 {
		return e, nil, &limits.UnjudgedError{Property: late.Property, Why: late.Why, Schedule: schedule}
	}
	return e, violations, nil
}

// without makes the host execute a schedule, and judge the execution without the reports of
// some processes. A host that does not know this request answers as for an ordinary run.
func (s *System) without(ctx context.Context, schedule rounds.Schedule, eot int, processes []string) ([]result.Violation, error) {
	schedule = schedule.Normal()
	if err := s.remote.checkKnown(schedule); err != nil {
		return nil, err
	}
	q := messages.Request{Do: messages.DoRun, System: s.Name, Schedule: &schedule, Rounds: eot, Recording: messages.Never, Without: processes}
	a, err := s.remote.ask(ctx, q, s.remote.options.Answer, nil)
	if err != nil {
		return nil, err
	}
	if err := s.believeUnjudged(a); err != nil {
		return nil, err
	}
	if late := a.Unjudged; late != nil {
		return nil, &limits.UnjudgedError{Property: late.Property, Why: late.Why, Schedule: schedule}
	}
	return s.believeViolations(a.Violations, eot)
}

// varying asks the host whether executions with some settings draw anything. The answer is
// true if the host does not know the request.
func (s *System) varying(ctx context.Context, settings rounds.Settings) bool {
	q := messages.Request{Do: messages.DoRun, System: s.Name, Schedule: &rounds.Schedule{Settings: settings}, Recording: messages.Never, Varies: true}
	a, err := s.remote.ask(ctx, q, s.remote.options.Answer, nil)
	return err != nil || !a.Settled
}

// believeUnjudged reports a property that took too long to judge for a host that
// does not judge it.
func (s *System) believeUnjudged(a *messages.Answer) error {
	if a.Unjudged == nil {
		return nil
	}
	if _, ok := s.judged[a.Unjudged.Property]; !ok || a.Unjudged.Why == "" {
		return fmt.Errorf("it says that %q takes too long to judge, which is no property that the host judges, or not why", a.Unjudged.Property)
	}
	return nil
}

// read checks an answer to a run, and judges the properties that the host did not.
func (s *System) read(a *messages.Answer, q *messages.Request) (*recording.Execution, []result.Violation, error) {
	violations, err := s.believeViolations(a.Violations, q.Rounds)
	if err != nil {
		return nil, nil, err
	}
	if a.Execution == nil {
		if q.Recording == messages.Always || q.Recording != messages.Never && len(violations) > 0 {
			return nil, nil, fmt.Errorf("it lacks the recording")
		}
		return nil, violations, nil
	}
	e := a.Execution
	if err := messages.CheckRecording(e, s.Name); err != nil {
		return nil, nil, err
	}
	if err := s.believe(e, *q.Schedule, q.Rounds, violations); err != nil {
		return nil, nil, err
	}
	if panicked(violations) {
		return e, violations, nil // it came to no end that could be judged
	}
	if err := s.believeVerdicts(e, violations); err != nil {
		return nil, nil, err
	}
	for _, c := range s.checked {
		more, err := check(c, e)
		if err != nil {
			return nil, nil, err
		}
		violations = append(violations, more...)
	}
	return e, violations, nil
}

// encode returns a message as a line.
func encode(message any) ([]byte, error) {
	var b bytes.Buffer
	err := messages.WriteLine(&b, message)
	return b.Bytes(), err
}
