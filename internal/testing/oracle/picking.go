package oracle

import (
	"math/big"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// picking lets the faults of links hit kinds of messages alone in some cases.
func (c Case) picking() (Case, error) {
	r := rand.New(rand.NewPCG(c.Seed, 5))
	b, sent := c.Bounds, rounds.SentBy(c.Program)
	none := b.Omissions == 0 && b.Cuts == 0 && b.Delays == 0 && b.Duplicates == 0
	if none || len(b.Kinds) > 0 || b.Deliver+b.Kernel != "" || len(sent) == 0 || r.IntN(3) > 0 {
		return c, nil
	}
	kinds := rounds.AllKinds
	if r.IntN(2) == 0 {
		kinds = sent[r.IntN(len(sent))]
	}
	text := c.Text + "// ldfi: kinds=" + kinds + "\n"
	p, err := dedalus.ParseText(c.Name, text)
	if err != nil {
		return Case{}, err
	}
	picked, err := newCase(c.Name, text, c.Seed, p)
	if err == nil && schedules.Count(picked.Bounds).Cmp(big.NewInt(mostParted)) > 0 && schedules.Count(c.Bounds).Cmp(big.NewInt(mostParted)) <= 0 {
		return c, nil
	}
	return picked, err
}
