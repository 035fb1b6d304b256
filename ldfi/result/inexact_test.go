package result_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// The overlay is the advice where it is missing, and not where a message names it.
func TestAdvice(t *testing.T) {
	require.Equal(t, "; `ldfi test` or `ldfi overlay` makes it exact", result.InexactAdvice("the program was built without ldfi overlay"))
	why := `two executions differ from round 2 on, at process b, in a message: one has b > a: put("overlay"), the other nothing`
	require.Equal(t, ": executions may differ, because "+why, result.InexactAdvice(why))
}

// Of one fault nothing is said in the plural.
func TestSizeOfOneFault(t *testing.T) {
	c := result.Repeats{Needed: 10}
	require.Equal(t, "needed: without it, fewer than 10 of 20 executions break", c.Size(1))
	require.Equal(t, "all needed: without any one of them, fewer than 10 of 20 executions break", c.Size(2))
	c.Needed = 1
	require.Equal(t, "needed: without it, none of 20 executions breaks", c.Size(1))
}
