package solver

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// impatient gives up a part before it is asked for at all, and has a second worker from the first call.
var impatient = effort{alone: 0, least: 1, share: 1 << 30}

// ways are all in which a search can find its sets.
func ways(build func() *Search) map[string]*Search {
	all := map[string]*Search{}
	for name, change := range map[string]func(s *Search){
		"one worker":               func(*Search) {},
		"one worker, plain":        func(s *Search) { s.front = plain },
		"one worker, impatient":    func(s *Search) { s.effort = impatient },
		"two workers":              func(s *Search) { s.Workers, s.effort.alone = 2, 0 },
		"two workers, plain":       func(s *Search) { s.Workers, s.effort.alone, s.front = 2, 0, plain },
		"two workers, impatient":   func(s *Search) { s.Workers, s.effort = 2, impatient },
		"many workers, impatient":  func(s *Search) { s.Workers, s.effort = 9, impatient },
		"two workers, soon plenty": func(s *Search) { s.Workers, s.effort.alone = 2, 3 },
	} {
		all[name] = build()
		change(all[name])
	}
	return all
}

// Which sets a search lists, and in which order, depends neither on encodings nor on workers.
func TestEveryWayListsTheSameSets(t *testing.T) {
	halved, alternated := 0, 0
	for seed := range uint64(60) {
		build := func() (*Search, [][]int) {
			rng := rand.New(rand.NewPCG(seed, 31))
			c, all := randomCircuit(rng, 6, 10+rng.IntN(60))
			goal, valid := False, pickKnown(rng, all)
			var table uint64
			for range 1 + rng.IntN(5) {
				a, b, c2 := pickKnown(rng, all), pickKnown(rng, all), pickKnown(rng, all)
				goal, table = c.Or(goal, c.Ands(a.lit, b.lit, c2.lit)), table|a.table&b.table&c2.table
			}
			return NewSearch(c, goal, []Lit{valid.lit}, c.inputs), minimalSets(trueIn(table&valid.table), 6)
		}
		for name, s := range ways(func() *Search { s, _ := build(); return s }) {
			_, want := build()
			require.Equal(t, want, drain(t, s), "seed %d, %s", seed, name)
			for _, p := range s.parts {
				if p.split {
					halved++
				}
			}
			if s.solvers[plain] != nil && s.solvers[dissolved].Calls() > 0 {
				alternated++
			}
		}
	}
	require.Positive(t, halved)
	require.Positive(t, alternated)
}

// A question that takes a while is answered by two workers as by one.
func TestWorkersFindTheSameSetsOfManyUnits(t *testing.T) {
	var want [][]int
	for name, s := range ways(func() *Search { return NewSearch(broadcast(4, 6, 1)) }) {
		var got [][]int
		for range 12 {
			found, ok, err := s.Next(ctx)
			require.NoError(t, err)
			require.True(t, ok && found.Minimal)
			got = append(got, found.Units)
		}
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, name)
	}
}

// A context that ends stops everybody at once, whatever they are at, and the search can go on.
func TestHardSearchesCanBeCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, s := range ways(func() *Search { c := NewCircuit(0); goal := pigeons(c, 20); return NewSearch(c, goal, nil, c.inputs) }) {
		for range 2 {
			ending, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			start := time.Now()
			_, ok, err := s.Next(ending)
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded, name)
			require.False(t, ok)
			require.Less(t, time.Since(start), 5*time.Second, name)
		}
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}
