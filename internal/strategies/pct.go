package strategies

import (
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
)

// PCT draws what is late and in which order messages come, as PCTCP does (Ozkan et al.,
// "Randomized testing of distributed systems with probabilistic guarantees", OOPSLA 2018),
// in rounds: the senders get priorities, in the order of which their messages of a round
// arrive, and d - 1 times the messages of a link in a round come late, as often as the bounds
// allow. Where they allow all orders, and no faults of other kinds, then with w links and h
// ways to be late, any d - 1 of these happen, and any sender comes before any other, with a
// probability of at least 7/8 of 1/(w²h^(d-1)).
//
// Faults of other kinds are drawn as by schedules.Universe.Random. So that no schedule within
// the bounds is left out, one in so many is drawn uniformly.
var PCT = pct()

func pct() *search.Strategy {
	s := strategy("pct", drawPCT)
	s.Refuse = func(b rounds.Bounds) error {
		if b.Delays == 0 && b.Orders == 0 {
			return errors.New("pct: it draws which messages are late, and in which order messages come: allow delays and orders (delays=2 orders=unlimited)")
		}
		return nil
	}
	return s
}

// mostLate is how many links are late where the bounds have no limit.
const mostLate = 2

// DrawPCT returns a function that draws the schedules of PCT.
func DrawPCT(b rounds.Bounds) func(schedules.Chance) rounds.Schedule { return drawPCT(b).draw }

func drawPCT(b rounds.Bounds) drawn {
	u := schedules.New(b)
	rest := free(b)
	rest.Delays, rest.Orders = 0, 0
	other, uniform := schedules.New(rest), u.Uniform()
	var late []rounds.Fault
	received := map[rounds.Fault]bool{} // places where an order can be another
	var places []rounds.Fault
	for unit := range u.Len() {
		f := u.Fault(unit)
		switch {
		case !u.Alive(unit):
		case f.Kind == rounds.Delay:
			late = append(late, f)
		case f.Kind == rounds.Order:
			if f.Detail = ""; !received[f] {
				received[f] = true
				places = append(places, f)
			}
		}
	}
	changes, orders := min(mostLate, len(late)), len(places)
	if b.Delays != rounds.Unlimited {
		changes = min(b.Delays, len(late))
	}
	if b.Orders != rounds.Unlimited {
		orders = min(b.Orders, len(places))
	}
	draw := func(c schedules.Chance) rounds.Schedule {
		s := other.Random(c)
		for _, i := range schedules.Sample(c, len(late), changes) {
			s = with(u, s, late[i])
		}
		var priority []string
		for _, i := range order(c, len(b.Processes)) {
			priority = append(priority, b.Processes[i])
		}
		struck := places
		if orders < len(places) {
			struck = nil
			for _, i := range schedules.Sample(c, len(places), orders) {
				struck = append(struck, places[i])
			}
		}
		var ordered []rounds.Fault
		for _, f := range struck {
			f.Detail = strings.Join(slices.DeleteFunc(slices.Clone(priority), func(p string) bool { return p == f.Process }), ",")
			ordered = append(ordered, f)
		}
		return with(u, s, ordered...).Normal()
	}
	least := oneIn(schedules.Count(b))
	return drawn{
		draw: func(c schedules.Chance) rounds.Schedule {
			if c.IntN(uniformOneIn) == 0 {
				return uniform.Draw(c)
			}
			return u.Meet(c, func() rounds.Schedule { return draw(c) })
		},
		least: least.Mul(least, big.NewRat(1, uniformOneIn)),
	}
}

// with returns a schedule with more faults, without those that are not within the bounds.
func with(u *schedules.Universe, s rounds.Schedule, faults ...rounds.Fault) rounds.Schedule {
	more := rounds.Schedule{Settings: s.Settings, Faults: slices.Concat(s.Faults, faults)}
	switch _, err := u.Units(more); {
	case err == nil:
		return more
	case len(faults) <= 1:
		return s
	}
	half := len(faults) / 2
	return with(u, with(u, s, faults[:half]...), faults[half:]...)
}

// order returns the numbers below n in any order.
func order(c schedules.Chance, n int) []int {
	all := make([]int, n)
	for i := range all {
		j := c.IntN(i + 1)
		all[i], all[j] = all[j], i
	}
	return all
}
