package provenance

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// span has the known bounds of a condition: it is certain when lower holds, and possible
// when upper does. Outside of a recursion the two are the same.
type span struct{ lower, upper solver.Lit }

// summary computes one aggregate of one group.
type summary struct {
	ev       *evaluation
	group    *group
	function string
	values   []specs.Value // in ascending order; distinct, except for the columns that tell equal values apart
	present  []span        // by value
}

// aggregated is a value that an aggregate can have, and when it can.
type aggregated struct {
	value specs.Value
	cond  solver.Lit
}

// The limits of the different sums of one group, which grow with the facts. Under listed
// schedules there are no more sums than schedules, and no limit.
const (
	fewSums     = 4096
	factsPerSum = 256
)

// tooManySums tells whether a group would have too many sums.
func (ev *evaluation) tooManySums(count int) bool {
	return !ev.tabled && count > max(fewSums, ev.maxFacts/factsPerSum)
}

// summary collects the distinct values of a group's variable and when each is
// among them.
func (ev *evaluation) summary(g *group, a aggregate, rows []span) *summary {
	s := &summary{ev: ev, group: g, function: a.function}
	list := ev.graph.values.list
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	per := a.per
	if a.function == "min" || a.function == "max" {
		per = nil // equal values make no difference, and would be heads that are equal
	}
	value := func(i int) specs.Value { return list[g.rows[i].env[a.slot]] }
	compare := func(i, k int) int {
		c := value(i).Compare(value(k))
		for _, slot := range per {
			c = cmp.Or(c, list[g.rows[i].env[slot]].Compare(list[g.rows[k].env[slot]]))
		}
		return c
	}
	slices.SortStableFunc(order, compare)
	for from := 0; from < len(order); {
		var lower, upper []solver.Lit
		to := from
		for ; to < len(order) && compare(order[to], order[from]) == 0; to++ {
			lower = append(lower, rows[order[to]].lower)
			upper = append(upper, rows[order[to]].upper)
		}
		p := span{upper: ev.circuit.Ors(upper...)}
		p.lower = p.upper
		if !slices.Equal(lower, upper) {
			p.lower = ev.circuit.Ors(lower...)
		}
		if p.upper != solver.False {
			s.values = append(s.values, value(order[from]))
			s.present = append(s.present, p)
		}
		from = to
	}
	return s
}

// results returns the values that the aggregate can have.
func (s *summary) results() []aggregated {
	switch s.function {
	case "count":
		return s.counts()
	case "min":
		return s.extremes(0, 1)
	case "max":
		return s.extremes(len(s.values)-1, -1)
	default:
		return s.sums()
	}
}

// counts: there are n values when at least n are possible and no more than n
// are certain.
func (s *summary) counts() []aggregated {
	var lower, upper []solver.Lit
	for _, p := range s.present {
		lower, upper = append(lower, p.lower), append(upper, p.upper)
	}
	certain, possible := s.atLeast(lower), s.atLeast(upper)
	if slices.Equal(lower, upper) {
		certain = possible
	}
	var all []aggregated
	for n := 1; n <= len(s.values); n++ {
		if cond := s.ev.circuit.And(possible(n), certain(n+1).Not()); cond != solver.False {
			all = append(all, aggregated{specs.Int(int64(n)), cond})
		}
	}
	return all
}

// atLeast returns a function that tells when at least n of some literals hold.
// Those that always or never do are not counted in the circuit.
func (s *summary) atLeast(lits []solver.Lit) func(n int) solver.Lit {
	always := 0
	var open []solver.Lit
	for _, l := range lits {
		switch l {
		case solver.True:
			always++
		case solver.False:
		default:
			open = append(open, l)
		}
	}
	counts := s.ev.circuit.Counts(open, len(open))
	return func(n int) solver.Lit {
		switch n -= always; {
		case n <= 0:
			return solver.True
		case n > len(counts):
			return solver.False
		default:
			return counts[n-1]
		}
	}
}

