package bisect_test

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// repository is a git repository of a test.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	gitAlone(t)
	r := &repository{t, dir}
	r.git("init", "--quiet", "--initial-branch=main", "--object-format=sha1", "--template=")
	r.git("config", "user.name", "Test")
	r.git("config", "user.email", "test@example.com")
	return r
}

// gitAlone keeps git from the settings of the user.
func gitAlone(t *testing.T) {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z")
	t.Setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} { // of a hook that runs the tests
		t.Setenv(name, "")
		require.NoError(t, os.Unsetenv(name))
	}
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "git %s: %s", args, out)
	return strings.TrimSpace(string(out))
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	require.NoError(r.t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(r.t, os.WriteFile(file, []byte(text), 0o666))
}

func (r *repository) commit(title string) {
	r.t.Helper()
	r.git("add", "--all")
	r.git("commit", "--quiet", "--message", title)
}

// content is every file of the checkout and of what git keeps, with its text and
// the time when it was changed.
func (r *repository) content() map[string]string {
	r.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = info.Mode().String() + " " + info.ModTime().String() + "\n" + string(text)
		return err
	})
	require.NoError(r.t, err)
	return all
}

// story is a repository with a history of a protocol that includes a file which changes:
// good, bad, not readable, good. It is committed once, and each test has a copy.
func story(t *testing.T) *repository {
	t.Helper()
	r := newRepository(t)
	told := filepath.Join(shared, "story")
	if _, err := os.Stat(told); err != nil {
		r.tell()
		require.NoError(t, os.CopyFS(told, os.DirFS(r.dir)))
		return r
	}
	require.NoError(t, os.RemoveAll(filepath.Join(r.dir, ".git")))
	require.NoError(t, os.CopyFS(r.dir, os.DirFS(told)))
	return r
}

// shared is a directory for what tests share.
var shared string

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "ldfi-bisect-test-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(shared)
	os.Exit(code)
}

// tell commits that history.
func (r *repository) tell() {
	before, rule, _ := strings.Cut(resends, "value(C, V)@async")
	r.write("protocols/lib/common.ded", before)
	r.write("protocols/send.ded", "include \"lib/common.ded\";\nvalue(C, V)@async"+rule)
	r.write("protocols/.gitattributes", "lib export-ignore\n*.ded text\n")
	r.commit("send again and again")
	r.git("tag", "v1")
	r.write("README", "nothing about protocols")
	r.commit("readme")
	r.write("protocols/send.ded", "include \"lib/common.ded\";\n"+strings.TrimPrefix(sendsOnce, common))
	r.commit("save messages")
	r.git("tag", "v2")
	r.write("protocols/lib/common.ded", before+"post(V) :-")
	r.commit("work in progress")
	r.git("rm", "--quiet", "-r", "protocols")
	r.commit("remove it")
	r.write("protocols/lib/common.ded", before)
	r.write("protocols/send.ded", "include \"lib/common.ded\";\n"+strings.TrimPrefix(sendsTwoWays, common))
	r.commit("send two ways")
	r.git("tag", "v3")
}

func open(t *testing.T, dir string) *bisect.Repository {
	t.Helper()
	repository, err := bisect.OpenRepository(t.Context(), dir)
	require.NoError(t, err)
	return repository
}

// Revisions are searched with what they include, and the checkout is left as it
// is, with all that is not committed: changed files, an index, files that git
// does not know, and hooks that would run.
func TestRevisionsOfADirtyCheckout(t *testing.T) {
	r := story(t)
	r.write("protocols/send.ded", "this is being written")
	r.write("protocols/lib/common.ded", "this is staged")
	r.git("add", "protocols/lib/common.ded")
	r.write("protocols/lib/common.ded", "and was changed since")
	r.write("untracked", "by git")
	for _, hook := range []string{"post-checkout", "post-index-change"} {
		r.write(".git/hooks/"+hook, "#!/bin/sh\ntouch hook-ran\n")
		require.NoError(t, os.Chmod(filepath.Join(r.dir, ".git/hooks", hook), 0o777))
	}
	before := r.content()

	repository := open(t, filepath.Join(r.dir, "protocols"))
	commits, err := repository.Range(t.Context(), "v1..main")
	require.NoError(t, err)
	versions, err := repository.Revisions(commits, []string{"send.ded"}, "")
	require.NoError(t, err)
	report := run(t, versions, bisect.Options{})
	golden(t, "revisions.txt", reportText(report))
	require.Equal(t, before, r.content())
}

