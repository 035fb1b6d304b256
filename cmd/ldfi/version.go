package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/spf13/cobra"
)

func (s *session) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(s.out, "ldfi %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// version is the module version that the binary was built from, or the
// revision of the checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// buildID names this build, so that results kept by another build are not taken for its
// own: the version of a release, else a hash of the binary.
var buildID = sync.OnceValues(func() (string, error) {
	if v := version(); v != "(devel)" && !strings.Contains(v, "dirty") {
		return v, nil
	}
	file, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("naming this program: %w", err)
	}
	hash := sha256.New()
	if err := files.Copy(hash, file, files.Program); err != nil {
		return "", fmt.Errorf("naming this program: %w", err)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
})