// extremes: a value is the best when it is possible and no better one is certain. The
// better values come before it in the order of first, first+step and so on.
func (s *summary) extremes(first, step int) []aggregated {
	var all []aggregated
	better := solver.False
	for i := first; 0 <= i && i < len(s.values) && s.ev.goOn(); i += step {
		cond := s.ev.circuit.And(s.present[i].upper, better.Not())
		if cond != solver.False {
			all = append(all, aggregated{s.values[i], cond})
		}
		better = s.ev.circuit.Or(better, s.present[i].lower)
	}
	return all
}

// total is a sum in 128 bits, in two's complement, and the number of its
// terms; for a plain sum only whether there are any.
type total struct {
	high, low uint64
	terms     int
}

func (t total) add(n int64) total {
	low, carry := bits.Add64(t.low, uint64(n), 0)
	high, _ := bits.Add64(t.high, uint64(n>>63), carry)
	return total{high, low, t.terms}
}

// sums goes through the values and computes when each sum of the values so far is possible.
func (s *summary) sums() []aggregated {
	reached := []totalCond{{total{}, solver.True}}
	for i, v := range s.values {
		reached = s.extend(reached, v, s.present[i])
		if s.ev.tooManySums(len(reached)) && !s.ev.inside && len(s.ev.graph.Valid) > 0 {
			reached = s.withinBounds(reached)
		}
		if s.ev.tooManySums(len(reached)) {
			s.ev.fail(&limits.LimitError{
				What:     fmt.Sprintf(PossibleValues+"%s<..> in one group (aggregate over fewer rows that depend on faults)", s.function),
				Relation: s.group.grouping.rule.head.name, Count: len(reached), Round: s.group.grouping.round,
			})
		}
		if !s.ev.check() {
			return nil
		}
	}
	return s.totals(reached)
}

// totalCond is a total and when it can be reached.
type totalCond struct {
	total total
	cond  solver.Lit
}

// sampleOfSums is the number of sums that are checked first.
const sampleOfSums = 64

// withinBounds keeps the sums that some schedule within the bounds gives. It keeps all of
// them if only few seem to be impossible.
func (s *summary) withinBounds(reached []totalCond) []totalCond {
	invalid := s.ev.circuit.Ands(s.ev.graph.Valid...).Not()
	beyond := func(r totalCond) bool { return s.ev.check() && !s.ev.possibleUnless(invalid, r.cond) }
	few := 0
	for i := 0; i < len(reached); i += len(reached) / sampleOfSums {
		if beyond(reached[i]) {
			few++
		}
	}
	if few < sampleOfSums/4 {
		return reached
	}
	s.ev.graph.pruned = true
	return slices.DeleteFunc(reached, beyond)
}

// extend returns the conditions of the sums with one more value: sums without it, unless it
// is certain, and with it if it is possible. A string is never part of a sum.
func (s *summary) extend(reached []totalCond, v specs.Value, p span) []totalCond {
	places := make(map[total]int, 2*len(reached))
	var next []totalCond
	reach := func(t total, cond solver.Lit) {
		if cond == solver.False {
			return
		}
		i, known := places[t]
		if !known {
			places[t] = len(next)
			next = append(next, totalCond{t, cond})
			return
		}
		next[i].cond = s.ev.circuit.Or(next[i].cond, cond)
	}
	for _, r := range reached {
		reach(r.total, s.ev.circuit.And(r.cond, p.lower.Not()))
		if !v.IsInt() {
			continue
		}
		with := r.total.add(v.Int())
		if with.terms == 0 || s.function == "avg" {
			with.terms++
		}
		reach(with, s.ev.circuit.And(r.cond, p.upper))
	}
	return next
}

// totals returns the values of the sums that fit in 64 bits.
func (s *summary) totals(reached []totalCond) []aggregated {
	var all []aggregated
	places := map[int64]int{}
	for _, r := range reached {
		n := int64(r.total.low)
		if r.total.terms == 0 || r.total.high != uint64(n>>63) {
			continue
		}
		if s.function == "avg" {
			n /= int64(r.total.terms)
		}
		if i, known := places[n]; known {
			all[i].cond = s.ev.circuit.Or(all[i].cond, r.cond)
			continue
		}
		places[n] = len(all)
		all = append(all, aggregated{specs.Int(n), r.cond})
	}
	return all
}
