package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The commands with which the page about bisect begins print what stands there, where
// nothing is but them.
func TestPublishedBisect(t *testing.T) {
	if !*publish {
		t.Skip("downloads modules: run with -args -publish")
	}
	block := regexp.MustCompile("(?s)<!-- run by internal/testing/release -->\n```sh\n(.*?)```\n\n```text\n(.*?)```\n")
	page := block.FindStringSubmatch(read(t, root, "docs/guide/bisect.md"))
	require.NotNil(t, page)
	_, err := exec.LookPath("bash")
	require.NoError(t, err)
	bin, cache := t.TempDir(), strings.TrimSpace(output(t, root, nil, "go", "env", "GOCACHE"))
	output(t, root, nil, "go", "build", "-buildvcs=false", "-o", filepath.Join(bin, "ldfi"), "./cmd/ldfi")
	env := []string{"GOWORK=off", "PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "GOCACHE=" + cache, "XDG_CACHE_HOME=" + t.TempDir()}
	text, err := command(t, t.TempDir(), env, "bash", "-euc", page[1])
	require.ErrorContains(t, err, "exit status 1", text)
	for part := range strings.SplitSeq(page[2], "…\n") {
		require.Contains(t, words(text), words(part))
	}
}

// words is a text without its layout.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
