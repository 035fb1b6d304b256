package provenance_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/stretchr/testify/require"
)

// Both programs have as many facts and as many firings, in one of them with forty times as
// many columns.
const (
	narrow = `// ldfi: processes=a,b eot=1
		n("a", 0)@1;
		n(P, X + 1) :- n(P, X), X < 30;
		m(P, X, Y) :- n(P, X), n(P, Y);`
	wide = `// ldfi: processes=a,b eot=1
		n("a", 0)@1;
		n(P, X + 1) :- n(P, X), X < 30;
		m(P, X, Y, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
			X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
			X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X) :- n(P, X), n(P, Y);`
)

func TestMemoryIsCountedInColumns(t *testing.T) {
	ctx := limits.WithMemory(t.Context(), limits.MemoryShares*500_000)
	g, err := evaluate(ctx, t, narrow, provenance.Options{})
	require.NoError(t, err)
	require.Greater(t, g.TotalFacts(), 31*31)
	_, err = evaluate(ctx, t, wide, provenance.Options{})
	var limit *limits.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, limits.Memory, limit.What)
	require.EqualError(t, err, "stopped in round 1 with facts that take 500kB, as much as one evaluation may of 2MB (--memory), at relation m")

	again, err := evaluate(ctx, t, wide, provenance.Options{})
	require.Error(t, err)
	require.Greater(t, again.TotalFacts(), 100, "it is stopped on its way")
	first, _ := evaluate(ctx, t, wide, provenance.Options{})
	require.Equal(t, first.TotalFacts(), again.TotalFacts(), "always at the same place")

	_, err = evaluate(limits.WithMemory(t.Context(), limits.MemoryShares*2_000_000), t, wide, provenance.Options{})
	require.NoError(t, err)
	_, err = evaluate(limits.DivideMemory(limits.WithMemory(t.Context(), limits.MemoryShares*2_000_000), 4), t, wide, provenance.Options{})
	require.Error(t, err, "where four go on at a time each has a quarter of that")
}

// Facts are not all that takes memory.
func TestMemoryOfWhatIsNoFact(t *testing.T) {
	for name, program := range map[string]string{
		"firings": `// ldfi: processes=a,b eot=1
			n("a", 0)@1;
			n(P, X + 1) :- n(P, X), X < 30;
			m(P) :- n(P, X), n(P, Y), n(P, Z);`,
		"rows of aggregates": `// ldfi: processes=a,b eot=1
			n("a", 0)@1;
			n(P, X + 1) :- n(P, X), X < 30;
			m(P, count<X>) :- n(P, X), n(P, Y), n(P, Z);`,
		"what is sent": `// ldfi: processes=a,b eot=2
			n("a", 0)@1;
			n(P, X + 1) :- n(P, X), X < 30;
			to("a", "b")@1;
			m(Q, X, Y)@async :- to(P, Q), n(P, X), n(P, Y);`,
		"a recursion": `// ldfi: processes=a,b eot=1
			e("a", 0, 1)@1;
			e(P, Y, Y + 1) :- e(P, X, Y), Y < 30;
			t(P, X, Y) :- e(P, X, Y);
			t(P, X, Z) :- t(P, X, Y), t(P, Y, Z);`,
	} {
		t.Run(name, func(t *testing.T) {
			o := provenance.Options{Messages: true}
			_, err := evaluate(limits.WithMemory(t.Context(), limits.MemoryShares*20_000_000), t, program, o)
			require.NoError(t, err)
			_, err = evaluate(limits.WithMemory(t.Context(), limits.MemoryShares*250_000), t, program, o)
			require.ErrorContains(t, err, "facts that take 250kB")
			require.NotRegexp(t, ",$", err.Error())
		})
	}
}

// Where no relation is the one that was too much, none is named.
func TestMemoryWithoutARelation(t *testing.T) {
	limit := limits.OfMemory(limits.MemoryOf(limits.WithMemory(t.Context(), 4_000_000)), "", 3)
	require.EqualError(t, limit, "stopped in round 3 with facts that take 1MB, as much as one evaluation may of 4MB (--memory)")
}
