package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Vet tests the system with runs random schedules, from a seed: whether a repeated
// execution is the same, whether equal states behave the same, whether crashes make
// processes forget, and where the order of messages matters. A host that searches by itself
// also tests by itself; for a host that only executes, ldfi makes the first test.
func (s *System) Vet(ctx context.Context, runs int, seed uint64) ([]execution.Test, error) {
	if len(s.remote.strategies) == 0 {
		return s.vet(ctx, runs, seed)
	}
	const patience = 10 // times the limit of one execution
	q := messages.Request{Do: messages.DoVet, System: s.Name, Runs: runs, Options: search.Options{Seed: seed}}
	a, err := s.remote.ask(ctx, q, patience*s.remote.options.Answer, nil)
	if err != nil {
		return nil, err
	}
	if err := believeTests(a.Tests); err != nil {
		return nil, fmt.Errorf("the answer of the host to the vet: %w", err)
	}
	return a.Tests, nil
}

// believeTests reports self-tests that a host cannot have run.
func believeTests(tests []execution.Test) error {
	known := []string{execution.Determinism, execution.States, execution.Durability, execution.Orders}
	if len(tests) != len(known) {
		return fmt.Errorf("it has %d self-tests, and not the %d of %s", len(tests), len(known), strings.Join(known, ", "))
	}
	for i, t := range tests {
		if t.Name != known[i] {
			return fmt.Errorf("self-test %d is %q, and not %q", i+1, t.Name, known[i])
		}
		if min(t.Schedules, t.Executions, t.States, t.Compared, t.Unnamed, t.Crashes) < 0 {
			return fmt.Errorf("self-test %s counts below 0", t.Name)
		}
		if t.CrashedAt < 0 || t.CrashedAt+len(t.Never) > t.Points {
			return fmt.Errorf("self-test %s has %d points, crashes at %d of them, and %d that nobody came to", t.Name, t.Points, t.CrashedAt, len(t.Never))
		}
		if t.Differed < 0 || t.Differed > t.Schedules || t.Differed > 0 && t.Inexact == "" {
			return fmt.Errorf("self-test %s has %d schedules of which executions differ, of %d, and says why: %q", t.Name, t.Differed, t.Schedules, t.Inexact)
		}
		if t.Orders < len(t.Matters) || t.Orders > t.Executions {
			return fmt.Errorf("self-test %s has tried %d orders in %d executions, and %d matter", t.Name, t.Orders, t.Executions, len(t.Matters))
		}
		if t.Skipped == "" && t.Executions == 0 && len(t.Found) == 0 {
			return fmt.Errorf("self-test %s neither executed anything nor says why not", t.Name)
		}
	}
	return nil
}

// vet tests the system from the outside.
func (s *System) vet(ctx context.Context, runs int, seed uint64) ([]execution.Test, error) {
	const outside = "the host only executes schedules, which shows no states of processes"
	test := execution.Test{Name: execution.Determinism, Inexact: s.Inexact}
	err := s.vetDeterminism(ctx, runs, seed, &test)
	if err != nil && !isFinding(err) {
		return nil, err
	}
	test.Find(err)
	return []execution.Test{test, execution.SkipSelfTest(execution.States, outside), execution.SkipSelfTest(execution.Durability, outside), execution.SkipSelfTest(execution.Orders, outside)}, nil
}

// vetDeterminism executes random schedules within the default bounds twice each. What
// it finds is made smaller.
func (s *System) vetDeterminism(ctx context.Context, runs int, seed uint64, test *execution.Test) error {
	random := rand.New(rand.NewPCG(seed, 0))
	within := schedules.New(s.DefaultBounds(rounds.Bounds{}))
	for range runs {
		schedule := within.Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64N(1000))})
		test.Schedules++
		if err := s.twice(ctx, schedule, test); err != nil {
			return s.smaller(ctx, schedule, err, test)
		}
	}
	return nil
}

// twice executes a schedule twice and reports how the second execution differs, unless
// it may: that is counted.
func (s *System) twice(ctx context.Context, schedule rounds.Schedule, test *execution.Test) error {
	test.Executions += 2
	first, violations, err := s.Execute(ctx, schedule, 0, messages.Always)
	if err != nil && !unjudged(err) {
		return err
	}
	for _, v := range violations {
		if builtIn(v) {
			return &search.ExecutionError{Schedule: first.Schedule, Err: errors.New(v.Text)}
		}
	}
	second, _, err := s.Execute(ctx, schedule, 0, messages.Always)
	if err != nil && !unjudged(err) {
		return err
	}
	if why := cmp.Or(s.Inexact, first.Inexact, second.Inexact); why != "" {
		test.Inexact = why
		if search.Differ(first, second) != nil {
			test.Differed++
		}
		return nil
	}
	return search.Same(first, second)
}

// unjudged tells whether an execution is only not judged.
func unjudged(err error) bool { return errors.As(err, new(*limits.UnjudgedError)) }

// smaller removes from the schedule of a finding the faults that it does not need.
func (s *System) smaller(ctx context.Context, schedule rounds.Schedule, found error, test *execution.Test) error {
	if !isFinding(found) {
		return found
	}
	differed := test.Differed
	defer func() { test.Differed = differed }() // of schedules that were drawn
	_, err := schedules.Shrink(schedule, rounds.Settings{}, func(fewer rounds.Schedule) (bool, error) {
		if fewer.Check(rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, Points: s.Points, Choose: execution.Chosen(schedule)}) != nil {
			return false, nil
		}
		again := s.twice(ctx, fewer, test)
		switch {
		case again == nil:
			return false, nil
		case !isFinding(again):
			return false, again
		case !alike(found, again):
			return false, nil
		}
		found = again
		return true, nil
	})
	if err != nil {
		return err
	}
	return found
}

// alike tells whether two findings are about the same mistake: two executions differ, or an
// execution ends in the same way, in any round.
func alike(found, again error) bool {
	var failed, failedAgain *search.ExecutionError
	if !errors.As(found, &failed) || !errors.As(again, &failedAgain) {
		return failed == nil && !errors.As(again, &failedAgain)
	}
	return withoutNumbers(failed.Err.Error()) == withoutNumbers(failedAgain.Err.Error())
}

func withoutNumbers(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}

// isFinding tells whether an error says something about the system: its executions differ,
// or its host refuses to execute a schedule.
func isFinding(err error) bool {
	return errors.As(err, new(*system.NondeterminismError)) || errors.As(err, new(*search.ExecutionError))
}