// In a report about revisions the command that executes the fault set of one checks it out
// before, and executed as it stands it breaks the promise.
func TestRevisionsAreReplayed(t *testing.T) {
	r := story(t)
	dir := filepath.Join(r.dir, "protocols")
	repository := open(t, dir)
	commits, err := repository.Named(t.Context(), []string{"v1", "v2", "v3"})
	require.NoError(t, err)
	versions, err := repository.Revisions(commits, []string{"send.ded"}, "")
	require.NoError(t, err)
	report := run(t, versions, bisect.Options{Pages: true})
	landing, err := report.Landing("bisect", "ldfi bisect")
	require.NoError(t, err)
	var page bytes.Buffer
	require.NoError(t, landing.Write(&page))
	found := regexp.MustCompile(`<td><p class="command"><code>([^<]*)</code>`).FindAllStringSubmatch(page.String(), -1)
	require.Len(t, found, 1)
	words, err := text.ShellSplit(html.UnescapeString(found[0][1]))
	require.NoError(t, err)
	require.Equal(t, []string{"git", "checkout", "v2", "&&", "ldfi", "inject", "send.ded", "--faults"}, words[:8])
	r.git("checkout", "--quiet", "v2")
	about := &subject.Protocol{Common: subject.Common{Named: true}, Files: []string{filepath.Join(dir, words[6])}}
	o, err := about.Open(t.Context())
	require.NoError(t, err)
	defer o.Close()
	schedule, err := rounds.ParseSchedule(words[8])
	require.NoError(t, err)
	in, err := o.Replay(t.Context(), schedule)
	require.NoError(t, err)
	require.Equal(t, result.Violated, in.Verdict)
}

// Revisions have the names that the user gives them.
func TestNamedRevisions(t *testing.T) {
	r := story(t)
	repository := open(t, r.dir)
	commits, err := repository.Named(t.Context(), []string{"v1", "v2", "HEAD"})
	require.NoError(t, err)
	_, err = repository.Named(t.Context(), []string{"v1", "v2", "v1~0"})
	require.EqualError(t, err, "v1 and v1~0 are one commit: bisect compares versions that differ")
	versions, err := repository.Revisions(commits, []string{filepath.Join(r.dir, "protocols", "send.ded")}, "")
	require.NoError(t, err)
	m := run(t, versions, bisect.Options{}).Matrices[0]
	var states []string
	for _, f := range m.Findings {
		states = append(states, f.Version+" "+string(f.State))
	}
	require.Equal(t, []string{"v1 holds", "v2 violated", "HEAD holds"}, states)
}

