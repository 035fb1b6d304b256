package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// goreleaser is what the tests look at of .goreleaser.yaml.
type goreleaser struct {
	Env    []string `yaml:"env"`
	Builds []struct {
		Main         string   `yaml:"main"`
		GOOS, GOARCH []string `yaml:",omitempty"`
		Flags        []string `yaml:"flags"`
		Ldflags      []string `yaml:"ldflags"`
	} `yaml:"builds"`
	Docker []struct {
		Dockerfile string `yaml:"dockerfile"`
	} `yaml:"dockers_v2"`
}

func readGoreleaser(t *testing.T) goreleaser {
	t.Helper()
	var c goreleaser
	require.NoError(t, yaml.Unmarshal([]byte(read(t, root, ".goreleaser.yaml")), &c))
	require.Len(t, c.Builds, 1)
	return c
}

// .goreleaser.yaml meets the schema of goreleaser, which is what goreleaser v2.15.1 (MIT
// licence) prints with "goreleaser jsonschema".
func TestGoreleaserSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("testdata/goreleaser.schema.json")
	require.NoError(t, err)
	validate := func(text string) error {
		t.Helper()
		data, err := yaml.YAMLToJSON([]byte(text))
		require.NoError(t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		require.NoError(t, err)
		return schema.Validate(value)
	}
	text := read(t, root, ".goreleaser.yaml")
	require.NoError(t, validate(text))
	require.Error(t, validate(strings.Replace(text, "ldflags:", "ldflag:", 1)))
}

// A release is for three systems on two processors, and its image has the Go of go.mod.
func TestGoreleaserPlatforms(t *testing.T) {
	c := readGoreleaser(t)
	require.Equal(t, []string{"linux", "darwin", "windows"}, c.Builds[0].GOOS)
	require.Equal(t, []string{"amd64", "arm64"}, c.Builds[0].GOARCH)
	require.Len(t, c.Docker, 1)
	from := regexp.MustCompile(`(?m)^FROM golang:(\S+)$`).FindStringSubmatch(read(t, root, c.Docker[0].Dockerfile))
	require.NotNil(t, from)
	require.Equal(t, goMod(t, ".").Go.Version, from[1]+".0")
}

// The workflow and .ci/run use the goreleaser that the schema is of.
func TestGoreleaserVersion(t *testing.T) {
	require.Contains(t, read(t, root, ".github/workflows/release.yml"), "version: v2.15.1\n")
	require.True(t, strings.Contains(read(t, root, ".ci/run"), "github.com/goreleaser/goreleaser/v2@v2.15.1"))
}

// The binary of a release says its version, its commit and the versions of its schemas. It is
// built as goreleaser builds it, in a repository with a tag.
func TestPublishedBinary(t *testing.T) {
	if !*publish {
		t.Skip("builds ldfi: run with -args -publish")
	}
	c, dir := readGoreleaser(t), t.TempDir()
	repository, file := filepath.Join(dir, "repository"), filepath.Join(dir, "ldfi")
	git := func(in string, args ...string) string {
		all := append([]string{"-c", "safe.directory=*", "-c", "user.name=release", "-c", "user.email=release@example.com"}, args...)
		return output(t, in, nil, "git", all...)
	}
	for _, name := range strings.Split(strings.TrimSuffix(git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) { // removed, and not committed
			continue
		}
		require.NoError(t, err)
		write(t, filepath.Join(repository, name), string(text))
	}
	git(repository, "init", "--quiet")
	git(repository, "add", "--all")
	git(repository, "commit", "--quiet", "--message", "release")
	git(repository, "tag", version)

	b := c.Builds[0]
	args := append([]string{"build", "-o", file}, b.Flags...)
	args = append(args, "-ldflags="+strings.Join(b.Ldflags, " "), b.Main)
	output(t, repository, c.Env, "go", args...)
	text := output(t, dir, nil, file, "version")
	require.Regexp(t, `^ldfi `+regexp.QuoteMeta(version)+`, go\S+ \S+
  commit   `+strings.TrimSpace(git(repository, "rev-parse", "HEAD"))+` of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ
  schemas  JSON v1, hosts 1
$`, text)

	output(t, dir, []string{"SOURCE_DATE_EPOCH=0"}, file, "man", "man")
	page := read(t, dir, "man/ldfi-run.1")
	require.Contains(t, page, `.TH "LDFI-RUN" "1" "Jan 1970" "ldfi `+version+`"`)
	if man, err := exec.LookPath("man"); err == nil {
		require.Contains(t, output(t, dir, nil, man, "-l", "man/ldfi-run.1"), "SYNOPSIS")
	}
}
