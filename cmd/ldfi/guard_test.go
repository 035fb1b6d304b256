package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// guardDir has a file for each folder of testdata/protocols, one for the suites, and one for
// the example systems.
const guardDir = "testdata/guard"

// guardHeader says what a file is, to those who find it in a diff.
const guardHeader = `# Verdicts, smallest sizes, fault sets and counts that ldfi finds for what is in
# testdata and for the example systems. Written by
#
#     go test ./cmd/ldfi -run TestGuard -update
#
# A change of a file here is a change of an answer: read it before you commit it.
# A paragraph is one command line and its answer. A line below "sets" is a fault
# set: its size, its faults, and how many facts it breaks and which; of many only
# the first are written, and a checksum of all. Sets of one size are sorted, as
# their order is the choice of a solver.
`

// TestGuard asks everything again that testdata/guard has answers to, and
// compares them byte for byte. With -update it writes the answers. Of the runs and of the
// protocols it asks one in ten, if neither -long nor -update is set.
func TestGuard(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := filepath.Join(root, guardDir)
	g := &guard{t: t, files: map[string]*guardFile{}, seen: map[string]bool{}}
	g.enter(root)

	g.runs()
	g.hypotheses()
	g.assumptions()
	g.suites()
	g.systems()

	if *update {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.Mkdir(dir, 0o755))
		for name, file := range g.files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".txt"), []byte(guardHeader+file.text.String()), 0o644))
		}
		return
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		require.Contains(t, g.files, name, "%s is about nothing that is asked", file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		g.compare(name, string(text))
	}
	require.Len(t, files, len(g.files), "a file of %s is missing: %v", guardDir, slices.Sorted(maps.Keys(g.files)))
}

// guard collects answers.
type guard struct {
	t       *testing.T
	files   map[string]*guardFile // by their names, without .txt
	section string                // what is asked now
	seen    map[string]bool       // the titles of the paragraphs
}

// guardFile collects the answers about one folder.
type guardFile struct {
	text    strings.Builder
	section string   // that of the last paragraph
	rest    []string // titles of what is left out, as one in so many is asked
}

// about returns the file that a command line belongs to.
func (g *guard) about(args []string) *guardFile {
	name := "suites"
	if args[0] != "check" {
		name = "systems"
		for _, arg := range args {
			if path, ok := strings.CutPrefix(arg, "testdata/protocols/"); ok {
				name, _, _ = strings.Cut(path, "/")
			}
		}
	}
	if g.files[name] == nil {
		g.files[name] = &guardFile{}
	}
	return g.files[name]
}

// enter goes to a copy of the suites and protocols in the repository: a case
// that is suddenly violated writes a schedule beside its suite.
func (g *guard) enter(root string) {
	dir := g.t.TempDir()
	suite, err := os.ReadFile(filepath.Join(root, "ldfi.yaml"))
	require.NoError(g.t, err)
	require.NoError(g.t, os.WriteFile(filepath.Join(dir, "ldfi.yaml"), suite, 0o644))
	require.NoError(g.t, os.CopyFS(filepath.Join(dir, "testdata"), os.DirFS(filepath.Join(root, "testdata"))))
	g.t.Chdir(dir)
}

// runs decides every line of the file of expected verdicts, and lists all
// minimal fault sets.
func (g *guard) runs() {
	g.section = "Runs: the programs and bounds of testdata/protocols/expected.txt."
	all, err := oracle.ReadExpected("testdata/protocols/expected.txt")
	require.NoError(g.t, err)
	require.NotEmpty(g.t, all)
	for i, e := range all {
		args := []string{"run", e.Path, "--max", "1000"}
		for _, key := range slices.Sorted(maps.Keys(e.Overrides)) {
			args = append(args, "--"+key, e.Overrides[key])
		}
		g.sample(i, runAnswer, args...)
	}
}

// hypotheses lists the fault sets of every protocol within its own bounds. Some
// have so many sets that it takes seconds: here they have fewer faults.
func (g *guard) hypotheses() {
	g.section = "Hypotheses: every protocol within its own bounds, but with fewer faults where there are very many sets."
	fewer := map[string][]string{
		"testdata/protocols/replog/buggy.ded":             {"--isolations", "2"},
		"testdata/protocols/catalogue/zookeeper_3875.ded": {"--isolations", "3"},
		"testdata/protocols/catalogue/zookeeper_335.ded":  {"--crashes", "2", "--restarts", "2"},
	}
	programs, err := filepath.Glob("testdata/protocols/*/*.ded")
	require.NoError(g.t, err)
	for i, program := range programs {
		if filepath.Base(filepath.Dir(program)) != "lib" { // those are parts of programs
			g.sample(i, hypothesesAnswer, append([]string{"hypotheses", program, "--max", "1000"}, fewer[program]...)...)
		}
	}
}

