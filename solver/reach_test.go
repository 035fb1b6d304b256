package solver

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var reachLong = flag.Int("reach", 0, "compare reachability with enumeration on so many more random systems")

// randomTransitions is a system of a few bits and inputs.
func randomTransitions(r *rand.Rand) *Transitions {
	c := NewCircuit(0)
	t := &Transitions{Circuit: c, Valid: True}
	var all []Lit
	for range 2 + r.IntN(5) {
		l := c.Input()
		t.State, all = append(t.State, l), append(all, l)
	}
	for range r.IntN(4) {
		all = append(all, c.Input())
	}
	some := func() Lit {
		l := all[r.IntN(len(all))]
		if r.IntN(2) == 0 {
			l = l.Not()
		}
		return l
	}
	for range 5 + r.IntN(25) {
		all = append(all, c.And(some(), some()))
	}
	for range t.State {
		t.Next = append(t.Next, some())
	}
	if r.IntN(3) > 0 {
		t.Valid = c.And(some(), some()).Not()
	}
	t.Bad = c.Ands(some(), some(), some())
	for range r.IntN(4) { // which need not be any symmetry
		renaming := r.Perm(len(t.State))
		if r.IntN(3) == 0 {
			renaming[r.IntN(len(renaming))] = -1
		}
		t.Renamings = append(t.Renamings, renaming)
	}
	return t
}

// enumerated decides the same by enumeration of all states: after how many steps a bad one is
// reached, or -1; and which states are reached before.
func enumerated(t *Transitions) (steps int, reached map[int]bool) {
	w := NewWords(t.Circuit, append([]Lit{t.Valid, t.Bad}, t.Next...)...)
	reached = map[int]bool{0: true}
	free := t.Circuit.Inputs() - len(t.State)
	for frontier := []int{0}; len(frontier) > 0; steps++ {
		var next []int
		for _, state := range frontier {
			for inputs := range 1 << free {
				words := make([]uint64, t.Circuit.Inputs())
				for i := range words {
					words[i] = uint64((state | inputs<<len(t.State)) >> i & 1)
				}
				w.Eval(words)
				if w.Value(t.Valid)&1 == 0 {
					continue
				}
				if w.Value(t.Bad)&1 == 1 {
					return steps, reached
				}
				to := 0
				for i, l := range t.Next {
					to |= int(w.Value(l)&1) << i
				}
				if !reached[to] {
					reached[to] = true
					next = append(next, to)
				}
			}
		}
		frontier = next
	}
	return -1, reached
}

// Reachability agrees with enumeration on random systems, and its invariants hold in all
// states that are reached.
func TestReach(t *testing.T) {
	bad, never, deep := 0, 0, 0
	for seed := range 600 + *reachLong {
		s := randomTransitions(rand.New(rand.NewPCG(uint64(seed), 31)))
		steps, reached := enumerated(s)
		r, err := s.Reach(t.Context(), 0)
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, steps < 0, r.Never, "seed %d", seed)
		if !r.Never {
			bad++
			deep = max(deep, r.Steps)
			require.GreaterOrEqual(t, r.Steps, steps, "seed %d", seed)
			require.LessOrEqual(t, r.Depth, steps, "seed %d", seed)
			for n := range steps + 1 {
				after, err := s.After(t.Context(), n, s.Bad, False)
				require.NoError(t, err)
				require.Equal(t, n == steps, after, "seed %d: after %d steps", seed, n)
			}
			continue
		}
		never++
		require.NoError(t, s.CheckInvariant(t.Context(), r.Invariant), "seed %d", seed)
		for _, calls := range []int{0, 3, 10, 1000} {
			smaller, err := s.Tighten(t.Context(), r.Invariant, calls)
			require.NoError(t, err, "seed %d", seed)
			require.NoError(t, s.CheckInvariant(t.Context(), smaller), "seed %d, after %d calls", seed, calls)
		}
		for state := range reached {
			for _, clause := range r.Invariant {
				holds := false
				for _, b := range clause {
					holds = holds || (state>>b.Bit&1 == 1) == b.Value
				}
				require.True(t, holds, "seed %d: state %b", seed, state)
			}
		}
	}
	t.Logf("%d reach a bad step, one of them after %d steps, and %d never do", bad, deep, never)
	require.Greater(t, bad, 100)
	require.Greater(t, never, 100)
}

// counter counts to the last value of some bits when an input says so, and a bad step is
// one from that value.
func counter(bits int, only bool) *Transitions {
	c := NewCircuit(0)
	t := &Transitions{Circuit: c, Valid: True}
	for range bits {
		t.State = append(t.State, c.Input())
	}
	carry := c.Input()
	for i, l := range t.State {
		next := c.Or(c.And(l, carry.Not()), c.And(l.Not(), carry))
		if only && i == bits-1 {
			next = l
		}
		t.Next = append(t.Next, next)
		carry = c.And(carry, l)
	}
	t.Bad = c.Ands(t.State...)
	return t
}

func TestReachOfACounter(t *testing.T) {
	r, err := counter(5, false).Reach(t.Context(), 0)
	require.NoError(t, err)
	require.False(t, r.Never)
	require.Equal(t, 31, r.Steps)
	s := counter(5, true) // whose highest bit is never set
	r, err = s.Reach(t.Context(), 0)
	require.NoError(t, err)
	require.True(t, r.Never)
	require.Equal(t, [][]StateBit{{{4, false}}}, r.Invariant)
}

// The limit is one of calls, and with it nothing is claimed.
func TestReachLimit(t *testing.T) {
	r, err := counter(8, false).Reach(t.Context(), 50)
	limit := (*ReachLimitError)(nil)
	require.ErrorAs(t, err, &limit)
	require.False(t, r.Never)
	require.Equal(t, 50, r.Calls)
	require.Less(t, r.Depth, 255)
}

// What is no invariant is told.
func TestCheckInvariant(t *testing.T) {
	s := counter(3, true)
	require.ErrorContains(t, s.CheckInvariant(t.Context(), nil), "the invariant allows a bad step")
	require.ErrorContains(t, s.CheckInvariant(t.Context(), [][]StateBit{{{0, true}}}), "clause 1 of the invariant is false in the first state")
	require.ErrorContains(t, s.CheckInvariant(t.Context(), [][]StateBit{{{2, false}}, {{0, false}}}), "a step does not keep clause 2 of the invariant")
	require.NoError(t, s.CheckInvariant(t.Context(), [][]StateBit{{{2, false}}}))
}
