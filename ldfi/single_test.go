package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
)

// What explanations take to hold under faults of one of several messages is what holds in the execution.
func TestWorldsOfSingleMessages(t *testing.T) {
	campaign.Run(t, 80, func(ctx context.Context, c oracle.Case) (string, error) {
		sent := rounds.SentBy(c.Program)
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
		if err != nil || len(sent) == 0 {
			return "sends nothing", err
		}
		machine, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
		if err != nil {
			return "", err
		}
		r := rand.New(rand.NewPCG(c.Seed, 23))
		hits := 0
		for _, s := range c.Schedules(3) {
			for range 3 {
				f := rounds.Fault{
					Kind: rounds.Omit, Process: c.Bounds.Processes[r.IntN(len(c.Bounds.Processes))], To: c.Bounds.Processes[r.IntN(len(c.Bounds.Processes))],
					Round: 1 + r.IntN(c.Bounds.EOT), Of: sent[r.IntN(len(sent))], Nth: 1 + r.IntN(3),
				}
				if r.IntN(3) == 0 {
					f.Kind, f.By = rounds.Delay, 1+r.IntN(2)
				}
				more := rounds.Schedule{Settings: s.Settings, Faults: append(slices.Clone(s.Faults), f)}.Normal()
				if _, err := schedules.NewEnvironment(c.Bounds, more); err == nil {
					s = more
				}
			}
			e, err := machine.Execute(ctx, s)
			if err != nil {
				return "not executed", nil
			}
			w, err := ldfi.WorldOf(ctx, m, s)
			var undefined *limits.UndefinedError
			if errors.As(err, &undefined) {
				return "undefined under another schedule", nil
			}
			if err != nil {
				return "", fmt.Errorf("%s: %w", s, err)
			}
			var have, want []string
			for _, relation := range c.Program.Relations() {
				for round := 1; round <= c.Bounds.EOT && relation.Name != syntax.Crash; round++ {
					for _, f := range w.Graph.Facts(relation.Name, round) {
						if w.Holds(f) {
							have = append(have, f.Ground().String())
						}
					}
				}
			}
			for _, f := range e.Facts {
				if f.Relation != syntax.Crash {
					want = append(want, f.String())
				}
			}
			slices.Sort(have)
			slices.Sort(want)
			if have = slices.Compact(have); !slices.Equal(have, want) {
				return "", fmt.Errorf("under %q: evaluated %q, executed %q", s, have, want)
			}
			for _, m := range e.Messages {
				if m.Cause.Nth > 0 {
					hits++
				}
			}
		}
		return fmt.Sprintf("hits: %t", hits > 0), nil
	})
}
