package strategies

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// seeds is how many executions a guide steers where the bounds allow no faults beside what it
// decides, each with a seed of its own.
const seeds = 100

// unfaulted tells whether bounds allow no faults and no choices.
func unfaulted(b rounds.Bounds) bool {
	return schedules.Count(b).Cmp(big.NewInt(1)) == 0
}

// sayGuidance says in an answer what guided the executions.
func sayGuidance(ctx context.Context, s *search.Session, a *result.Answer) {
	if a.Guidance = s.Guidance(a.Verdict == result.Violated); a.Guidance == nil {
		return
	}
	g := a.Guidance
	if a.Verdict != result.Violated && g.Executions > 0 && g.Prevented == g.Executions && (a.Limit == nil || a.Limit.Kind == result.LimitExecutions) {
		none, limit, all := "no schedule within the bounds", result.LimitSize, schedules.New(s.Bounds).ByChoices()
		if a.Search.Certificate == nil && !unfaulted(s.Bounds) {
			none, limit = fmt.Sprintf("none of %d schedules that were executed", g.Executions), result.LimitExecutions
			all = func(yield func(rounds.Schedule) bool) { yield(rounds.Schedule{}) }
		}
		a.Verdict, a.Complete, a.Search.Certificate = result.Inconclusive, false, nil
		search.Stop(a, limit, "%s is allowed by %s%s", none, g.File, s.Conflict(ctx, all))
		if limit == result.LimitSize {
			a.Limit.Advice = []string{"other rules", "wider bounds"}
		}
		return
	}
	if c := a.Search.Certificate; c != nil {
		c.Assumption = strings.TrimPrefix(c.Assumption+". It holds within "+g.File, ". ")
		if n := g.Prevented + s.Spared; n > 0 {
			c.Assumption += fmt.Sprintf(", which does not allow %s", text.Plural(n, "schedule"))
		}
	}
	if a.Verdict == result.Inconclusive && a.Limit != nil && a.Limit.Kind == result.LimitExecutions && g.Target != nil {
		if g.Target.Executions > 0 {
			a.Limit.Reason += fmt.Sprintf("; %s was reached in %d of %s", g.Target.Name, g.Target.Executions, text.Plural(g.Executions, "execution"))
		} else {
			a.Limit.Reason += fmt.Sprintf("; %s was reached in none", g.Target.Name)
		}
	}
}
