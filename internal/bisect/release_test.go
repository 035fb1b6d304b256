package bisect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/stretchr/testify/require"
)

// publish puts a version of a module with one file into the directory of a module
// proxy.
func publish(t *testing.T, proxy, module, version, gomod, file, text string) {
	t.Helper()
	gomod = "module " + module + "\n\ngo 1.21\n" + gomod
	name := strings.ReplaceAll(module, "/", "_") + "_" + version
	write(t, filepath.Join(proxy, name), map[string]string{"go.mod": gomod, ".mod": gomod, file: text, ".info": fmt.Sprintf(`{"Version":%q}`, version)})
}

// states says what is known of the versions of the first matrix.
func states(r *bisect.Report) (all []string) {
	for _, f := range r.Matrices[0].Findings {
		all = append(all, f.Version+" "+string(f.State))
	}
	return all
}

// skipped are the versions of the first matrix that are skipped.
func skipped(r *bisect.Report) (all []bisect.Finding) {
	for _, f := range r.Matrices[0].Findings {
		if f.State == bisect.Skipped {
			all = append(all, f)
		}
	}
	return all
}

// onlyVote asks about one of the systems of the host.
func onlyVote() bisect.Options {
	o := oneCrash()
	o.Systems = []string{"vote"}
	return o
}

func parse(t *testing.T, texts ...string) (all []bisect.Release) {
	t.Helper()
	for _, text := range texts {
		r, ok := bisect.ParseRelease(text)
		require.True(t, ok, text)
		all = append(all, r)
	}
	return all
}

// An adapter requires a newer version of the library than those that are searched:
// these are built all the same, and it is they that are in the program.
func TestReleasesBelowWhatAnAdapterRequires(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	proxy := t.TempDir()
	for version, text := range map[string]string{"v1.0.0": sound, "v1.1.0": badA, "v1.3.0": sound} {
		release(t, proxy, version, text)
	}
	publish(t, proxy, "example.com/adapter", "v1.0.0", "\nrequire example.com/vote v1.3.0\n", "it.go", "package adapter\n\nimport _ \"example.com/vote\"\n")
	isolated(t, goproxytest.NewTestServer(t, proxy, "").URL)
	dir := t.TempDir()
	gomod := "module host\n\ngo 1.21\n\nrequire example.com/adapter v1.0.0\n\nreplace example.com/vote v1.1.0 => ./nowhere\n"
	write(t, dir, map[string]string{"go.mod": gomod, "main.go": host, "adapter.go": "package main\n\nimport _ \"example.com/adapter\"\n"})
	versions, err := bisect.Releases(bisect.Hosts{{Dir: dir}}, few(vote("v1.0.0", "v1.1.0", "v1.3.0", "v1.9.0"), 1, 3), "go run .")
	require.NoError(t, err)
	require.Equal(t, few([]string{"v1.0.0 none found", "v1.1.0 violated", "v1.3.0 none found", "v1.9.0 skipped"}, 1, 3), states(run(t, versions, onlyVote())))
	now, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	require.Equal(t, gomod, string(now))
}

// The library moved: its first versions are a package of an old module, then it is
// a module of its own. One template of the host is enough where only the path
// differs. A checkout of the library is a version as well, and so is one whose host
// is another.
func TestReleasesAcrossImportPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	proxy := t.TempDir()
	publish(t, proxy, "old.example.com/all", "v1.0.0", "", "vote/vote.go", sound)
	publish(t, proxy, "old.example.com/all", "v1.1.0", "", "vote/vote.go", badA)
	publish(t, proxy, "new.example.com/vote/v2", "v2.0.0", "", "vote.go", badA)
	publish(t, proxy, "new.example.com/vote/v2", "v2.1.0", "", "vote.go", sound)
	publish(t, proxy, "newest.example.com/vote", "v1.0.0", "", "vote.go", strings.ReplaceAll(badB, "Leaders(", "Elected("))
	isolated(t, goproxytest.NewTestServer(t, proxy, "").URL)
	dir := t.TempDir()
	t.Chdir(dir)
	template := strings.Replace(host, `"example.com/vote"`, `"{{package}}"`, 1)
	write(t, dir, map[string]string{
		"host/go.mod":         "module host\n\ngo 1.21\n",
		"host/main.go.tmpl":   template,
		"newest/go.mod":       "module host\n\ngo 1.21\n",
		"newest/main.go":      strings.Replace(strings.Replace(host, `"example.com/vote"`, `"newest.example.com/vote"`, 1), "vote.Leaders", "vote.Elected", 1),
		"fork/go.mod":         "module new.example.com/vote/v2\n\ngo 1.21\n",
		"fork/vote.go":        badB,
		"unrelated/go.mod":    "module example.com/unrelated\n",
		"unrelated/unused.go": "package unrelated\n",
	})
	hosts, err := bisect.ParseHosts([]string{"host", "newest.example.com/vote=newest"})
	require.NoError(t, err)
	releases := parse(t,
		"old.example.com/all/vote@v1.0.0", "old.example.com/all/vote@v1.1.0", "old.example.com/all/vote@v1.9.0", "new.example.com/vote/v2@v2.0.0",
		"new.example.com/vote/v2@latest", "new.example.com/vote/v2@./fork", "new.example.com/vote/v2@./unrelated", "newest.example.com/vote@v1.0.0")
	kept := []int{1, 2, 4, 5, 6, 7}
	versions, err := bisect.Releases(hosts, few(releases, kept...), "go run .")
	require.NoError(t, err)
	r := run(t, versions, onlyVote())
	require.Equal(t, few([]string{
		"old.example.com/all/vote@v1.0.0 none found", "old.example.com/all/vote@v1.1.0 violated", "old.example.com/all/vote@v1.9.0 skipped", "new.example.com/vote/v2@v2.0.0 violated",
		"new.example.com/vote/v2@latest none found", "new.example.com/vote/v2@./fork violated", "new.example.com/vote/v2@./unrelated skipped", "newest.example.com/vote@v1.0.0 violated",
	}, kept...), states(r))
	unused := skipped(r)
	require.Contains(t, unused[0].Reason, "there is no version v1.9.0 of a module with the package old.example.com/all/vote, which would be old.example.com/all/vote or old.example.com/all")
	require.Equal(t, "./unrelated is the module example.com/unrelated, and not new.example.com/vote/v2", unused[1].Reason)
	require.NoFileExists(t, "host/main.go")
}

