package ldfi_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/generate"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// TestSymmetry compares what the solver finds with symmetry with what it finds without,
// and with the execution of every schedule, for random programs that are symmetric or
// almost so.
func TestSymmetry(t *testing.T) {
	campaign.RunOn(t, generate.Symmetric, 300, symmetricAgrees)
}

// TestSymmetryOfProtocols is TestSymmetry for the programs of testdata, within smaller
// bounds too.
func TestSymmetryOfProtocols(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		for _, b := range append(smallBounds(c.Bounds, 150), c.Bounds) {
			c.Bounds = b
			outcome, err := symmetricAgrees(t.Context(), c)
			require.NoError(t, err, "%s: %s", c.Name, b)
			t.Logf("%s: %s: %s", c.Name, b, outcome)
		}
	}
}

// TestSymmetryOfBroadcasts is TestSymmetry for broadcasts that many faults alone break.
func TestSymmetryOfBroadcasts(t *testing.T) {
	for _, crashes := range []string{"0", "1", "2"} {
		p, err := dedalus.ParseText("broadcast.ded", generate.Acknowledged(5).Text)
		require.NoError(t, err)
		b, goals, err := rounds.BoundsOf(p, map[string]string{"eot": "4", "eff": "4", "crashes": crashes})
		require.NoError(t, err)
		outcome, err := symmetricAgrees(t.Context(), oracle.Case{Program: p, Bounds: b, Goals: goals})
		require.NoError(t, err, "%s crashes", crashes)
		require.Equal(t, map[string]string{"0": "9 faults", "1": "8 faults", "2": "7 faults"}[crashes], outcome)
	}
}

func symmetricAgrees(ctx context.Context, c oracle.Case) (string, error) {
	outcome := ""
	for i, most := range []int{1, 1, 3} {
		start := i > 0
		m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: most})
		if err != nil {
			return "", err
		}
		found, complete, symmetric, err := ldfi.Enumerate(ctx, m, 0, start)
		if !symmetric {
			return "without symmetry", nil
		}
		if err != nil {
			return "", err
		}
		plain, complete2, _, err := ldfi.Enumerate(ctx, m, math.MaxInt, start)
		if err != nil {
			return "", err
		}
		if got, want := setsOf(found), setsOf(plain); got != want || complete != complete2 {
			return "", fmt.Errorf("with symmetry %q, complete: %t; without %q, complete: %t", got, complete, want, complete2)
		}
		if outcome = "nothing"; len(found) > 0 {
			outcome = fmt.Sprintf("%d faults", found[0].Size())
		}
		if err := isSmallest(ctx, c, found); err != nil {
			return "", err
		}
	}
	return outcome, nil
}

// isSmallest compares the first of some fault sets with what executing every schedule
// shows, where there are few.
func isSmallest(ctx context.Context, c oracle.Case, found []rounds.Schedule) error {
	if schedules.Count(c.Bounds).Cmp(big.NewInt(500)) > 0 {
		return nil
	}
	all, err := enumerate(ctx, c.Program, c.Bounds, c.Goals, func(rounds.Schedule) bool { return true })
	switch {
	case errors.Is(err, errTooMany):
		return nil
	case err != nil:
		return err
	case len(found) == 0 && all.smallest >= 0 || len(found) > 0 && found[0].Size() != all.smallest:
		return fmt.Errorf("found %q; executed: %q", setsOf(found), all.minimal)
	case len(found) > 0 && !slices.Contains(all.minimal, findingOf(found[0])):
		return fmt.Errorf("found %q; executed: %q", setsOf(found), all.minimal)
	}
	return nil
}

func setsOf(found []rounds.Schedule) string {
	var texts []string
	for _, s := range found {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, "\n")
}
