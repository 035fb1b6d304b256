package schedules_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// distinct counts the sets of messages that arrive, one for each kernel: those of
// different schedules may be the same.
func distinct(t *testing.T, b rounds.Bounds) int64 {
	t.Helper()
	seen := map[string]bool{}
	for s := range schedules.New(b).All() {
		env, err := schedules.NewEnvironment(b, s)
		require.NoError(t, err)
		var arrive strings.Builder
		eachMessage(b, func(from, to, round int) { fmt.Fprint(&arrive, env.Delivers(from, to, round)) })
		seen[arrive.String()] = true
	}
	return int64(len(seen))
}

// Of the 2^n kernels of a round that isolations make there are 2^n - n distinct
// ones: to be alone is to be nobody. With own=lost all are distinct.
func TestDistinctKernels(t *testing.T) {
	four := []string{"a", "b", "c", "d"}
	for n := 1; n <= 4; n++ {
		for eot := 1; eot <= 2; eot++ {
			b := rounds.Bounds{Processes: four[:n], EOT: eot, Isolations: rounds.Unlimited}
			power := func(n int64) int64 { return new(big.Int).Exp(big.NewInt(n), big.NewInt(int64(eot)), nil).Int64() }
			require.Equal(t, power(1<<n), schedules.Count(b).Int64())
			require.Equal(t, power(1<<n-int64(n)), distinct(t, b))
			b.OwnLost = true
			require.Equal(t, power(1<<n), schedules.Count(b).Int64())
			require.Equal(t, power(1<<n), distinct(t, b))
		}
	}
}

// The sizes of the spaces of Table 1 of the paper, for 3 processes, 16 rounds, phases of 4
// rounds and 3 faults, counted exactly: there are n(n-1) links in place of n², and k+1 ways
// to cut a link in a phase of k rounds.
func TestSpacesOfThePaper(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 16}
	periodic := func(b rounds.Bounds) rounds.Bounds { b.Period = 4; return b }
	with := func(change func(*rounds.Bounds)) rounds.Bounds { c := b; change(&c); return c }
	for _, row := range []struct {
		space, formula, size string
		bounds               rounds.Bounds
	}{
		{"Arbitrary message losses", "2^(n²r)", "about 7.9·10^28", with(func(b *rounds.Bounds) { b.Omissions = rounds.Unlimited })},
		{"k-periodic losses", "k^(n²r/k)", "59,604,644,775,390,625", periodic(with(func(b *rounds.Bounds) { b.Cuts = rounds.Unlimited }))},
		{"d-bounded k-periodic losses", "(n²r)^d", "134,049", periodic(with(func(b *rounds.Bounds) { b.Cuts = 3 }))},
		{"Arbitrary uniform executions", "2^(nr)", "281,474,976,710,656", with(func(b *rounds.Bounds) { b.Isolations = rounds.Unlimited })},
		{"k-periodic uniform executions", "k^(nr/k)", "244,140,625", periodic(with(func(b *rounds.Bounds) { b.Isolations = rounds.Unlimited }))},
		{"d-bounded k-periodic uniform executions", "(nr)^d", "15,185", periodic(with(func(b *rounds.Bounds) { b.Isolations = 3 }))},
		{"Arbitrary reorderings", "(n²r)!", "281,474,976,710,656", with(func(b *rounds.Bounds) { b.Orders = rounds.Unlimited })},
		{"d-bounded reorderings", "w·C(nr, d-1)·(d-1)!", "18,473", with(func(b *rounds.Bounds) { b.Orders = 3 })},
	} {
		require.NoError(t, row.bounds.Validate())
		require.Equal(t, row.size, text.Number(schedules.Count(row.bounds), 20), "%s, %s", row.space, row.formula)
	}
}
