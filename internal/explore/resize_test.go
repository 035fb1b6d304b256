package explore_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/stretchr/testify/require"
)

// panes are all that can be open, by the keys that open it.
var panes = map[string]string{
	"the diagram":         "n",
	"the links":           "l down right o",
	"fault sets":          "n n 2",
	"facts":               "n 3",
	"an answer":           "n w",
	"what it would take":  "3 / log(c,_)@4 enter t",
	"a difference":        "n v",
	"repairs":             "R",
	"help":                "?",
	"what is being typed": "n e",
	"locks":               "m c m M k not space omit space *>c enter",
}

// A screen that gets another size keeps its form, whatever is open, and is as it was when
// it has its own size again.
func TestResize(t *testing.T) {
	for name, keys := range panes {
		e := exploration(t, "delivery/retry.ded")
		p := explore.NewPlayer(t.Context(), e, options("retry.ded"), 80, 24)
		for _, key := range strings.Fields(keys) {
			p.Press(key)
		}
		before := p.Screen()
		for _, size := range sizes {
			p.Resize(size.width, size.height)
			fits(t, p, size.width, size.height, name)
		}
		p.Resize(80, 24)
		require.Equal(t, before, p.Screen(), name)
		p.Resize(0, 0)
		p.Screen()
		p.Resize(80, 24)
		require.Equal(t, before, p.Screen(), name)
	}
}
