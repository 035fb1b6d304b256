package bisect_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	rare     = "package vote\nconst Message = \"vote\"\nfunc Leaders(faults string) int {\n\tif faults == \"crash a@1\" {\n\t\treturn 2\n\t}\n\treturn 1\n}\n"
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

// few are those of some versions that are built without -long: most of the time that the
// tests of this package take is that of building.
func few[V any](all []V, kept ...int) (some []V) {
	if *long {
		return all
	}
	for _, i := range kept {
		some = append(some, all[i])
	}
	return some
}

// inDirectories writes versions of a system into directories, and goes there. With -long each
// is built; else one program is built that is all of them, and what "go run" would build
// of a directory is a script that says which of them it is.
func inDirectories(t *testing.T, main string, votes map[string]string) []bisect.Version {
	t.Helper()
	isolated(t, "off")
	dir := t.TempDir()
	t.Chdir(dir)
	names := slices.Sorted(maps.Keys(votes))
	for _, version := range names {
		write(t, filepath.Join(dir, version), map[string]string{
			"go.mod":  "module host\n\ngo 1.21\n\nrequire example.com/vote v1.0.0\n\nreplace example.com/vote => ./vote\n",
			"main.go": main, "vote/go.mod": "module example.com/vote\n\ngo 1.21\n", "vote/vote.go": votes[version],
		})
	}
	if !*long {
		buildOnce(t, main, names, votes)
	}
	versions, err := bisect.Paths(names, nil, "go run .")
	require.NoError(t, err)
	return versions
}

// buildOnce builds one program that is each of some versions, as its argument says, and puts
// a go command into PATH that takes it for what it would build of their directories.
func buildOnce(t *testing.T, main string, names []string, votes map[string]string) {
	t.Helper()
	all := t.TempDir()
	files := map[string]string{
		"go.mod": "module host\n\ngo 1.21\n\nrequire example.com/vote v1.0.0\n\nreplace example.com/vote => ./vote\n", "main.go": main, "vote/go.mod": "module example.com/vote\n\ngo 1.21\n",
	}
	var messages, leaders strings.Builder
	for i, version := range names {
		kind := slices.IndexFunc(names, func(name string) bool { return votes[name] == votes[version] })
		write(t, version, map[string]string{"kind": fmt.Sprint(kind)})
		if kind == i {
			files[fmt.Sprintf("vote/vote%d.go", i)] = strings.NewReplacer("Message", fmt.Sprint("message", i), "Leaders", fmt.Sprint("leaders", i)).Replace(votes[version])
			fmt.Fprintf(&messages, "%q: message%d, ", fmt.Sprint(i), i)
			fmt.Fprintf(&leaders, "%q: leaders%d, ", fmt.Sprint(i), i)
		}
	}
	files["vote/vote.go"] = fmt.Sprintf("package vote\n\nimport \"os\"\n\nvar Message = map[string]string{%s}[os.Args[1]]\n\nvar Leaders = map[string]func(string) int{%s}[os.Args[1]]\n", &messages, &leaders)
	write(t, all, files)
	program := filepath.Join(all, "program")
	c := exec.Command("go", "build", "-o", program, ".")
	c.Dir = all
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	bin := t.TempDir()
	stand := "#!/bin/sh\n[ $1 = list ] && exit\n[ $1 = build ] || exit 1\nwhile [ $1 != -o ]; do shift; done\nprintf '#!/bin/sh\\nexec " + program + " %s\\n' $(cat kind) >$2\nchmod 700 $2\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(stand), 0o700))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
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

	versions, err := bisect.Releases(bisect.Hosts{{Dir: dir}}, few(vote("v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0", "latest"), 1, 2, 4), "go run .")
	require.NoError(t, err)
	o := oneCrash()
	var told []string
	o.Skipped = func(version, reason string) { told = append(told, version+": "+reason) }
	r := run(t, versions, o)
	if *long {
		golden(t, "releases.txt", reportText(r))
	}
	require.Equal(t, few([]string{"v1.0.0 none found", "v1.1.0 violated", "v1.2.0 skipped", "v1.3.0 violated", "latest none found"}, 1, 2, 4), states(r))
	require.Len(t, told, 1, "once, though there are two systems")
	require.Contains(t, told[0], "v1.2.0: go build: ./main.go:34:28: cannot use r.Schedule")
	require.NotContains(t, told[0], "\n")
	require.Contains(t, skipped(r)[0].Log, "\n./main.go:48:96: undefined: vote.Message")
	for name, text := range files {
		now, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, text, string(now))
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, len(files))

	_, err = bisect.Releases(bisect.Hosts{{Dir: dir}}, vote("v1.0.0"), "./host")
	require.ErrorContains(t, err, "go run PACKAGE")
}

