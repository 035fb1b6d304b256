package bisect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/stretchr/testify/require"
)

// host is a program that serves two systems, vote and calm, without a library.
// Under the same faults the module example.com/vote elects one leader or, in some
// versions, two.
const host = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"example.com/vote"
)

type request struct {
	ID                   int
	Do, System, Schedule string
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		switch r.Do {
		case "hello":
			system := func(name string) string {
				return fmt.Sprintf(` + "`" + `{"name":%q,"processes":["a","b"],"rounds":3,"properties":[{"name":"one leader","judged":true}]}` + "`" + `, name)
			}
			fmt.Printf(` + "`" + `{"id":%d,"version":1,"systems":[%s,%s]}` + "`" + `+"\n", r.ID, system("vote"), system("calm"))
		case "run":
			leaders, violations := 1, "[]"
			if r.System == "vote" {
				leaders = vote.Leaders(r.Schedule)
			}
			if leaders > 1 {
				violations = ` + "`" + `[{"property":"one leader","fact":{"relation":"violation","args":[],"round":0},"text":"two leaders"}]` + "`" + `
			}
			schedule, _ := json.Marshal(r.Schedule)
			fact, message := "", ""
			for _, p := range []string{"a", "b"} { // one that has not crashed
				if !strings.Contains(r.Schedule, "crash "+p) {
					fact = fmt.Sprintf(` + "`" + `{"relation":"leaders","args":["%s",%d],"round":3}` + "`" + `, p, leaders)
					break
				}
			}
			if !strings.Contains(r.Schedule, "@1") {
				message = fmt.Sprintf(` + "`" + `{"from":"a","to":"b","round":1,"relation":"%s","args":["b"]}` + "`" + `, vote.Message)
			}
			fmt.Printf(` + "`" + `{"id":%d,"violations":%s,"execution":{"bounds":{"processes":["a","b"],"eot":3,"crashes":0,"omissions":0,"isolations":0,"period":1,"crash":"stop"},"schedule":%s,"facts":[%s],"messages":[%s]}}` + "`" + `+"\n", r.ID, violations, schedule, fact, message)
		}
	}
}
`

// The versions of the module.
const (
	sound    = "package vote\nconst Message = \"vote\"\nfunc Leaders(string) int { return 1 }\n"
	badA     = "package vote\nimport \"strings\"\nconst Message = \"vote\"\nfunc Leaders(faults string) int { return 1 + strings.Count(faults, \"crash a@\") }\n"
	badB     = "package vote\nimport \"strings\"\nconst Message = \"ballot\"\nfunc Leaders(faults string) int { return 1 + strings.Count(faults, \"crash b@\") }\n"
	unusable = "package vote\nfunc Leaders(int) int { return 1 }\n"
)

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
}

// oneCrash asks about systems in which one process may crash.
func oneCrash() bisect.Options {
	return bisect.Options{Question: &subject.System{Common: subject.Common{Bounds: map[string]string{"crashes": "1"}}, Executions: 100}}
}

// isolated keeps the go command from the network and from the user's settings.
func isolated(t *testing.T, proxy string) {
	t.Setenv("GOPROXY", proxy)
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOWORK", "")
}

// release puts a version of the module example.com/vote into the directory of a
// module proxy.
func release(t *testing.T, proxy, version, text string) {
	t.Helper()
	const gomod = "module example.com/vote\n\ngo 1.21\n"
	write(t, filepath.Join(proxy, "example.com_vote_"+version), map[string]string{
		"go.mod": gomod, ".mod": gomod, "vote.go": text, ".info": fmt.Sprintf(`{"Version":%q}`, version),
	})
}

// vote is these releases of the module.
func vote(versions ...string) (all []bisect.Release) {
	for _, v := range versions {
		all = append(all, bisect.Release{Path: "example.com/vote", Module: true, Version: v})
	}
	return all
}

// A module with releases: good, bad, one that the program does not build with,
// bad in another way, good, and one that does not exist. The program requires one
// of them, replaced by a directory that is not there; that stays as it is.
func TestReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	proxy := t.TempDir()
	for version, text := range map[string]string{
		"v1.0.0": sound, "v1.1.0": badA, "v1.2.0": unusable, "v1.3.0": badB, "v1.4.0": sound,
	} {
		release(t, proxy, version, text)
	}
	isolated(t, goproxytest.NewTestServer(t, proxy, "").URL)
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":  "module host\n\ngo 1.21\n\nrequire example.com/vote v1.1.0\n\nreplace example.com/vote => ./nowhere\n",
		"main.go": host,
	}
	write(t, dir, files)

	versions, err := bisect.Releases(bisect.Hosts{{Dir: dir}}, vote("v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0", "latest"), "go run .")
	require.NoError(t, err)
	o := oneCrash()
	var skipped []string
	o.Skipped = func(version, reason string) { skipped = append(skipped, version+": "+reason) }
	r := run(t, versions, o)
	golden(t, "releases.txt", reportText(r))
	require.Len(t, skipped, 1, "once, though there are two systems")
	require.Contains(t, skipped[0], "v1.2.0: go build: ./main.go:34:28: cannot use r.Schedule")
	require.NotContains(t, skipped[0], "\n")
	require.Contains(t, r.Matrices[0].Findings[2].Log, "\n./main.go:48:96: undefined: vote.Message")
	for name, text := range files {
		now, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, text, string(now))
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, len(files))

	o.Systems = []string{"vote"}
	versions, err = bisect.Releases(bisect.Hosts{{Dir: dir}}, vote("v1.0.0", "v1.9.0"), "go run .")
	require.NoError(t, err)
	m := run(t, versions, o).Matrices[0]
	require.Equal(t, bisect.NothingFound, m.Findings[0].State)
	require.Equal(t, bisect.Skipped, m.Findings[1].State)
	require.Contains(t, m.Findings[1].Reason, "example.com/vote@v1.9.0")

	write(t, dir, map[string]string{
		"go.mod":      "module host\n\ngo 1.21\n\nrequire example.com/vote v1.1.0\n\nreplace example.com/vote v1.1.0 => ./fork\n",
		"fork/go.mod": "module example.com/vote\n\ngo 1.21\n", "fork/vote.go": sound,
	})
	versions, err = bisect.Releases(bisect.Hosts{{Dir: dir}}, vote("v1.0.0", "v1.1.0"), "go run .")
	require.NoError(t, err)
	m = run(t, versions, o).Matrices[0]
	require.Equal(t, bisect.Violated, m.Findings[1].State, "it is the release that is searched, and not what replaces it")

	_, err = bisect.Releases(bisect.Hosts{{Dir: dir}}, vote("v1.0.0"), "./host")
	require.ErrorContains(t, err, "go run PACKAGE")
}

// In a Go workspace a program is built with the other modules of the workspace as
// they are there, whatever is published of them.
func TestReleasesInAWorkspace(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	proxy := t.TempDir()
	for version, text := range map[string]string{"v1.0.0": sound, "v1.1.0": badA} {
		release(t, proxy, version, text)
	}
	isolated(t, goproxytest.NewTestServer(t, proxy, "").URL)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.work":        "go 1.21\n\nuse (\n\t./host\n\t./beside\n)\n",
		"host/go.mod":    "module host\n\ngo 1.21\n\nrequire (\n\texample.com/vote v1.0.0\n\texample.com/beside v0.1.0\n)\n",
		"host/main.go":   host,
		"host/beside.go": "package main\n\nimport _ \"example.com/beside\"\n",
		"beside/go.mod":  "module example.com/beside\n\ngo 1.21\n",
		"beside/it.go":   "package beside\n",
	})
	versions, err := bisect.Releases(bisect.Hosts{{Dir: filepath.Join(dir, "host")}}, vote("v1.0.0", "v1.1.0"), "go run .")
	require.NoError(t, err)
	o := oneCrash()
	o.Systems = []string{"vote"}
	m := run(t, versions, o).Matrices[0]
	require.Equal(t, bisect.NothingFound, m.Findings[0].State)
	require.Equal(t, bisect.Violated, m.Findings[1].State)
}

// Directories with the same system: the second has a mistake. The program is
// built elsewhere, and known by what it is.
func TestDirectoriesOfASystem(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	isolated(t, "off")
	dir := t.TempDir()
	for version, text := range map[string]string{"1": badA, "2": unusable, "3": sound, "4": sound} {
		write(t, filepath.Join(dir, version), map[string]string{
			"go.mod":  "module host\n\ngo 1.21\n\nrequire example.com/vote v1.0.0\n\nreplace example.com/vote => ./vote\n",
			"main.go": host, "vote/go.mod": "module example.com/vote\n\ngo 1.21\n", "vote/vote.go": text,
		})
	}
	t.Chdir(dir)
	versions, err := bisect.Paths([]string{"1", "2", "3", "4"}, nil, "go run -ldflags=-s .")
	require.NoError(t, err)
	o := oneCrash()
	o.Systems = []string{"vote", "nobody"}
	o.Cache = subject.NewCache(t.TempDir(), "test")
	r, err := bisect.Run(t.Context(), versions, o)
	require.ErrorContains(t, err, `no version can be searched; of 1: the host has no system "nobody", only: vote, calm`)
	require.Nil(t, r)
	o.Systems = o.Systems[:1]
	golden(t, "directories.txt", reportText(run(t, versions, o)))
	m := run(t, versions, o).Matrices[0]
	require.True(t, m.Findings[0].Cached)
	require.True(t, m.Findings[2].Cached)
}

// A schedule that another version's search found breaks a version in which the
// search of its own met none: the version is violated, and it is said why.
func TestReplayFindsWhatASearchMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	isolated(t, "off")
	dir := t.TempDir()
	rare := "package vote\nconst Message = \"vote\"\nfunc Leaders(faults string) int {\n\tif faults == \"crash a@1\" {\n\t\treturn 2\n\t}\n\treturn 1\n}\n"
	for version, text := range map[string]string{"1": sound, "2": rare, "3": badA, "4": rare} {
		write(t, filepath.Join(dir, version), map[string]string{
			"go.mod":  "module host\n\ngo 1.21\n\nrequire example.com/vote v1.0.0\n\nreplace example.com/vote => ./vote\n",
			"main.go": host, "vote/go.mod": "module example.com/vote\n\ngo 1.21\n", "vote/vote.go": text,
		})
	}
	t.Chdir(dir)
	versions, err := bisect.Paths([]string{"1", "2", "3", "4"}, nil, "go run .")
	require.NoError(t, err)
	o := oneCrash()
	o.Systems = []string{"vote"}
	golden(t, "replayed.txt", reportText(run(t, versions, o)))
}

// A host that is no Go program is started in each directory. Nothing is kept of
// it, because nobody knows what it depends on.
func TestAnyHost(t *testing.T) {
	dir := t.TempDir()
	for _, version := range []string{"1", "2"} {
		write(t, filepath.Join(dir, version), map[string]string{"host": "echo no protocol here >&2; exit 1"})
	}
	t.Chdir(dir)
	versions, err := bisect.Paths([]string{"1", "2"}, nil, "sh host")
	require.NoError(t, err)
	_, err = bisect.Run(t.Context(), versions, oneCrash())
	require.ErrorContains(t, err, "of 1: starting the host of the system (sh host): ")
	require.ErrorContains(t, err, "no protocol here")
}
