package ldfi

import (
	"context"
	"errors"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Vet returns all warnings about a program within bounds, in the order of
// their positions: those that its text shows, and those that only an
// evaluation over all scenarios shows (rules that never fire, a vacuous
// promise, arithmetic without a value). With strict it also reports deductive
// rules that join facts of several locations.
func Vet(ctx context.Context, p *dedalus.Program, b rounds.Bounds, strict bool, o Options) ([]dedalus.Warning, error) {
	return nil, errors.New("not yet")
}
