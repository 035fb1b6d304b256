package tabular

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// visit is one step of an execution, with the highest waypoint that holds after it.
type visit struct {
	next     State
	waypoint int
}

// execute lets a policy take the only action that there is in each state.
func execute(p Policy, steps ...visit) {
	p.Begin(0, 0)
	for _, s := range steps {
		p.Pick(rand.New(rand.NewPCG(1, 1)), []Action{7})
		p.Record(s.next, s.waypoint)
	}
	p.End()
}

// From 0 to 1 and back, three times. After the first both are worth what they were: what is
// new is worth 1. Then the step from 1 is worth 0.8 + 0.2/2 and 0.8*0.9 + 0.2/3, and that
// to it 0.8 + 0.2*0.95*0.9, and so on.
func TestBonus(t *testing.T) {
	b := Bonus()
	for _, want := range [][2]float64{{1, 1}, {0.971, 0.9}, {0.8*0.971 + 0.2*0.95*(0.72+0.2/3), 0.72 + 0.2/3}} {
		execute(b, visit{1, 0}, visit{0, 0})
		require.InDelta(t, want[0], b.tables[0].at(0, 7).value, 1e-12)
		require.InDelta(t, want[1], b.tables[0].at(1, 7).value, 1e-12)
	}
	require.Equal(t, 3, b.tables[0].at(1, 7).visits)
}

// The target is reached by the second step: that is worth 0.8 + 0.2*0.95*(2 + 2), and the
// step before it what that is worth. What comes after it is in the table of the target,
// though the waypoint does not hold any more.
func TestWaypoint(t *testing.T) {
	w := NewWaypoint(1)
	execute(w, visit{1, 0}, visit{2, 1}, visit{3, 0}, visit{4, 0})
	require.InDelta(t, 1.56, w.tables[0].at(1, 7).value, 1e-12)
	require.InDelta(t, 0.8+0.2*0.95*1.56, w.tables[0].at(0, 7).value, 1e-12)
	require.InDelta(t, 1, w.tables[1].at(2, 7).value, 1e-12)
	require.InDelta(t, 1, w.tables[1].at(3, 7).value, 1e-12)
	require.Nil(t, w.tables[0].at(2, 7))
}

// An execution falls back from the first waypoint and reaches the target two steps later.
// To fall back is worth the way to the target, but is no progress.
func TestWaypointFallsBack(t *testing.T) {
	w := NewWaypoint(2)
	execute(w, visit{1, 1}, visit{2, 0}, visit{3, 2}, visit{4, 0})
	require.InDelta(t, 0.8+0.2*0.95*(2+2*0.95*0.95), w.tables[0].at(0, 7).value, 1e-12)
	require.InDelta(t, 0.8+0.2*0.95*(2*0.95), w.tables[1].at(1, 7).value, 1e-12)
	require.InDelta(t, 0.8+0.2*0.95*(2+2), w.tables[0].at(2, 7).value, 1e-12)

	never := NewWaypoint(2)
	execute(never, visit{1, 1}, visit{2, 0})
	require.InDelta(t, 0.8+0.2*0.95*2, never.tables[0].at(0, 7).value, 1e-12)
	require.InDelta(t, 1, never.tables[1].at(1, 7).value, 1e-12, "worth the visit alone")
}

// The first step to a state costs 1 and the second 2; what is best there costs as well.
func TestNegative(t *testing.T) {
	n := NewNegative()
	execute(n, visit{1, 0})
	require.InDelta(t, -0.3, n.table.at(0, 7).value, 1e-12)
	execute(n, visit{1, 0}, visit{0, 0})
	require.InDelta(t, 0.7*-0.3+0.3*-2, n.table.at(0, 7).value, 1e-12)
	require.InDelta(t, 0.3*(-1+0.7*-0.81), n.table.at(1, 7).value, 1e-12)
}

// Actions are picked by the exponential of what they are worth, and by the highest value
// but in one of twenty times.
func TestPick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n, b := NewNegative(), Bonus()
	for _, p := range []Policy{n, b} {
		p.Begin(0, 0)
		p.Pick(r, []Action{1, 2})
	}
	n.table.at(0, 1).value = -1
	b.tables[0].at(0, 1).value = 0.5
	const times = 20_000
	for p, want := range map[Policy]float64{n: 1 / (1 + math.Exp(-1)), b: 1 - epsilon/2} {
		second := 0
		for range times {
			second += p.Pick(r, []Action{1, 2})
		}
		require.InDelta(t, want, float64(second)/times, 0.015)
	}
}

// Among actions of the same value any is picked.
func TestTies(t *testing.T) {
	r, b := rand.New(rand.NewPCG(1, 3)), Bonus()
	b.Begin(0, 0)
	counts := make([]int, 3)
	for range 9_000 {
		counts[b.Pick(r, []Action{4, 5, 6})]++
	}
	for _, n := range counts {
		require.InDelta(t, 3_000, n, 200)
	}
}
