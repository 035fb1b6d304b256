package ldfi

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Check decides whether some schedule within the bounds makes the program
// break its promise. It returns an error when the question cannot be asked (a
// [NoPromiseError], bad bounds, a program without a meaning in some scenario)
// and for an [InternalError]; limits and a cancelled context give a report with
// the verdict Inconclusive, or Violated if a violation was known by then.
func Check(ctx context.Context, p *dedalus.Program, b rounds.Bounds, o Options) (*Report, error) {
	return nil, errors.New("not yet")
}
