package ldfi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// limitOf returns the limit that an error reports, nil if it reports something else. It
// depends on the error and not on the state of the context, so that it is the limit that
// was reached first; the context only tells an interruption from the end of the time.
func limitOf(ctx context.Context, err error) *result.Limit {
	var tooMuch *limits.LimitError
	var tooManyGates *solver.LimitError
	var gaveUp *solver.GaveUpError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooMuch):
		return &result.Limit{Kind: kindOf(tooMuch), Reason: tooMuch.Error(), Growth: tooMuch.Growth[:min(len(tooMuch.Growth), mostGrowth)]}
	case errors.As(err, &tooManyGates):
		return &result.Limit{Kind: result.LimitGates, Reason: tooManyGates.Error()}
	case errors.As(err, &gaveUp):
		return &result.Limit{Kind: result.LimitSolver, Reason: err.Error()}
	case !endOf(ctx, err):
		return nil
	default:
		return result.Ended(ctx)
	}
}

// kindOf names the limit that was reached. That on facts bounds the firings of
// rules as well, the steps of matching them, and the values of an aggregate.
func kindOf(e *limits.LimitError) string {
	switch {
	case e.What == limits.Memory:
		return limits.Memory
	case slices.Contains([]string{"facts", "rule firings", provenance.StepsOfMatching}, e.What),
		strings.HasPrefix(e.What, provenance.PossibleValues):
		return result.LimitFacts
	default:
		return result.LimitSize
	}
}

// endOf tells whether an error comes from the end of the context.
func endOf(ctx context.Context, err error) bool {
	if ctx.Err() == nil {
		return false
	}
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Cause(ctx))
}

// advise adds to a limit which relations grew, and advice, given how many of the eot rounds
// are decided.
func advise(l *result.Limit, growth []recording.Growth, decided, eot int) {
	if len(growth) > 0 {
		l.Growth = growth
	}
	switch l.Kind {
	case result.LimitFacts:
		l.Advice = append(l.Advice, "a higher limit on facts (--max-facts)")
	case limits.Memory:
		l.Advice = append(l.Advice, "more memory (--memory)")
	case result.LimitGates:
		l.Advice = append(l.Advice, "a higher limit on gates (--max-gates)")
	case result.LimitSolver:
		l.Advice = append(l.Advice, "more time for the SAT solver, or another one (--solver)")
	case result.LimitTimeout:
		l.Advice = append(l.Advice, "more time (--timeout)")
	}
	l.Advice = append(l.Advice, "fewer processes or smaller fault budgets")
	if 0 < decided && decided < eot {
		l.Advice = append(l.Advice, fmt.Sprintf("fewer rounds: eot=%d is decided", decided))
	} else {
		l.Advice = append(l.Advice, "fewer rounds")
	}
	if len(l.Growth) > 0 {
		l.Advice = append(l.Advice, fmt.Sprintf("fewer facts of %s, which grew most", l.Growth[0].Relation))
	}
}

// mostGrowth limits the relations that a limit names.
const mostGrowth = 5

// growthOf returns the relations with most facts, except that which is built in.
func growthOf(g *provenance.Graph) []recording.Growth {
	var all []recording.Growth
	for _, r := range g.Growth() {
		if r.Facts > 0 && r.Relation != syntax.Crash && len(all) < mostGrowth {
			all = append(all, r)
		}
	}
	return all
}
