package shellwords_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/shellwords"
	"github.com/stretchr/testify/require"
)

// Commands that are put together are taken apart as they were.
func TestJoin(t *testing.T) {
	for _, words := range [][]string{{"/tmp/a b/host", "-x"}, {"it's"}, {`"quoted"`, ""}, {`both ' and "`, `\`}} {
		split, err := shellwords.Split(shellwords.Join(words...))
		require.NoError(t, err)
		require.Equal(t, words, split)
	}
}
