package ldfi_test

import (
	"context"
	"flag"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/roundstest"
)

var hunt = roundstest.NewHunt()

// TestExhaustive compares verdicts with the execution of every schedule, for
// random programs. For small scopes the complete list of minimal fault sets has
// to be the same.
func TestExhaustive(t *testing.T) {
	hunt.Run(t, 600, func(ctx context.Context, c roundstest.Case) (string, error) {
		return agreeWithEnumeration(ctx, c.Program, c.Bounds, c.Goals, 2000)
	})
}

// TestExhaustiveProtocols does the same for every protocol, within those of
// some smaller bounds that have few enough schedules.
func TestExhaustiveProtocols(t *testing.T) {
	most := int64(1000)
	if flag.Lookup("long").Value.String() != "0" {
		most = mostSchedules
	}
	for _, c := range roundstest.Protocols(t) {
		for _, b := range smallBounds(c.Bounds, most) {
			outcome, err := agreeWithEnumeration(t.Context(), c.Program, b, c.Goals, 2000)
			require.NoError(t, err, "%s: %s", c.Name, b)
			t.Logf("%s: %s: %s", c.Name, b, outcome)
		}
	}
}

// smallBounds returns variants of bounds with at most so many schedules: of
// each kind of faults, as many faults as that allows.
func smallBounds(b rounds.Bounds, most int64) []rounds.Bounds {
	few := func(b rounds.Bounds) bool { return b.Scenarios().Cmp(big.NewInt(most)) <= 0 }
	if few(b) {
		return []rounds.Bounds{b}
	}
	var all []rounds.Bounds
	for _, kinds := range [][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}} {
		for n := 3; n > 0; n-- {
			small := b
			small.Crashes, small.Omissions, small.Isolations = n*kinds[0], n*kinds[1], n*kinds[2]
			if kinds[1]+kinds[2] == 0 {
				small.EFF = 0 // which would allow any omissions
			}
			if few(small) {
				all = append(all, small)
				break
			}
		}
	}
	return all
}

// TestDeterminism checks that the same question gets the same report, byte for
// byte.
func TestDeterminism(t *testing.T) {
	for _, c := range roundstest.Protocols(t) {
		var first string
		for range 2 {
			r, err := ldfi.Check(t.Context(), c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, Max: 3})
			require.NoError(t, err, c.Name)
			text := timeless(t, r)
			if first == "" {
				first = text
			}
			require.Equal(t, first, text, c.Name)
		}
	}
}
