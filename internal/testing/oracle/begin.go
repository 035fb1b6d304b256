package oracle

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Begin lets the faults of bounds begin in a random round or later, one time in three,
// unless that does not go with what else they say.
func Begin(r *rand.Rand, b rounds.Bounds) rounds.Bounds {
	late := b
	late.From = 1 + r.IntN(b.EOT)
	if r.IntN(3) > 0 || late.Validate() != nil {
		return b
	}
	return late
}

// beginning lets the faults of a case begin in a round or later, one time in four.
func (c Case) beginning() (Case, error) {
	r := rand.New(rand.NewPCG(c.Seed, 5))
	if r.IntN(4) > 0 {
		return c, nil
	}
	text := c.Text + fmt.Sprintf("// ldfi: from=%d\n", 1+r.IntN(c.Bounds.EOT))
	p, err := dedalus.ParseText(c.Name, text)
	if err != nil {
		return Case{}, err
	}
	late, err := newCase(c.Name, text, c.Seed, p)
	if err != nil {
		return c, nil // it does not go with what else the bounds say
	}
	return late, nil
}