// assumptions lists fault sets under assumptions, some of which conflict.
func (g *guard) assumptions() {
	g.section = "Hypotheses under assumptions."
	for _, assumed := range [][]string{
		{"delivery/retry.ded", "--forbid", "crash a@2"},
		{"delivery/retry.ded", "--require", "omit *>c"},
		{"delivery/retry.ded", "--require", `post(c, "hello")@6`},
		{"delivery/classic.ded", "--require", "omit b>c@2"},
		{"delivery/classic.ded", "--forbid", "omit a>b", "--forbid", "omit c>b"},
		{"delivery/simple.ded", "--forbid", "crash a", "--forbid", "omit a>b@1"},
		{"commit/2pc.ded", "--require", "crash tm", "--forbid", "omit *>*"},
		{"commit/3pc.ded", "--require", "crash tm", "--forbid", "crash r1"},
		{"replication/kafka_isr.ded", "--require", "crash a@6"},
		{"traps/reachability.ded", "--crashes", "3", "--omissions", "0", "--require", "crash b@1"},
		// The promise holds already under the assumption in conflict.
		{"delivery/retry.ded", "--forbid", "omit a>*", "--forbid", "crash a", "--forbid", "crash b"},
		{"delivery/ack.ded", "--require", "crash a"},
		// No schedule meets them.
		{"delivery/retry.ded", "--require", "crash a", "--require", "omit a>b@5"},
		{"delivery/retry.ded", "--require", "crash a", "--require", "crash b"},
		{"delivery/retry.ded", "--require", "crash a@2", "--forbid", "crash a"},
	} {
		program := "testdata/protocols/" + assumed[0]
		g.ask(hypothesesAnswer, slices.Concat([]string{"hypotheses", program, "--max", "1000"}, assumed[1:])...)
	}
}

// suites checks the suite of this repository and those in testdata.
func (g *guard) suites() {
	g.section = "Suites."
	files, err := filepath.Glob("testdata/suites/*/ldfi.yaml")
	require.NoError(g.t, err)
	require.NotEmpty(g.t, files)
	for _, file := range append([]string{"ldfi.yaml"}, files...) {
		g.ask(suiteAnswer, "check", file, "--no-cache")
	}
}

// systems searches the example systems. They are small enough for a verdict on
// all schedules, which two strategies find in different ways. The third search is
// with the strategy that is chosen for the system.
func (g *guard) systems() {
	g.section = "Systems: those of examples, which the host of this test has."
	for _, searched := range [][]string{
		{"replog-buggy", "--isolations", "2", "--period", "4"},
		{"replog-fixed", "--isolations", "unlimited", "--period", "4"},
		{"cassandra-6023", "--isolations", "3", "--period", "6"},
		{"cassandra-fixed", "--isolations", "unlimited", "--period", "6"},
		{"election-buggy", "--isolations", "1", "--period", "2"},
		{"election", "--isolations", "2", "--period", "2", "--eff", "3"},
		{"election", "--isolations", "1", "--period", "2", "--crashes", "1"},
	} {
		for _, strategy := range [][]string{{"--strategy", "exhaustive"}, {"--strategy", "learn"}, nil} {
			g.ask(systemAnswer, slices.Concat([]string{"run", "--system", "examples-host", "--name"}, searched, strategy)...)
		}
	}
}

// sample asks the fourth question of each twenty, unless all are to be asked.
func (g *guard) sample(i int, read func(*testing.T, []byte) string, args ...string) {
	g.t.Helper()
	if i%20 == 3 || *everything || *update {
		g.ask(read, args...)
		return
	}
	file := g.about(args)
	file.rest = append(file.rest, g.title(args))
}

// title writes a command line. There is one answer to each.
func (g *guard) title(args []string) string {
	title := "ldfi"
	for _, word := range args {
		if strings.ContainsAny(word, " *>") {
			word = "'" + word + "'"
		}
		title += " " + word
	}
	require.False(g.t, g.seen[title], "%s is asked twice", title)
	g.seen[title] = true
	return title
}

// ask carries out a command line and writes down what it answers.
func (g *guard) ask(read func(*testing.T, []byte) string, args ...string) {
	g.t.Helper()
	title, file := g.title(args), g.about(args)
	if file.section != g.section {
		fmt.Fprintf(&file.text, "\n# %s\n", g.section)
		file.section = g.section
	}
	var out, stderr bytes.Buffer
	args = append(args, "--output", "json")
	code := run(g.t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &stderr})
	require.NoError(g.t, checkJSON(args, out.Bytes()), title)
	require.NotEqual(g.t, exitUsage, code, "%s: %s", title, stderr.String())
	fmt.Fprintf(&file.text, "\n%s\n  exit      %d\n%s", title, code, read(g.t, out.Bytes()))
}

// compare compares a file paragraph by paragraph, so that a failure shows only what has
// changed, and then everything. Answers to what was left out have to be there.
func (g *guard) compare(name, want string) {
	file := g.files[name]
	got := guardHeader + file.text.String()
	before, after := paragraphs(want), paragraphs(got)
	for _, title := range file.rest {
		assert.Contains(g.t, before, title, "%s.txt lacks a question", name)
		delete(before, title)
	}
	for _, title := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(title, "# ") {
			continue // the title of a section, of which nothing may be asked now
		}
		assert.Equal(g.t, before[title], after[title], title)
		delete(after, title)
	}
	for _, title := range slices.Sorted(maps.Keys(after)) {
		assert.True(g.t, strings.HasPrefix(title, "# "), "%s.txt lacks a question: %s", name, title)
	}
	require.True(g.t, len(file.rest) > 0 && !g.t.Failed() || want == got, "%s.txt is not what is found now: run go test ./cmd/ldfi -run TestGuard -update and read the difference", name)
}

// paragraphs splits a file of the guard by its empty lines. The keys are the first lines.
func paragraphs(text string) map[string]string {
	all := map[string]string{}
	for _, paragraph := range strings.Split(text, "\n\n") {
		title, rest, _ := strings.Cut(paragraph, "\n")
		all[title] = strings.TrimSuffix(rest, "\n")
	}
	return all
}
