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
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/spf13/cobra"
)

// schemas is the version of the JSON schemas, docs/schema.
const schemas = "v1"

func (s *session) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(s.out, "ldfi %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			if info, ok := debug.ReadBuildInfo(); ok {
				fmt.Fprint(s.out, commit(info))
			}
			fmt.Fprintf(s.out, "  schemas  JSON %s, hosts %d\n", schemas, messages.Version)
			return nil
		},
	}
}

// commit returns a line with the commit of a build; none if the build has no commit, as that
// of go install with a version.
func commit(info *debug.BuildInfo) string {
	vcs := map[string]string{}
	for _, setting := range info.Settings {
		vcs[setting.Key] = setting.Value
	}
	revision := vcs["vcs.revision"]
	if revision == "" {
		return ""
	}
	changed := ""
	if vcs["vcs.modified"] == "true" {
		changed = ", with changes"
	}
	return fmt.Sprintf("  commit   %s of %s%s\n", revision, vcs["vcs.time"], changed)
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
