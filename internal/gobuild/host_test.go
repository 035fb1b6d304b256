package gobuild_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/stretchr/testify/require"
)

// Only programs with servers that have goroutines are built with the overlay.
func TestForHost(t *testing.T) {
	t.Setenv("GOFLAGS", "-trimpath")
	for _, command := range []string{"./host", "python3 host.py", "go run ./examples/election/host", "go test -run X ./ldfi/wire"} {
		words := strings.Fields(command)
		h := gobuild.ForHost(t.Context(), words, "../..", os.Environ())
		require.Nil(t, h.Ready, command)
		require.Empty(t, h.String(), command)
	}
	words := strings.Fields("go test -count=1 ./rounds/virtual -run X")
	h := gobuild.ForHost(t.Context(), words, "../..", os.Environ())
	require.NotNil(t, h.Ready, h.Why)
	require.Equal(t, []string{"A=b", "GOFLAGS=-trimpath -overlay=" + h.Ready.List}, h.Ready.Environment([]string{"A=b"}))

	mine := filepath.Join(t.TempDir(), "mine.json")
	require.NoError(t, os.WriteFile(mine, []byte("{}"), 0o644))
	h = gobuild.ForHost(t.Context(), []string{"go", "test", "-overlay=" + mine, "./rounds/virtual"}, "../..", os.Environ())
	require.Nil(t, h.Ready)
	require.Contains(t, h.String(), "not exactly repeatable: its command has an -overlay of its own")
}
