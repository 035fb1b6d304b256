package gobuild

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program is built with the SDK of Antithesis if its module requires one that compiles
// without cgo: nats-server before 2.12.3 has an older one, and is built without.
func TestOfWhichSDK(t *testing.T) {
	for version, is := range map[string]bool{"v0.4.3-default-no-op": false, "v0.3.9": false, "v0.4.4": true, "v0.6.0-default-no-op": true, "v1.0.0": true} {
		file := filepath.Join(t.TempDir(), "go.mod")
		require.NoError(t, os.WriteFile(file, []byte("module x\n\nrequire "+Antithesis+" "+version+" // indirect\n"), 0o600))
		found, err := names(file, Antithesis)
		require.NoError(t, err)
		require.Equal(t, is, found, version)
	}
}
