package oracle

import (
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// joining lets processes of a case join later, one time in four.
func (c Case) joining() (Case, error) {
	r := rand.New(rand.NewPCG(c.Seed, 4))
	if r.IntN(4) > 0 {
		return c, nil
	}
	text := c.Text + "// ldfi: join="
	for i, p := range r.Perm(len(c.Bounds.Processes))[:1+r.IntN(min(2, len(c.Bounds.Processes)))] {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf("%s@%d", c.Bounds.Processes[p], 1+r.IntN(c.Bounds.EOT))
	}
	p, err := dedalus.ParseText(c.Name, text+"\n")
	if err != nil {
		return Case{}, err
	}
	joined, err := newCase(c.Name, text+"\n", c.Seed, p)
	if err != nil {
		return c, nil // it does not go with what else the bounds say
	}
	return joined, nil
}
