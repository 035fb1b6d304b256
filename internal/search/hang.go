package search

import (
	"context"
	"fmt"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// NoHang is the name of the property that every call of a process returns.
const NoHang = "no hang"

// NoExit is the name of the property that no process ends the program.
const NoExit = "no exit"

// ExitViolation returns the violation of NoExit by a host that ends.
func ExitViolation(how error) result.Violation {
	return result.Violation{Property: NoExit, Text: how.Error(), Fact: recording.Fact{Relation: "exit", Round: 1}}
}

// Patience is the time that a call of a process may take. Then the execution is tried
// again with SecondPatience times as much.
const (
	Patience       = 10 * time.Second
	SecondPatience = 4
)

// Hangs executes a schedule whose execution stood still, and returns the call at which it
// stands still again for the time limit; nil if it does not. A call that never comes back
// stays in a goroutine of its own.
func (t *Target) Hangs(ctx context.Context, place *execution.CallPlace, eot int, limit time.Duration) (*execution.CallPlace, error) {
	s := *t.System
	s.Calls = &execution.CallWatch{Exact: true}
	exact, err := NewTarget(&s, t.Properties)
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = exact.Judge(eot, true).Execute(ctx, place.Schedule)
	}()
	return s.Calls.Wait(done, limit), nil
}

// HangViolation returns the violation of NoHang by a call that does not return.
func HangViolation(p *execution.CallPlace, after time.Duration) result.Violation {
	who, call := "the execution", ""
	if p.Process != "" {
		who, call = "process "+p.Process, " from "+p.Call
	}
	when := fmt.Sprintf("in round %d", p.Round)
	if p.Round == 0 {
		when = "before the first round"
	}
	return result.Violation{
		Property: NoHang,
		Text:     fmt.Sprintf("%s does not come back%s %s: it was waited for %v", who, call, when, after),
		Fact:     recording.Fact{Relation: "hang", Args: []specs.Value{specs.String(p.Process), specs.String(p.Call)}, Round: max(p.Round, 1)},
		Stack:    p.Stack,
	}
}
