package gobuild

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What go leaves behind when it is stopped lies where it may be removed with all else.
func TestGoWorksInTheTemporaryDirectory(t *testing.T) {
	dir := t.TempDir()
	out, err := RunGo(t.Context(), "", dir, nil, "env", "GOTMPDIR")
	require.NoError(t, err)
	require.Equal(t, dir, strings.TrimSpace(out))
}

func TestTelling(t *testing.T) {
	require.Equal(t, "a.go:1: wrong\nb.go:2: wrong\n\tthere", telling("go: downloading x v1\n# host\na.go:1: wrong\n\nb.go:2: wrong\n\tthere\n"))
	require.Empty(t, telling("# host\n"))
}
