package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// System is a system of a host.
type System struct {
	search.Target
	remote  *Remote
	judged  map[string]bool // properties that the host judges
	checked []*sync.Pool    // checkers of the others
}

func newSystem(r *Remote, d messages.Description) (*System, error) {
	s := &System{Target: search.Target{Description: d.Description}, remote: r, judged: map[string]bool{}}
	s.Open = s.open
	if d.Rounds < 1 || d.Rounds > messages.MaxRounds {
		return nil, messages.TooManyRounds(d.Rounds)
	}
	if err := s.DefaultBounds(rounds.Bounds{}).Validate(); err != nil {
		return nil, err
	}
	properties := d.Properties
	for _, p := range r.options.Properties {
		added := messages.PropertyOf(p, false)
		if !slices.ContainsFunc(properties, func(q messages.Property) bool { return q.Name == p.Name && q.Rules == added.Rules }) {
			properties = append(properties, added)
		}
	}
	for _, p := range properties {
		s.Properties = append(s.Properties, p.Property())
		if p.Judged {
			s.judged[p.Name] = true
			continue
		}
		c, err := property.Compile(p.Property())
		if err != nil {
			return nil, err
		}
		s.checked = append(s.checked, &sync.Pool{New: func() any { return c.Clone() }})
	}
	return s, nil
}

// Execute executes a schedule for so many rounds (0: as many as the system
// says), and returns what it violates. The recording is there if the options of
// r ask for it.
func (s *System) Execute(ctx context.Context, schedule rounds.Schedule, eot int, r messages.Recording) (*recording.Execution, []result.Violation, error) {
	q := messages.Request{Do: messages.DoRun, System: s.Name, Schedule: schedule, Rounds: eot, Recording: r}
	if len(s.checked) > 0 {
		q.Recording = messages.Always
	}
	a, err := s.remote.ask(ctx, q, s.remote.options.Answer, nil)
	if refused := refusal(""); errors.As(err, &refused) {
		return nil, nil, &search.ExecutionError{Schedule: schedule, Err: err}
	}
	if err != nil {
		return nil, nil, err
	}
	e, violations, err := s.read(a, q.Recording)
	if err != nil {
		return nil, nil, fmt.Errorf("the answer of the host to the schedule %q: %w", schedule, err)
	}
	return e, violations, nil
}

// read checks an answer to a run, and judges what the host did not.
func (s *System) read(a *messages.Answer, r messages.Recording) (*recording.Execution, []result.Violation, error) {
	var violations []result.Violation
	for _, v := range a.Violations {
		if !s.judged[v.Property] {
			return nil, nil, fmt.Errorf("it has a violation of %q, which is no property that the host judges", v.Property)
		}
		violations = append(violations, v)
	}
	if a.Execution == nil {
		if r == messages.Always || r != messages.Never && len(violations) > 0 {
			return nil, nil, fmt.Errorf("it lacks the recording")
		}
		return nil, violations, nil
	}
	e := a.Execution
	if err := messages.CheckRecording(e, s.Name); err != nil {
		return nil, nil, err
	}
	if !slices.Equal(e.Bounds.Processes, s.Processes) {
		return nil, nil, fmt.Errorf("the recording is one of the processes %q, and not %q", e.Bounds.Processes, s.Processes)
	}
	for _, pool := range s.checked {
		c := pool.Get().(*property.Checker)
		more, err := c.Check(e)
		pool.Put(c)
		if err != nil {
			return nil, nil, err
		}
		violations = append(violations, more...)
	}
	return e, violations, nil
}

// Vet lets the host test the system itself: whether so many random schedules,
// from a seed, have the same execution twice, whether equal states are, and
// whether crashes make processes forget. It returns what it finds.
func (s *System) Vet(ctx context.Context, runs int, seed uint64) ([]string, error) {
	const patience = 10 // times as long as one execution may take
	a, err := s.remote.ask(ctx, messages.Request{Do: messages.DoVet, System: s.Name, Runs: runs, Options: search.Options{Seed: seed}}, patience*s.remote.options.Answer, nil)
	if err != nil {
		return nil, err
	}
	return a.Findings, nil
}

// encode returns a message as a line.
func encode(message any) ([]byte, error) {
	var b bytes.Buffer
	err := messages.WriteLine(&b, message)
	return b.Bytes(), err
}
