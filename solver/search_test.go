package solver

import (
	"cmp"
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// minimalSets lists the minimal sets of n units that solve, by size and then by the earliest units.
func minimalSets(solves func(set int) bool, n int) (sets [][]int) {
	var found []int
	for size := range n + 1 {
		var level []int
		for set := range 1 << n {
			if bits.OnesCount(uint(set)) == size && solves(set) && !containsAny(set, found) {
				level = append(level, set)
			}
		}
		found = append(found, level...)
		sets = append(sets, inOrder(level, n)...)
	}
	return sets
}

func trueIn(table uint64) func(set int) bool {
	return func(set int) bool { return table>>set&1 == 1 }
}

func containsAny(set int, subsets []int) bool {
	for _, sub := range subsets {
		if sub&set == sub {
			return true
		}
	}
	return false
}

// inOrder turns sets of bits into ascending lists, the earliest first.
func inOrder(sets []int, n int) (lists [][]int) {
	for _, set := range sets {
		list := []int{}
		for i := range n {
			if set>>i&1 == 1 {
				list = append(list, i)
			}
		}
		lists = append(lists, list)
	}
	slices.SortFunc(lists, func(a, b []int) int { return slices.Compare(a, b) })
	return lists
}

// drain reads a search to its end.
func drain(t *testing.T, s lister) (sets [][]int) {
	for {
		found, ok, err := s.Next(ctx)
		require.NoError(t, err)
		if !ok {
			_, ok, err = s.Next(ctx)
			require.NoError(t, err)
			require.False(t, ok)
			return sets
		}
		require.True(t, found.Minimal)
		sets = append(sets, append([]int{}, found.Units...))
	}
}

func TestSearchListsExactlyTheMinimalSetsInOrder(t *testing.T) {
	sizes := [7]int{}
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 21))
		c, all := randomCircuit(rng, 6, 10+rng.IntN(60))
		goal, one, two := pickKnown(rng, all), pickKnown(rng, all), pickKnown(rng, all)
		table := goal.table & one.table & two.table
		want := minimalSets(trueIn(table), 6)
		s := NewSearch(c, goal.lit, []Lit{one.lit, two.lit}, c.inputs)
		if len(want) > 0 && seed%3 == 0 {
			s.Suggest(want[len(want)-1])
		}
		require.Equal(t, want, drain(t, s), "seed %d", seed)
		if len(want) > 0 {
			sizes[len(want[0])]++
		}
	}
	require.Greater(t, sizes[3], 0)
}

func TestSearchWithInputsThatAreNoUnits(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 22))
		c, all := randomCircuit(rng, 6, 60)
		goal := pickKnown(rng, all)
		var table uint64 // over the first four inputs: for some value of the other two
		for set := range 16 {
			for rest := range 4 {
				table |= goal.table >> (rest<<4 | set) & 1 << set
			}
		}
		require.Equal(t, minimalSets(trueIn(table), 4), drain(t, NewSearch(c, goal.lit, nil, c.inputs[:4])), "seed %d", seed)
	}
}

// supports makes a goal like those of fault injection: there are groups of units such that one of
// each group must be true, and these groups overlap. The solution has several units.
func supports(rng *rand.Rand, units, groups, size int) (*Circuit, Lit, []Lit) {
	c := NewCircuit(0)
	var inputs, all []Lit
	for range units {
		inputs = append(inputs, c.Input())
	}
	for range groups {
		var group []Lit
		for range size {
			group = append(group, inputs[rng.IntN(units)])
		}
		all = append(all, c.Ors(group...))
	}
	return c, c.Ands(all...), inputs
}

func TestSearchOfManyUnits(t *testing.T) {
	c, goal, inputs := supports(rand.New(rand.NewPCG(1, 23)), 60, 5, 6)
	s := NewSearch(c, goal, nil, inputs)
	size, last := 0, []int(nil)
	for range 40 {
		found, ok, err := s.Next(ctx)
		require.NoError(t, err)
		require.True(t, ok)
		require.True(t, found.Minimal)
		require.GreaterOrEqual(t, len(found.Units), size)
		if len(found.Units) == size {
			require.Positive(t, slices.Compare(found.Units, last))
		}
		size, last = len(found.Units), found.Units
	}
}

func TestSearchWithoutUnitsOrSolutions(t *testing.T) {
	c := NewCircuit(0)
	x, y := c.Input(), c.Input()
	require.Equal(t, [][]int{{}}, drain(t, NewSearch(c, True, nil, nil)))
	require.Equal(t, [][]int{{}}, drain(t, NewSearch(c, x.Not(), nil, []Lit{x, y})))
	require.Empty(t, drain(t, NewSearch(c, False, nil, []Lit{x, y})))
	require.Empty(t, drain(t, NewSearch(c, x, []Lit{x.Not()}, []Lit{x, y})))
	require.Equal(t, [][]int{{0, 2}}, drain(t, NewSearch(c, x, nil, []Lit{x, y, x})), "a unit named twice counts twice")
}