// A system is built in each revision, from the directory that the user is in.
func TestRevisionsOfASystem(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	isolated(t, "off")
	r := newRepository(t)
	r.write("cmd/go.mod", "module host\n\ngo 1.21\n\nrequire example.com/vote v1.0.0\n\nreplace example.com/vote => ../vote\n")
	r.write("cmd/main.go", host)
	r.write("vote/go.mod", "module example.com/vote\n\ngo 1.21\n")
	for _, c := range []struct{ title, text string }{{"sound", sound}, {"faster", badA}, {"typo", unusable}, {"sound again", sound}} {
		r.write("vote/vote.go", c.text)
		r.commit(c.title)
	}
	r.git("mv", "cmd", "host")
	r.commit("rename")
	r.write("cmd/notes", "the directory is still there in the checkout")
	before := r.content()

	repository := open(t, filepath.Join(r.dir, "cmd"))
	commits, err := repository.Range(t.Context(), "HEAD~4..HEAD")
	require.NoError(t, err)
	kept := []int{0, 2, 3, 4}
	versions, err := repository.Revisions(few(commits, kept...), nil, "go run .")
	require.NoError(t, err)
	m := run(t, versions, onlyVote()).Matrices[0]
	var states []string
	for _, f := range m.Findings {
		states = append(states, f.Note+": "+string(f.State))
	}
	require.Equal(t, few([]string{"sound: none found", "faster: violated", "typo: skipped", "sound again: none found", "rename: skipped"}, kept...), states)
	typo, again, gone := m.Findings[len(states)-3], m.Findings[len(states)-2], m.Findings[len(states)-1]
	require.Contains(t, typo.Reason, "go build: ./main.go:")
	require.Equal(t, m.Findings[0].Version, again.Same, "the same program, built from another revision")
	require.Contains(t, gone.Reason, "there is no directory cmd/ in it")
	require.Equal(t, before, r.content())
}

// hostedTest is a test that is the host which the program is.
const hostedTest = `package main

import (
	"net"
	"os"
	"testing"
)

func TestHosted(t *testing.T) {
	if _, err := os.Stat("main.go"); err != nil {
		t.Fatal(err) // a test runs where its package is
	}
	door, err := net.Dial("unix", os.Getenv("LDFI_HOST"))
	if err != nil {
		t.Fatal(err)
	}
	socket, err := door.(*net.UnixConn).File()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdin, os.Stdout = socket, socket
	main()
}
`

// A test that is a host is built in each revision, too.
func TestRevisionsOfATest(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	isolated(t, "off")
	r := newRepository(t)
	r.write("go.mod", "module host\n\ngo 1.21\n\nrequire example.com/vote v1.0.0\n\nreplace example.com/vote => ./vote\n")
	r.write("cmd/main.go", host)
	r.write("cmd/main_test.go", hostedTest)
	r.write("vote/go.mod", "module example.com/vote\n\ngo 1.21\n")
	for _, c := range []struct{ title, text string }{{"sound", sound}, {"faster", badA}, {"typo", unusable}} {
		r.write("vote/vote.go", c.text)
		r.commit(c.title)
	}
	repository := open(t, r.dir)
	commits, err := repository.Range(t.Context(), "HEAD~2..HEAD")
	require.NoError(t, err)
	versions, err := repository.Revisions(few(commits, 1, 2), nil, "go test ./cmd -run Hosted -v")
	require.NoError(t, err)
	var states []string
	for _, f := range run(t, versions, onlyVote()).Matrices[0].Findings {
		states = append(states, f.Note+": "+string(f.State))
	}
	require.Equal(t, few([]string{"sound: none found", "faster: violated", "typo: skipped"}, 1, 2), states)
}

func TestWrongRevisions(t *testing.T) {
	r := story(t)
	repository := open(t, r.dir)
	for text, message := range map[string]string{
		"v1":         `"v1" is no range of revisions`,
		"v1...v2":    `"v1...v2" is no range of revisions`,
		"..v2":       `"..v2" is no range of revisions`,
		"v1..v9":     `there is no revision "v9"`,
		"--all..v2":  `"--all" is no revision`,
		"v2..v1":     "no commit comes after v2 on the way to v1",
		"main..main": "no commit comes after main",
	} {
		_, err := repository.Range(t.Context(), text)
		require.ErrorContains(t, err, message)
	}
	_, err := repository.Revisions(nil, []string{"../elsewhere.ded"}, "")
	require.ErrorContains(t, err, "../elsewhere.ded lies outside the repository")
	_, err = bisect.OpenRepository(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "not a git repository")
}