// A release that does not exist is skipped, and one that the module of the program replaces
// is the release all the same.
func TestReleasesThatAreNotThere(t *testing.T) {
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
		"go.mod":      "module host\n\ngo 1.21\n\nrequire example.com/vote v1.1.0\n\nreplace example.com/vote v1.1.0 => ./fork\n",
		"main.go":     host,
		"fork/go.mod": "module example.com/vote\n\ngo 1.21\n", "fork/vote.go": sound,
	})
	versions, err := bisect.Releases(bisect.Hosts{{Dir: dir}}, few(vote("v1.0.0", "v1.1.0", "v1.9.0"), 1, 2), "go run .")
	require.NoError(t, err)
	r := run(t, versions, onlyVote())
	require.Equal(t, few([]string{"v1.0.0 none found", "v1.1.0 violated", "v1.9.0 skipped"}, 1, 2), states(r), "it is the release that is searched, and not what replaces it")
	require.Contains(t, skipped(r)[0].Reason, "example.com/vote@v1.9.0")
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
	versions, err := bisect.Releases(bisect.Hosts{{Dir: filepath.Join(dir, "host")}}, few(vote("v1.0.0", "v1.1.0", "v1.9.0"), 1, 2), "go run .")
	require.NoError(t, err)
	require.Equal(t, few([]string{"v1.0.0 none found", "v1.1.0 violated", "v1.9.0 skipped"}, 1, 2), states(run(t, versions, onlyVote())))
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
	o := onlyVote()
	o.Cache = subject.NewCache(t.TempDir(), "test")
	golden(t, "directories.txt", reportText(run(t, versions, o)))
	if !*long {
		return
	}
	m := run(t, versions, o).Matrices[0]
	require.True(t, m.Findings[0].Cached)
	require.True(t, m.Findings[2].Cached)
}

// What is known of a program is not searched again, and where no version has the system that
// is named, there is nothing to report.
func TestProgramsAreKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	versions := inDirectories(t, host, map[string]string{"1": badA, "2": sound})
	o := oneCrash()
	o.Systems = []string{"vote", "nobody"}
	r, err := bisect.Run(t.Context(), versions, o)
	require.ErrorContains(t, err, `no version can be searched; of 1: the host has no system "nobody", only: vote, calm`)
	require.Nil(t, r)
	o = onlyVote()
	o.Cache = subject.NewCache(t.TempDir(), "test")
	for _, cached := range []bool{false, true} {
		m := run(t, versions, o).Matrices[0]
		require.Equal(t, []bisect.State{bisect.Violated, bisect.NothingFound}, []bisect.State{m.Findings[0].State, m.Findings[1].State})
		require.Equal(t, cached, m.Findings[0].Cached)
		require.Equal(t, cached, m.Findings[1].Cached)
	}
}

// A schedule that another version's search found breaks a version in which the
// search of its own met none: the version is violated, and it is said why.
func TestReplayFindsWhatASearchMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	versions := inDirectories(t, host, map[string]string{"1": sound, "2": rare, "3": badA, "4": rare})
	golden(t, "replayed.txt", reportText(run(t, versions, onlyVote())))
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