func TestSearchCanBeCancelled(t *testing.T) {
	c, goal, inputs := supports(rand.New(rand.NewPCG(1, 23)), 60, 5, 6)
	ended, cancel := context.WithCancel(ctx)
	cancel()

	s := NewSearch(c, goal, nil, inputs)
	_, ok, err := s.Next(ended)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, ok)

	everything := make([]int, len(inputs))
	for i := range everything {
		everything[i] = i
	}
	s.Suggest(everything)
	found, ok, err := s.Next(ended)
	require.NoError(t, err)
	require.True(t, ok)
	require.False(t, found.Minimal)
	require.Equal(t, everything, found.Units)
	_, ok, err = s.Next(ended)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, ok)

	found, ok, err = s.Next(ctx)
	require.NoError(t, err)
	require.True(t, ok)
	require.True(t, found.Minimal)
	fresh, _, err := NewSearch(c, goal, nil, inputs).Next(ctx)
	require.NoError(t, err)
	require.Equal(t, fresh, found)
}

func TestSearchStopsAtTheGateLimit(t *testing.T) {
	c := NewCircuit(30)
	var inputs []Lit
	for range 20 {
		inputs = append(inputs, c.Input())
	}
	goal := c.Ands(c.Ors(inputs[:10]...), c.Ors(inputs[10:]...))
	require.NoError(t, c.Err())
	s := NewSearch(c, goal, nil, inputs)
	s.Suggest([]int{1, 3, 11})
	found, ok, err := s.Next(ctx)
	require.NoError(t, err)
	require.True(t, ok)
	require.False(t, found.Minimal)
	_, ok, err = s.Next(ctx)
	var limit *LimitError
	require.ErrorAs(t, err, &limit)
	require.False(t, ok)
}

// cheapest puts minimal sets in the order of a search that weighs: by what they cost, then by size,
// then by the earliest units.
func cheapest(sets [][]int, costs []int) [][]int {
	cost := func(set []int) (sum int) {
		for _, i := range set {
			sum += costs[i]
		}
		return sum
	}
	slices.SortFunc(sets, func(a, b []int) int {
		return cmp.Or(cost(a)-cost(b), len(a)-len(b), slices.Compare(a, b))
	})
	return sets
}

// scattered is a goal that some sets of units make true, and others do not, without any rule.
func scattered(rng *rand.Rand) (*Circuit, known) {
	c := NewCircuit(0)
	for range 6 {
		c.Input()
	}
	goal := known{False, 0}
	for set := range 64 {
		if rng.IntN(6) > 0 {
			continue
		}
		term := True
		for i, l := range c.inputs {
			if set>>i&1 == 0 {
				l = l.Not()
			}
			term = c.And(term, l)
		}
		goal = known{c.Or(goal.lit, term), goal.table | 1<<set}
	}
	return c, goal
}

// However many sets are found before they are put in order, and whatever units cost: which
// sets there are, in which order and how many follows from the goal alone.
func TestSearchWeighsAndLooksAhead(t *testing.T) {
	several := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 23))
		c, goal := scattered(rng)
		want := minimalSets(trueIn(goal.table), 6)
		costs := slices.Repeat([]int{1}, 6)
		for i := range costs {
			if seed%4 > 0 {
				costs[i] = 1 + rng.IntN(3)*int(seed%4)
			}
		}
		want = cheapest(want, costs)
		for _, ahead := range []int{0, 1, 2, 100} {
			s := NewSearch(c, goal.lit, nil, c.inputs)
			s.Weigh(costs)
			if s.Ahead = ahead; len(want) > 0 && seed%3 == 0 {
				s.Suggest(want[rng.IntN(len(want))])
			}
			require.Equal(t, want, drain(t, s), "seed %d, ahead %d", seed, ahead)
		}
		if goal.lit > True {
			d := NewDescent(c, freshGini{}, goal.lit, nil, c.inputs)
			d.Weigh(costs)
			require.Equal(t, want, drain(t, d), "seed %d", seed)
		}
		for _, most := range []int{0, 1, len(want), len(want) + 1} {
			s := NewSearch(c, goal.lit, nil, c.inputs)
			s.Weigh(costs)
			n, ended, err := s.Count(ctx, most, 1_000_000)
			require.NoError(t, err)
			require.Equal(t, min(most, len(want)), n, "seed %d", seed)
			require.Equal(t, most > len(want), ended, "seed %d", seed)
		}
		if len(want) > 3 {
			several++
		}
	}
	require.Greater(t, several, 50)
}

// A count that is to be no more work says how far it came, and the same each time.
func TestCountWithLittleWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 24))
	c, goal, units := supports(rng, 30, 6, 8)
	last := 0
	for _, work := range []int{1, 10, 100, 100_000} {
		n, ended, err := NewSearch(c, goal, nil, units).Count(ctx, 1_000_000, work)
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, last)
		require.Equal(t, work == 100_000, ended, "%d sets", n)
		again, _, _ := NewSearch(c, goal, nil, units).Count(ctx, 1_000_000, work)
		require.Equal(t, n, again)
		last = n
	}
	require.Greater(t, last, 100)
}
