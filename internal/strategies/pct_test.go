package strategies

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// All schedules within the bounds are drawn, as often as is promised. Any of the ways to be
// late happens together with any order of two senders as often as the bound of PCTCP says.
func TestPCT(t *testing.T) {
	b := rounds.Bounds{Processes: three, EOT: 2, Delays: 1, Orders: rounds.Unlimited}
	_, all := drawnFrom(t, drawPCT, b)

	u := schedules.New(b)
	var late []rounds.Fault
	for unit := range u.Len() {
		if f := u.Fault(unit); f.Kind == rounds.Delay {
			late = append(late, f)
		}
	}
	const links = 6
	bound := big.NewRat(7, int64(8*links*links*len(late)))
	for _, f := range late {
		for first, other := range map[string]string{"a,b": "c", "b,a": "c"} {
			p := new(big.Rat)
			for text, chance := range all {
				s, err := rounds.ParseSchedule(text)
				require.NoError(t, err)
				swapped := slices.ContainsFunc(s.Faults, func(g rounds.Fault) bool {
					return g.Kind == rounds.Order && g.Process == other && g.Round == 1 && strings.HasPrefix(g.Detail, first)
				})
				if slices.Contains(s.Faults, f) && swapped == (first == "b,a") {
					p.Add(p, chance)
				}
			}
			require.GreaterOrEqual(t, p.Cmp(bound), 0, "%s, %s first", f, first)
		}
	}
}

// Without late messages and other orders there is nothing to draw.
func TestPCTRefuses(t *testing.T) {
	require.EqualError(t, PCT.Refuse(rounds.Bounds{Isolations: 1}), "pct: it draws which messages are late, and in which order messages come: allow delays and orders (delays=2 orders=unlimited)")
	require.NoError(t, PCT.Refuse(rounds.Bounds{Delays: 1}))
}
