package system

import (
	"context"
	"errors"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// SelfTests runs CheckDeterminism, CheckState and CheckDurability, as far as they
// apply, tests where the order of messages matters, and returns the result and size of
// each test. The error is that of the context.
func (s *System) SelfTests(ctx context.Context, runs int, seed uint64) ([]execution.Test, error) {
	determinism := execution.Test{Name: execution.Determinism}
	determinism.Find(s.checkDeterminism(ctx, runs, seed, &determinism))
	states := execution.Test{Name: execution.States}
	if len(determinism.Found) > 0 || determinism.Inexact != "" {
		states.Skipped = unequal
	} else {
		states.Find(s.checkState(ctx, runs, seed, &states))
	}
	durability := execution.Test{Name: execution.Durability}
	if len(s.Durable) == 0 {
		durability.Skipped = "the system names no durable facts (System.Durable)"
	} else {
		durability.Find(s.checkDurability(ctx, runs, seed, &durability))
	}
	orders := execution.Test{Name: execution.Orders}
	if states.Skipped == unequal || determinism.Inexact != "" {
		orders.Skipped = unequal
	} else {
		orders.Find(s.checkOrders(ctx, runs, seed, &orders))
	}
	return []execution.Test{determinism, states, durability, orders}, ctx.Err()
}

// unequal is why some self-tests are not made of a system that does not do the same
// twice.
const unequal = "it takes a system that does the same twice"

// smaller takes away from a schedule under which a self-test found something what
// that does not need, but not settings that are fixed. It returns what the test
// finds then.
func (s *System) smaller(ctx context.Context, schedule rounds.Schedule, fixed rounds.Settings, found error, test func(context.Context, rounds.Schedule) error) error {
	if ctx.Err() != nil {
		return found
	}
	_, _ = schedules.Shrink(schedule.Normal(), fixed, func(fewer rounds.Schedule) (bool, error) {
		if fewer.Check(s.Bounds(0)) != nil {
			return false, nil
		}
		again := test(ctx, fewer)
		if ctx.Err() != nil || !alike(found, again) {
			return false, ctx.Err()
		}
		found = again
		return true, nil
	})
	return found
}

// alike tells whether two errors of self-tests are about the same mistake.
func alike(found, again error) bool {
	var different, differentAgain *NondeterminismError
	var forgot, forgotAgain *DurabilityError
	var failed, failedAgain *Error
	var panicked, panickedAgain *PanicError
	switch {
	case again == nil:
		return false
	case errors.As(found, &different):
		return errors.As(again, &differentAgain) && (different.State == "") == (differentAgain.State == "")
	case errors.As(found, &forgot):
		return errors.As(again, &forgotAgain) && forgot.Process == forgotAgain.Process && forgot.Before.Relation == forgotAgain.Before.Relation &&
			(forgot.After.Relation == "") == (forgotAgain.After.Relation == "")
	case errors.As(found, &panicked):
		return errors.As(again, &panickedAgain) && slices.Equal(panicked.Stack, panickedAgain.Stack)
	case errors.As(found, &failed):
		return errors.As(again, &failedAgain) && failed.Call == failedAgain.Call && failed.Err.Error() == failedAgain.Err.Error()
	}
	return false
}
