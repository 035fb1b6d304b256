package strategies

import (
	"math/big"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Uniform draws each schedule within the bounds with the same probability.
var Uniform = strategy("uniform", drawUniform)

func drawUniform(b rounds.Bounds) drawn {
	return drawn{schedules.New(b).Uniform().Draw, oneIn(schedules.Count(b))}
}

func oneIn(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(big.NewInt(1), n) }
