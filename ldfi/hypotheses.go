package ldfi

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// HypothesesReport lists the fault sets that break the promise under assumptions.
type HypothesesReport struct {
	Hypotheses []Counterexample // smallest first, each executed and confirmed
	Complete   bool             // there are no further ones
	Conflict   *Conflict        // why there are none, if there are none
	Scope      Scope
	Warnings   []dedalus.Warning
	Stats      Stats
	Limit      *Limit // what stopped the search before its end, if something did
}

// Conflict says why no fault set is left.
type Conflict struct {
	Require, Forbid []string // the smallest set of assumptions that conflict; both empty: the promise holds whatever is assumed
	Scope           bool     // they conflict with the bounds or each other already, whatever is promised
}

// Hypotheses lists minimal fault sets within the bounds that break the
// promise, at most o.Max of them, under assumptions. An assumption is a pattern
// over faults as [rounds.ParsePattern] reads it ("crash a@2", "omit *>c"), or a
// fact ("post(c, \"hello\")@6", without "@6" one in any round); some fault or fact that
// matches is required, or all are forbidden.
func Hypotheses(ctx context.Context, p *dedalus.Program, b rounds.Bounds, require, forbid []string, o Options) (*HypothesesReport, error) {
	return nil, errors.New("not yet")
}
