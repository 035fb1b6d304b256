package solver

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// broadcast is a circuit like that of a program under fault injection: the first process tells
// all others for two rounds, whoever has heard tells all others in the next round, each message may be
// lost and each process may crash. The goal is that the last process has not heard although neither
// it nor the first one crashed.
func broadcast(processes, rounds, crashes int) (c *Circuit, goal Lit, valid, units []Lit) {
	c = NewCircuit(0)
	unit := func() Lit {
		units = append(units, c.Input())
		return units[len(units)-1]
	}
	var everyCrash []Lit
	alive, knows, sends := make([]Lit, processes), make([]Lit, processes), make([]Lit, processes)
	for p := range knows {
		alive[p] = True
	}
	knows[0] = True
	for round := range rounds {
		sends[0] = True
		if round > 1 {
			sends[0] = False
		}
		for p := range alive {
			crash := unit()
			everyCrash = append(everyCrash, crash)
			alive[p] = c.And(alive[p], crash.Not())
		}
		heard := make([]Lit, processes)
		for p := range heard {
			var ways []Lit
			for q := range processes {
				if q != p {
					ways = append(ways, c.Ands(sends[q], alive[q], unit().Not()))
				}
			}
			heard[p] = c.Ors(ways...)
		}
		for p := range heard {
			sends[p] = c.And(heard[p], knows[p].Not())
			knows[p] = c.Or(knows[p], heard[p])
		}
	}
	goal = c.Ands(knows[processes-1].Not(), alive[processes-1], alive[0])
	return c, goal, []Lit{c.AtMost(everyCrash, crashes)}, units
}

func BenchmarkSearch(b *testing.B) {
	for _, k := range [][3]int{{3, 6, 1}, {4, 8, 1}, {5, 10, 2}, {8, 8, 2}} {
		b.Run(fmt.Sprintf("broadcast/processes=%d/rounds=%d/crashes=%d", k[0], k[1], k[2]), func(b *testing.B) {
			benchmarkFirst(b, func() *Search { return NewSearch(broadcast(k[0], k[1], k[2])) })
		})
	}
	for _, k := range [][3]int{{60, 5, 6}, {500, 5, 6}, {500, 8, 20}, {500, 12, 40}} {
		b.Run(fmt.Sprintf("supports/units=%d/groups=%d/size=%d", k[0], k[1], k[2]), func(b *testing.B) {
			benchmarkFirst(b, func() *Search {
				c, goal, units := supports(rand.New(rand.NewPCG(1, 23)), k[0], k[1], k[2])
				return NewSearch(c, goal, nil, units)
			})
		})
	}
}

// benchmarkFirst measures a search, together with building its circuit, up to the first set.
func benchmarkFirst(b *testing.B, build func() *Search) {
	var search *Search
	var found Found
	for b.Loop() {
		var ok bool
		var err error
		search = build()
		found, ok, err = search.Next(ctx)
		require.NoError(b, err)
		require.True(b, ok)
	}
	b.ReportMetric(float64(len(found.Units)), "units/set")
	b.ReportMetric(float64(search.Calls()), "calls")
}
