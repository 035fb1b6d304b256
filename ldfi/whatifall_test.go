package ldfi_test

import (
	"context"
	"flag"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/stretchr/testify/require"
)

// TestWhatIfOverAllFacts asks of facts that a protocol can have what it takes that they
// are there, and that they are not, and logs how long that takes beside a run. Of each
// protocol these are a few, spread evenly, or with -long so many: all of them if that is
// enough. Only what -long measures is stopped after a second.
func TestWhatIfOverAllFacts(t *testing.T) {
	few, err := strconv.Atoi(flag.Lookup("long").Value.String())
	require.NoError(t, err)
	most := time.Second
	if few == 0 {
		few, most = 2, time.Hour
	}
	var ratios, times []float64
	slow, stopped := 0, 0
	for _, c := range oracle.Quick(t) {
		m := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals})
		run := took(func() {
			_, err := m.Check(t.Context())
			require.NoError(t, err)
		})
		var mine []float64
		slowest := ""
		for _, fact := range spread(possibleFacts(t, c), few) {
			for _, absent := range []bool{false, true} {
				spent := took(func() {
					found, err := whatIfWithin(t.Context(), most, m, result.Wanted{Fact: fact, Absent: absent})
					require.NoError(t, err, "%s: %s", c.Name, fact)
					require.Equal(t, found.Answer == result.Unknown, found.Limit != nil && len(found.Sets) == 0)
					if found.Limit != nil {
						stopped++
					}
				})
				if mine = append(mine, spent); spent == slices.Max(mine) {
					slowest = fact
				}
				if spent > 1000 {
					slow++
				}
				ratios = append(ratios, spent/run)
			}
		}
		times = append(times, mine...)
		slices.Sort(mine)
		t.Logf("%s: run %.1f ms; %d questions: median %.1f ms, slowest %.1f ms (%s)", c.Name, run, len(mine), mine[len(mine)/2], mine[len(mine)-1], slowest)
	}
	slices.Sort(ratios)
	slices.Sort(times)
	t.Logf("%d questions, %d stopped; median %.2f ms, which is %.2f of a run; slowest %.0f ms, %d above a second", len(times), stopped, times[len(times)/2], ratios[len(ratios)/2], times[len(times)-1], slow)
}

// whatIfWithin asks within some time.
func whatIfWithin(ctx context.Context, most time.Duration, m *ldfi.Model, asked result.Wanted) (*result.WhatIf, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	return m.WhatIf(ctx, asked)
}

func took(do func()) float64 {
	start := time.Now()
	do()
	return float64(time.Since(start).Microseconds()) / 1000
}

// spread returns so many of some texts, evenly spread.
func spread(all []string, few int) []string {
	if len(all) <= few {
		return all
	}
	some := make([]string, few)
	for i := range some {
		some[i] = all[i*(len(all)-1)/max(few-1, 1)]
	}
	return some
}

// possibleFacts returns the facts that some schedule may give.
func possibleFacts(t *testing.T, c oracle.Case) []string {
	t.Helper()
	g, err := provenance.Evaluate(t.Context(), c.Program, c.Bounds, provenance.Options{MaxFacts: 1_000_000, MaxGates: 10_000_000})
	require.NoError(t, err)
	var all []string
	for _, r := range c.Program.Relations() {
		for round := 1; round <= c.Bounds.EOT && r.Name != syntax.Crash && r.Name != syntax.Booted; round++ {
			for _, f := range g.Facts(r.Name, round) {
				all = append(all, f.String())
			}
		}
	}
	return all
}
