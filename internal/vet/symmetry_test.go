package vet_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var campaign = oracle.NewCampaign()

// TestExecutions executes symmetric and almost symmetric random programs under random
// schedules: when two processes of an orbit change their names in the schedule, they do
// so in all that happens.
func TestExecutions(t *testing.T) {
	campaign.RunOn(t, generate.Symmetric, 400, renamedExecutions)
}

// TestExecutionsOfAnyPrograms is TestExecutions for programs that are seldom symmetric.
func TestExecutionsOfAnyPrograms(t *testing.T) {
	campaign.Run(t, 400, renamedExecutions)
}

// TestExecutionsOfProtocols is TestExecutions for the programs of testdata.
func TestExecutionsOfProtocols(t *testing.T) {
	for _, c := range oracle.Protocols(t) {
		_, err := renamedExecutions(t.Context(), c)
		require.NoError(t, err, c.Name)
	}
}

// executed is how many schedules a program is executed under.
const executed = 12

func renamedExecutions(ctx context.Context, c oracle.Case) (string, error) {
	s := vet.SymmetryOf(c.Program, c.Bounds)
	if len(s.Orbits) == 0 {
		return "without symmetry", nil
	}
	one, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
	if err != nil {
		return "refused", nil
	}
	other, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
	if err != nil {
		return "", err
	}
	random, u := rand.New(rand.NewPCG(c.Seed, 1)), schedules.New(c.Bounds)
	for _, orbit := range s.Orbits {
		for i := 1; i < len(orbit); i++ {
			w := s.Swap(orbit[random.IntN(i)], orbit[i])
			if err := renamedUnits(u, w); err != nil {
				return "", err
			}
			for range executed {
				schedule := u.Random(random)
				if err := renamedExecution(ctx, c, one, other, schedule, w); err != nil {
					return "", fmt.Errorf("orbits %v: %w", s.Orbits, err)
				}
			}
		}
	}
	return fmt.Sprintf("orbits %v", s.Orbits), nil
}

// renamedUnits compares the units of faults under other names with the faults.
func renamedUnits(u *schedules.Universe, w vet.Swap) error {
	renamed, ok := u.Renamed(w.Fault)
	if !ok {
		return fmt.Errorf("some fault is none under other names")
	}
	for unit, other := range renamed {
		if renamed[other] != unit {
			return fmt.Errorf("%s becomes %s, and that %s", u.Fault(unit), u.Fault(other), u.Fault(renamed[other]))
		}
		if index, ok := u.Index(w.Fault(u.Fault(unit))); u.Alive(unit) && (!ok || index != other) {
			return fmt.Errorf("%s becomes %s", u.Fault(unit), u.Fault(other))
		}
	}
	return nil
}

// renamedExecution compares all facts of an execution with those of the one in which
// two processes change their names.
func renamedExecution(ctx context.Context, c oracle.Case, one, other *lockstep.Machine, s rounds.Schedule, w vet.Swap) error {
	renamed := rounds.Schedule{}
	for _, f := range s.Faults {
		renamed.Faults = append(renamed.Faults, w.Fault(f))
	}
	renamed = renamed.Normal()
	if err := renamed.Check(c.Bounds); err != nil {
		return err
	}
	first, err := one.Run(ctx, s)
	second, further := other.Run(ctx, renamed)
	if err != nil || further != nil {
		if (err == nil) != (further == nil) {
			return fmt.Errorf("%s: %v; %s: %v", s, err, renamed, further)
		}
		return nil
	}
	for _, r := range c.Program.Relations() {
		for round := 1; round <= c.Bounds.EOT; round++ {
			var want [][]specs.Value
			for _, args := range first.Facts(r.Name, round) {
				want = append(want, w.Args(r.Name, args))
			}
			slices.SortFunc(want, compare)
			if got := second.Facts(r.Name, round); !slices.EqualFunc(want, got, slices.Equal[[]specs.Value]) {
				return fmt.Errorf("%s in round %d: under %s %v, which would be %v; under %s it is %v", r.Name, round, s, first.Facts(r.Name, round), want, renamed, got)
			}
		}
	}
	return nil
}

func compare(a, b []specs.Value) int { return slices.CompareFunc(a, b, specs.Value.Compare) }
