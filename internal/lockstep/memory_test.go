package lockstep_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// squares are facts of a relation with so many columns.
func squares(t *testing.T, columns int) *lockstep.Machine {
	t.Helper()
	p, err := dedalus.ParseText("squares.ded", fmt.Sprintf(`n("a", 0)@1;
		n(P, X + 1) :- n(P, X), X < 30;
		m(P, Y%s) :- n(P, X), n(P, Y);`, strings.Repeat(", X", columns-2)))
	require.NoError(t, err)
	m, err := lockstep.Compile(p, rounds.Bounds{Processes: []string{"a"}, EOT: 1}, lockstep.Options{})
	require.NoError(t, err)
	return m
}

func TestMemoryIsCountedInColumns(t *testing.T) {
	ctx := limits.WithMemory(t.Context(), limits.MemoryShares*200_000)
	_, err := squares(t, 3).Run(ctx, rounds.Schedule{})
	require.NoError(t, err)

	wide := squares(t, 100)
	for range 2 { // a machine counts each run by itself
		_, err = wide.Run(ctx, rounds.Schedule{})
		var limit *limits.LimitError
		require.ErrorAs(t, err, &limit)
		require.Equal(t, limits.Memory, limit.What)
		require.EqualError(t, err, "stopped in round 1 with facts that take 200kB, as much as one evaluation may of 800kB (--memory), at relation m")
		require.Equal(t, "m", limit.Growth[0].Relation)
	}
	_, err = wide.Run(limits.WithMemory(t.Context(), limits.MemoryShares*1_000_000), rounds.Schedule{})
	require.NoError(t, err)
}

// In a recording each value takes more memory than in a table.
func TestARecordingTakesMoreMemory(t *testing.T) {
	ctx := limits.WithMemory(t.Context(), limits.MemoryShares*1_000_000)
	m := squares(t, 100)
	_, err := m.Run(ctx, rounds.Schedule{})
	require.NoError(t, err)
	_, err = m.Execute(ctx, rounds.Schedule{})
	require.ErrorContains(t, err, "facts that take 1MB")
	_, err = m.Execute(t.Context(), rounds.Schedule{})
	require.NoError(t, err)
}

// polls is a context that ends when it has been asked so often whether it has ended.
type polls struct {
	context.Context
	left int
}

func (p *polls) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// A recording may take longer than its execution. It ends with the context, too.
func TestARecordingEndsWithTheContext(t *testing.T) {
	p, err := dedalus.ParseText("kept.ded", `n("a", 0)@1;
		n(P, X + 1) :- n(P, X), X < 300;
		n(P, X)@next :- n(P, X);`)
	require.NoError(t, err)
	m, err := lockstep.Compile(p, rounds.Bounds{Processes: []string{"a"}, EOT: 100}, lockstep.Options{})
	require.NoError(t, err)
	const many = 1 << 30
	executed := &polls{t.Context(), many}
	_, err = m.Run(executed, rounds.Schedule{})
	require.NoError(t, err)

	recorded := &polls{t.Context(), many - executed.left}
	_, err = m.Execute(recorded, rounds.Schedule{})
	require.ErrorIs(t, err, context.Canceled)
}
