package oracle

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// mostParted is how many schedules there are at most where a case is given
// partitions or cuts.
const mostParted = 4000

// parting adds partitions, cuts or both to the settings of some cases.
func (c Case) parting() (Case, error) {
	r := rand.New(rand.NewPCG(c.Seed, 2))
	var settings []string
	if len(c.Bounds.Processes) > 2 && r.IntN(4) == 0 {
		settings = append(settings, "partitions=1")
	}
	if len(c.Bounds.Processes) > 1 && r.IntN(4) == 0 {
		settings = append(settings, fmt.Sprintf("cuts=%d", 1+r.IntN(2)))
	}
	if settings != nil && !strings.Contains(c.Text, "period=") {
		settings = append(settings, fmt.Sprintf("period=%d", 1+r.IntN(3)))
	}
	if c.Bounds.Omissions == 0 && c.Bounds.Delays == 0 && c.Bounds.Duplicates == 0 && c.Bounds.Deliver+c.Bounds.Kernel == "" && r.IntN(4) == 0 {
		settings = append(settings, "at=phase")
	}
	if settings == nil {
		return c, nil
	}
	text := c.Text + "// ldfi: " + strings.Join(settings, " ") + "\n"
	p, err := dedalus.ParseText(c.Name, text)
	if err != nil {
		return Case{}, err
	}
	parted, err := newCase(c.Name, text, c.Seed, p)
	if err == nil && schedules.Count(parted.Bounds).Cmp(big.NewInt(mostParted)) > 0 {
		return c, nil
	}
	return parted, err
}
