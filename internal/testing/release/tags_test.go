package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// .ci/release tags the modules in their order, each with the sums of those before it: from
// the tags alone, a go command without the workspace loads each module with its tests. The
// releases are those of a repository on this disk, and nothing else is published.
func TestPublishedTags(t *testing.T) {
	if !*publish {
		t.Skip("takes minutes: run with -args -publish")
	}
	dir := t.TempDir()
	origin, clone := filepath.Join(dir, "origin.git"), filepath.Join(dir, "clone")
	usual := strings.Split(output(t, root, nil, "go", "env", "GOMODCACHE", "GOPROXY"), "\n")
	write(t, filepath.Join(dir, "gitconfig"), fmt.Sprintf("[safe]\n\tdirectory = *\n[user]\n\tname = release\n\temail = release@example.com\n[advice]\n\tdetachedHead = false\n[url \"file://%s\"]\n\tinsteadOf = https://github.com/lineage-driven/ldfi\n", origin))
	env := []string{
		"GIT_CONFIG_GLOBAL=" + filepath.Join(dir, "gitconfig"), "GOWORK=off", "GOFLAGS=-modcacherw",
		"GOMODCACHE=" + filepath.Join(dir, "modules"), "GOPRIVATE=" + core,
		fmt.Sprintf("GOPROXY=file://%s/cache/download,%s", usual[0], usual[1]),
	}
	git := func(in string, args ...string) string { return output(t, in, env, "git", args...) }
	git(root, "clone", "--quiet", "--bare", "--no-tags", absolute(t, root), origin)
	git(dir, "clone", "--quiet", origin, clone)
	git(clone, "tag", version)
	git(clone, "push", "--quiet", "origin", version)

	output(t, clone, env, filepath.Join(clone, ".ci/release"), version)
	require.Empty(t, output(t, clone, env, filepath.Join(clone, ".ci/release"), version), "what is released stays")
	var want []string
	for _, dir := range modules[1:] {
		want = append(want, dir+"/"+version)
	}
	require.ElementsMatch(t, append(want, version), strings.Fields(git(origin, "tag")))
	require.Equal(t, git(origin, "rev-parse", "release/"+version), git(origin, "rev-parse", want[len(want)-1]))
	for _, dir := range modules[1:] {
		git(clone, "checkout", "--quiet", dir+"/"+version)
		output(t, filepath.Join(clone, dir), env, "go", "list", "-mod=readonly", "-deps", "-test", "./...")
	}
}

// The script has all modules but the first, which is ldfi itself, in the order of this test.
func TestOrderOfTags(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".ci/release"))
	require.NoError(t, err)
	require.Contains(t, string(text), "\nmodules=("+strings.Join(modules[1:], " ")+")\n")
}
