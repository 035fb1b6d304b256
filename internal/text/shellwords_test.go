package text_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/stretchr/testify/require"
)

// Commands that are put together are taken apart as they were.
func TestJoin(t *testing.T) {
	for _, words := range [][]string{{"/tmp/a b/host", "-x"}, {"it's"}, {`"quoted"`, ""}, {`both ' and "`, `\`}, {"$x $'y'", "$"},
		{"a\nb\x1b[2J '\\", "\u202e##[error]", "\xff", "::x"}, {"参加者 \xff"},
	} {
		split, err := text.ShellSplit(text.ShellJoin(words...))
		require.NoError(t, err)
		require.Equal(t, words, split)
		require.Equal(t, text.ShellJoin(words...), text.Safe(text.ShellJoin(words...)))
		if shell, err := exec.LookPath("bash"); err == nil {
			out, err := exec.Command(shell, "-c", "printf '%s\\0' "+text.ShellJoin(words...)).Output()
			require.NoError(t, err)
			require.Equal(t, strings.Join(words, "\x00")+"\x00", string(out))
		}
	}
}
