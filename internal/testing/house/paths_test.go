package house_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// named are paths below the folders of packages, as pages write them.
var named = regexp.MustCompile("`((?:internal|ldfi|provenance|solver|rounds|specs|cmd|examples|adapters)/[\\w./-]+)`")

var version = regexp.MustCompile(`/v\d+\.`)

// Each path that the pages for builders name exists.
func TestPathsInPages(t *testing.T) {
	for _, page := range []string{"docs/design.md", "CONTRIBUTING.md", "docs/guide/adapter.md", "docs/guide/systems.md", "docs/guide/exact.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		require.NoError(t, err)
		paths := named.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, paths, page)
		for _, path := range paths {
			if version.MatchString(path[1]) {
				continue // a tag
			}
			_, err := os.Stat(filepath.Join(root, strings.TrimSuffix(path[1], "/...")))
			require.NoError(t, err, "%s names %s", page, path[1])
		}
	}
}

// The page of the examples says of each folder what it is for.
func TestExamplesAreListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "examples/README.md"))
	require.NoError(t, err)
	entries, err := os.ReadDir(filepath.Join(root, "examples"))
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			require.Contains(t, string(text), "]("+e.Name()+")")
		}
	}
}