// Programs of a Go module that requires a newer version are built with a release in its
// place, and one that does not use the module may be among them.
func TestPlaceOfARelease(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	proxy, dir := t.TempDir(), t.TempDir()
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		release(t, proxy, version, sound)
	}
	isolated(t, goproxytest.NewTestServer(t, proxy, "").URL)
	write(t, dir, map[string]string{
		"go.mod":         "module host\n\ngo 1.21\n\nrequire example.com/vote v1.1.0\n",
		"uses/main.go":   "package main\n\nimport _ \"example.com/vote\"\n\nfunc main() {}\n",
		"unused/main.go": "package main\n\nfunc main() {}\n",
	})
	flags, check, err := parse(t, "example.com/vote@v1.0.0")[0].Place(t.Context(), dir, t.TempDir())
	require.NoError(t, err)
	built := func(pkg string, flags ...string) string {
		file := filepath.Join(t.TempDir(), "it")
		_, err := gobuild.RunGo(t.Context(), dir, t.TempDir(), nil, slices.Concat([]string{"build", "-o", file}, flags, []string{pkg})...)
		require.NoError(t, err)
		return file
	}
	uses, unused, newer := built("./uses", flags...), built("./unused", flags...), built("./uses", "-mod=mod")
	require.NoError(t, check(unused, uses))
	require.EqualError(t, check(unused), "the program does not use the module example.com/vote")
	require.EqualError(t, check(uses, newer), "the program was built with example.com/vote v1.1.0, and not with example.com/vote v1.0.0")
}

func TestParseRelease(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("a.b@v1", 0o777))
	for text, want := range map[string]bool{
		"example.com/vote@v1.0.0": true, "example.com/vote@latest": true, "example.com/vote@./fork": true, "m@v1": true,
		"example.com/vote": false, "example.com/vote@": false, "@v1": false, "a.b@v1": false, "../x@v1": false, "a b@v1": false,
	} {
		_, ok := bisect.ParseRelease(text)
		require.Equal(t, want, ok, text)
	}
}

func TestParseHosts(t *testing.T) {
	for text, message := range map[string]string{
		"":                    `"" is neither a directory nor path=directory`,
		"example.com/a=":      `"example.com/a=" is neither`,
		"=dir":                `"=dir" is neither`,
		"../x=dir":            `"../x=dir" is neither`,
		"one two":             "one and two are both for all modules",
		"m.x/a=one m.x/a=two": "one and two are both for m.x/a",
	} {
		fields := strings.Fields(text)
		if text == "" {
			fields = []string{""}
		}
		_, err := bisect.ParseHosts(fields)
		require.ErrorContains(t, err, message)
	}
	hosts, err := bisect.ParseHosts([]string{"example.com/a=one"})
	require.NoError(t, err)
	_, err = bisect.Releases(hosts, parse(t, "example.com/ab@v1.0.0"), "go run .")
	require.ErrorContains(t, err, "there is no directory for example.com/ab, only for example.com/a")
	for _, dir := range []string{"nowhere", "release_test.go"} {
		_, err = bisect.Releases(bisect.Hosts{{Dir: dir}}, parse(t, "example.com/ab@v1.0.0"), "go run .")
		require.ErrorContains(t, err, "looking for the host of example.com/ab: ")
	}
}
