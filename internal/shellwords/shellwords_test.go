package shellwords_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/printable"
	"github.com/lineage-driven/ldfi/internal/shellwords"
	"github.com/stretchr/testify/require"
)

// Commands that are put together are taken apart as they were.
func TestJoin(t *testing.T) {
	for _, words := range [][]string{{"/tmp/a b/host", "-x"}, {"it's"}, {`"quoted"`, ""}, {`both ' and "`, `\`}, {"$x $'y'", "$"},
		{"a\nb\x1b[2J '\\", "\u202e##[error]", "\xff", "::x"}, {"参加者 \xff"},
	} {
		split, err := shellwords.Split(shellwords.Join(words...))
		require.NoError(t, err)
		require.Equal(t, words, split)
		require.Equal(t, shellwords.Join(words...), printable.Line(shellwords.Join(words...)))
		if shell, err := exec.LookPath("bash"); err == nil {
			out, err := exec.Command(shell, "-c", "printf '%s\\0' "+shellwords.Join(words...)).Output()
			require.NoError(t, err)
			require.Equal(t, strings.Join(words, "\x00")+"\x00", string(out))
		}
	}
}
