package search

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// Who has no flags gets advice in words of their own.
func TestAdviceInOtherWords(t *testing.T) {
	l := &result.Limit{Advice: []string{"all: --strategy enumerate --executions 7", "--eot 80: done by then", "--crashes 1 --restarts 2: none", "mend it"}}
	require.Equal(t, "all: enumerate/7; or 80 rounds: done by then; or 1+2: none; or mend it", Advice(l, "$1/$2", "$1+$2", "$1 rounds"))
}
