package subprocess_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/stretchr/testify/require"
)

// What is short is kept as it is.
func TestShort(t *testing.T) {
	kept := subprocess.LastOutput{Size: 8}
	require.Empty(t, kept.String())
	require.Empty(t, kept.Lines(3))
	fmt.Fprint(&kept, "one\n")
	fmt.Fprint(&kept, "two\n")
	require.Equal(t, "one\ntwo\n", kept.String())
	kept.Reset()
	require.Empty(t, kept.String())
	fmt.Fprint(&kept, "a\xff")
	require.Equal(t, "a?", kept.String())
}

// Of what is long the end is kept, in whole lines, however it was written.
func TestLong(t *testing.T) {
	text := strings.Repeat("some line\n", 100) + "the last line\n"
	for _, atATime := range []int{1, 7, 33, 64, 65, 1000, len(text)} {
		kept := subprocess.LastOutput{Size: 34}
		for rest := text; rest != ""; rest = rest[min(atATime, len(rest)):] {
			n, err := kept.Write([]byte(rest[:min(atATime, len(rest))]))
			require.NoError(t, err)
			require.Equal(t, min(atATime, len(rest)), n)
			require.LessOrEqual(t, len(kept.String()), 34+len("...\n"))
		}
		require.Equal(t, "...\nsome line\nthe last line\n", kept.String(), atATime)
		require.Equal(t, "the last line", kept.Lines(1), atATime)
		require.Equal(t, "some line\nthe last line", kept.Lines(2), atATime)
	}
}

// A line that is longer than what is kept has no beginning.
func TestLongLine(t *testing.T) {
	kept := subprocess.LastOutput{Size: 4}
	fmt.Fprint(&kept, "123456789")
	require.Equal(t, "...\n6789", kept.String())
	kept.Reset()
	fmt.Fprint(&kept, "12345678\n")
	require.Equal(t, "...\n678\n", kept.String())
}
