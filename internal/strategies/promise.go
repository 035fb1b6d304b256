package strategies

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// wanted is the probability of having drawn a schedule that a search aims at.
const wanted = 0.95

// promise states the meaning of a search that found nothing, if each schedule of faults
// within the bounds has at least the probability least in each execution.
func promise(ctx context.Context, s *search.Session, r *result.Search, least *big.Rat) {
	Promise(r, r.Executions, least)
	if settled := s.Settings.Seed.Given && s.Settings.Ticks.Given; !settled && (s.System == nil || s.System.Varies(ctx, s.Settings)) {
		r.Guarantee += "; ticks and random numbers were drawn as well"
	}
	if s.GoroutineOrders && !s.Settings.Goroutines.Given {
		r.Guarantee += "; orders of goroutines were drawn as well"
	}
}

// Promise states the meaning of a search that found nothing, if draws schedules were drawn,
// and each schedule within the bounds has at least the probability least in each draw.
func Promise(r *result.Search, draws int, least *big.Rat) {
	r.Drawn, r.Enough = met(least, draws), enough(least)
	r.Guarantee = fmt.Sprintf("each schedule of faults within the bounds was drawn with a probability of at least %s", chance(least, draws))
	switch {
	case r.Drawn >= wanted:
	case r.Enough.Cmp(big.NewInt(absurd*int64(max(draws, 1000)))) > 0:
		r.Guarantee += fmt.Sprintf("; %g %% takes %s executions: allow fewer faults or rounds", 100*wanted, text.Number(r.Enough, longest))
	default:
		r.Guarantee += fmt.Sprintf("; with %s executions that is %g %%", text.Number(r.Enough, longest), 100*wanted)
	}
}

// absurd is how many times as many executions as were made nobody will make.
const absurd = 1000

// met returns a lower bound of the probability that a schedule was drawn in some execution,
// if its probability in each execution is each.
func met(each *big.Rat, executions int) float64 {
	if executions == 0 {
		return 0
	}
	p, _ := each.Float64()
	return math.Min(-math.Expm1(float64(executions)*math.Log1p(-p)), math.Nextafter(1, 0))
}

// enough returns the number of executions after which a schedule was drawn with the wanted
// probability; for an improbable one a few more.
func enough(each *big.Rat) *big.Int {
	if p, _ := each.Float64(); p > 1e-12 {
		return big.NewInt(int64(max(math.Ceil(math.Log(1-wanted)/math.Log1p(-p)), 1)))
	}
	n := new(big.Int).Mul(each.Denom(), big.NewInt(3)) // 3 > ln 20
	return n.Add(n.Quo(n, each.Num()), big.NewInt(1))
}

// chance writes the probability of being drawn in a number of executions, rounded down.
func chance(each *big.Rat, executions int) string {
	if executions == 0 {
		return "0"
	}
	p := met(each, executions)
	if percent := math.Floor(1000*p) / 10; percent >= 1 {
		return fmt.Sprintf("%g %%", percent)
	}
	if p > 1e-12 {
		const rounding = 1e-9
		return "1 in " + text.Number(big.NewInt(int64(math.Ceil((1-rounding)/p))), longest)
	}
	// The probability is at most executions times each, and less by no more than 1 %.
	all := new(big.Int).Mul(each.Num(), big.NewInt(int64(executions)*99))
	in := new(big.Int).Mul(each.Denom(), big.NewInt(100))
	return "1 in " + text.Number(in.Add(in.Quo(in, all), big.NewInt(1)), longest)
}

// longest is the number of digits up to which a number is written out.
const longest = 9
