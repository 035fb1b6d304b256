package ldfitest_test

import (
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// TestTarget is what the other tests run in a process of its own, because it
// fails there.
func TestTarget(t *testing.T) {
	targets := map[string]*system.System{"buggy": election.Buggy(), "fixed": election.Fixed(), "empty": {}, "panics": lonely(), "changing": changing(), "never crashing": neverCrashing(), "exits": exiting(true), "only exits": exiting(false), "hostile": hostile(), "sleepers": sleepers(false), "light sleepers": sleepers(true), "lucky": systems.Lucky("lucky", 14), "never": systems.Lucky("never", 0), "warned": warned(election.Fixed()), "warned buggy": warned(election.Buggy())}
	target := os.Getenv("TARGET")
	if story, ok := optionStories[target]; ok {
		ldfitest.Run(t, story.system, story.options...)
		return
	}
	if options, ok := failureStories[target]; ok {
		ldfitest.Run(t, beats(), append(options, ldfitest.Isolations(1, 50), ldfitest.Executions(300))...)
		return
	}
	s := targets[target]
	if s == nil {
		t.Skip("run by the other tests")
	}
	if known := os.Getenv("KNOWN"); known != "" {
		ldfitest.Run(t, s, ldfitest.Isolations(1, 2), ldfitest.HealedFrom(5), ldfitest.Known(filepath.SplitList(known)...))
		return
	}
	if target == "lucky" || target == "never" {
		ldfitest.Run(t, s)
		return
	}
	ldfitest.Run(t, s, ldfitest.Isolations(1, 2), ldfitest.HealedFrom(5))
}

// warned is a system with something to say.
func warned(s *system.System) *system.System {
	s.Warnings = func([]system.Process) []string {
		return []string{"somebody listens at the wrong door"}
	}
	return s
}

// What a system says about an execution without faults is told, whatever is found.
func TestWarnings(t *testing.T) {
	for _, target := range []string{"warned", "warned buggy"} {
		out, err := goTest(t, t.TempDir(), target)
		require.Equal(t, target == "warned", err == nil)
		require.Contains(t, out, "warning: somebody listens at the wrong door", target)
	}
}

// goTest runs TestTarget in a directory and returns what it prints.
func goTest(t *testing.T, dir, target string, flags ...string) (string, error) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, append([]string{"-test.v", "-test.run", "^TestTarget$"}, flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TARGET="+target)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

const (
	file    = "testdata/ldfi/TestTarget/one_leader_per_term.txt"
	command = "go test -run '^TestTarget$/^one_leader_per_term$' github.com/lineage-driven/ldfi/ldfi/ldfitest"
	kept    = `# election-buggy breaks its property one leader per term:
# violation(2, a, c)
# ` + command + `
isolate c@3..4
`
)

// A bug is found, kept, and found again at once until it is fixed.
func TestTheLifeOfABug(t *testing.T) {
	dir := t.TempDir()

	out, err := goTest(t, dir, "buggy")
	require.Error(t, err)
	require.Contains(t, out, "violated  one leader per term: violation(2, a, c)")
	require.Contains(t, out, "faults  isolate c@3..4   (1 fault, minimal)")
	require.Contains(t, out, "found   by exhaustive, in execution 1, with seed 0")
	require.Contains(t, out, "kept    "+file)
	require.Contains(t, out, "again   "+command)
	require.Contains(t, out, "lost: isolate c@3..4")
	require.Contains(t, out, "--- PASS: TestTarget/leader_after_round_4")
	text, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	require.Equal(t, kept, string(text))

	out, err = goTest(t, dir, "buggy", "-test.artifacts", "-test.outputdir", dir)
	require.Error(t, err)
	require.Contains(t, out, "found   by the schedule that is kept")
	recordings, err := filepath.Glob(filepath.Join(dir, "_artifacts", "*", "recording.jsonl"))
	require.NoError(t, err)
	if len(recordings) == 0 { // further down with other versions of Go
		recordings, err = filepath.Glob(filepath.Join(dir, "_artifacts", "*", "*", "*", "recording.jsonl"))
		require.NoError(t, err)
	}
	require.Len(t, recordings, 1)
	require.Contains(t, out, recordings[0])
	page, err := os.ReadFile(filepath.Join(filepath.Dir(recordings[0]), "report.html"))
	require.NoError(t, err)
	for _, shown := range []string{"violation(2, a, c)", "isolate c@3..4", html.EscapeString(command), `"executions":[{"schedule":"",`} {
		require.Contains(t, string(page), shown)
	}

	out, err = goTest(t, dir, "fixed")
	require.NoError(t, err, out)
	require.Contains(t, out, file+" violates nothing any more")
	require.Contains(t, out, "holds (exhaustive)")
	require.FileExists(t, filepath.Join(dir, file))
}

// A second bug of the same property is kept beside the first.
func TestKeptSchedulesAddUp(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte("# of another bug\n\nisolate a@6\n"), 0o644))
	_, err := goTest(t, dir, "buggy")
	require.Error(t, err)
	second := strings.TrimSuffix(file, ".txt") + "-2.txt"
	text, err := os.ReadFile(filepath.Join(dir, second))
	require.NoError(t, err)
	require.Equal(t, kept, string(text))
	out, err := goTest(t, dir, "buggy")
	require.Error(t, err)
	require.Contains(t, out, "kept    "+second)
}

// A kept schedule that the system cannot have any more is a failure.
func TestKeptSchedulesThatDoNotFit(t *testing.T) {
	for schedule, message := range map[string]string{
		"isolate z@3":            `z`,
		"isolate a@99":           `99`,
		"isolate a at3":          `isolate a at3`,
		"crash a@1; restart a@2": "Restart",
		"partition a,b|*@1":      "partition a,b|*@1: one process against the rest is an isolation; write isolate c@1",
	} {
		dir := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(schedule), 0o644))
		out, err := goTest(t, dir, "fixed")
		require.Error(t, err, schedule)
		require.Contains(t, out, file+": the schedule that is kept there does not fit the system any more")
		require.Contains(t, out, "Delete the file if the system was changed on purpose")
		require.Contains(t, out, message)
	}
}

// Nor is one executed that contradicts what the system takes for granted, as in a suite.
func TestKeptSchedulesAgainstAssumptions(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte("crash b@2"), 0o644))
	out, err := goTest(t, dir, "never crashing")
	require.Error(t, err)
	require.Contains(t, out, file+": the schedule that is kept there does not fit the system any more: it lies outside the bounds: crash b@2: b never crashes (never-crash=b)")
}

func neverCrashing() *system.System {
	s := unique(election.Fixed())
	s.Faults.NeverCrash = []string{"b"}
	return s
}

func TestSystemsThatCannotBeTested(t *testing.T) {
	out, err := goTest(t, t.TempDir(), "empty")
	require.Error(t, err)
	require.Contains(t, out, "it has no New")
}

func ExampleRun() {
	_ = func(t *testing.T) { // TestElection, say
		ldfitest.Run(t, election.Fixed(), ldfitest.Isolations(1, 2), ldfitest.HealedFrom(5), ldfitest.Executions(500))
	}
}

// lonely is a system with a process that panics when it is alone.
func lonely() *system.System {
	s := unique(election.Fixed())
	s.Name = "lonely"
	fixed := s.New
	s.New = func(name string, random *rand.Rand) system.Process { return &sociable{fixed(name, random)} }
	return s
}

type sociable struct{ system.Process }

func (p *sociable) Receive(s *system.Step, inbox []system.Message) {
	if s.Round() == 3 && len(inbox) < 2 {
		panic("I am alone")
	}
	p.Process.Receive(s, inbox)
}

// exiting is an election of which process c ends its program if it is alone when it starts.
func exiting(buggy bool) *system.System {
	s := unique(election.Fixed())
	if buggy {
		s = unique(election.Buggy())
	}
	s.Name = "exiting"
	inner := s.New
	s.New = func(name string, random *rand.Rand) system.Process {
		return &starting{inner(name, random), name == "c"}
	}
	return s
}

type starting struct {
	system.Process
	late bool
}

func (p *starting) Receive(s *system.Step, inbox []system.Message) {
	if p.late && s.Round() == 3 && len(inbox) < 2 {
		s.Died(system.PanicError{Exit: true, Text: "it does not start"})
	}
	p.Process.Receive(s, inbox)
}

// A process that ends its program in the set-up is found and kept, by what it violates as in
// a suite, and does not end the search of the property, neither then nor when what is kept
// is executed. It may also be kept where it was when that was done by the property.
func TestExits(t *testing.T) {
	const exits = "no exit: process c ends its program in round 3: it does not start"
	dir := t.TempDir()
	exit := filepath.Join(dir, "testdata/ldfi/TestTarget/no_exit.txt")
	for range 2 {
		out, err := goTest(t, dir, "exits")
		require.Error(t, err)
		require.Regexp(t, "violated  one leader per term: .*", out)
		require.Regexp(t, "  also    "+exits+": isolate c@3..4.*; testdata/ldfi/TestTarget/no_exit.txt\n", out)
		require.FileExists(t, exit)
		require.FileExists(t, filepath.Join(dir, file))
	}
	before := filepath.Join(dir, "testdata/ldfi/TestTarget/one_leader_per_term-2.txt")
	require.NoError(t, os.Rename(exit, before))
	out, err := goTest(t, dir, "exits")
	require.Error(t, err)
	require.Regexp(t, "violated  one leader per term: .*", out)
	require.NoError(t, os.Remove(filepath.Join(dir, file)))
	require.NoError(t, os.Rename(before, filepath.Join(dir, file)))
	out, err = goTest(t, dir, "exits")
	require.Error(t, err)
	require.Regexp(t, "  also    "+exits+": isolate c@3..4.*; testdata/ldfi/TestTarget/one_leader_per_term.txt\n", out)
	require.NoFileExists(t, exit)
	for range 2 {
		out, err := goTest(t, t.TempDir(), "only exits")
		require.Error(t, err)
		require.Regexp(t, "violated  "+exits, out)
		require.Contains(t, out, "past no exit: nothing else was found beyond it: inconclusive after 13 executions (enumerate, seed 0): 1 of 13 executions ended with a known violation (no exit)")
		require.Contains(t, out, "1 of 13 executions ended with a known violation (no exit), before other properties could be judged")
	}
}

// What is known is executed and reported, and gone past; when it violates nothing any more
// the test fails.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "exit.txt")
	require.NoError(t, os.WriteFile(file, []byte("isolate c@3..4"), 0o644))
	t.Setenv("KNOWN", file)
	out, err := goTest(t, dir, "only exits")
	require.NoError(t, err, out)
	require.Contains(t, out, "known: "+file+": no exit: process c ends its program in round 3: it does not start")
	require.Contains(t, out, "1 of 13 executions ended with a known violation (no exit), before other properties could be judged")

	out, err = goTest(t, dir, "exits")
	require.Error(t, err)
	require.Contains(t, out, "violated  one leader per term")
	require.NotContains(t, out, "  also  ")

	out, err = goTest(t, dir, "fixed")
	require.Error(t, err)
	require.Contains(t, out, file+" is in ldfitest.Known, but violates nothing any more: take it out")

	require.NoError(t, os.Remove(file))
	out, err = goTest(t, dir, "exits")
	require.Error(t, err)
	require.Contains(t, out, "ldfitest.Known: reading a schedule that was kept: ")

	other := filepath.Join(dir, "other.txt")
	require.NoError(t, os.WriteFile(other, []byte("isolate a@3..4"), 0o644))
	require.NoError(t, os.WriteFile(file, []byte("isolate c@3..4"), 0o644))
	t.Setenv("KNOWN", file+string(filepath.ListSeparator)+other)
	out, err = goTest(t, dir, "only exits")
	require.Error(t, err)
	require.Contains(t, out, other+" is in ldfitest.Known, but violates nothing any more: take it out")

	require.NoError(t, os.WriteFile(other, []byte("isolat a@3..4"), 0o644))
	out, err = goTest(t, dir, "only exits")
	require.Error(t, err)
	require.Contains(t, out, "ldfitest.Known: "+other+": ")
	require.NotContains(t, out, "does not fit")
}

// A panic is a violation: it is kept like one, and executed first.
func TestPanic(t *testing.T) {
	const panicked = `violated  no panic: process [abc] panics in round 3: I am alone\n`
	dir := t.TempDir()
	out, err := goTest(t, dir, "panics")
	require.Error(t, err)
	require.Regexp(t, panicked, out)
	require.Regexp(t, `\n +ldfitest_test\.\(\*sociable\)\.Receive at ldfitest/run_test\.go:\d+\n +faults `, out)
	require.Regexp(t, "process [abc] panics, and the execution ends", out)
	require.Contains(t, out, "kept    testdata/ldfi/TestTarget/no_panic.txt")
	require.Contains(t, out, "again   "+command)
	text, err := os.ReadFile(filepath.Join(dir, "testdata/ldfi/TestTarget/no_panic.txt"))
	require.NoError(t, err)
	require.Regexp(t, `^# lonely breaks its property no panic:\n# process [abc] panics in round 3: I am alone\n`, string(text))

	out, err = goTest(t, dir, "panics")
	require.Error(t, err)
	require.Regexp(t, panicked, out)
	require.Contains(t, out, "found   by the schedule that is kept")

	out, err = goTest(t, dir, "fixed")
	require.NoError(t, err, out)
	require.Contains(t, out, "violates nothing any more")
}

// changing is a system that does something else in every execution, though its bug
// shows in each.
func changing() *system.System {
	s := unique(election.Buggy())
	s.Name = "changing"
	made := 0
	buggy := s.New
	s.New = func(name string, random *rand.Rand) system.Process {
		made++
		return &moody{buggy(name, random), made}
	}
	return s
}

type moody struct {
	system.Process
	mood int
}

func (p *moody) Send(s *system.Step) {
	s.Fact("mood", p.mood)
	p.Process.Send(s)
}

// What is found in a system that does not do the same twice is no violation, and
// nothing is kept of it.
func TestNondeterministicSystem(t *testing.T) {
	const nondeterministic = `system "changing" does not do the same twice: two executions under the schedule`
	dir := t.TempDir()
	out, err := goTest(t, dir, "changing")
	require.Error(t, err)
	require.Contains(t, out, nondeterministic)
	require.Regexp(t, `the first +the second\n +mood\(a, \d+\) +mood\(a, \d+\)`, out)
	require.NoFileExists(t, filepath.Join(dir, file))

	require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(kept), 0o644))
	out, err = goTest(t, dir, "changing")
	require.Error(t, err)
	require.Contains(t, out, file+": "+nondeterministic)
	require.NotContains(t, out, "violated")
	text, err := os.ReadFile(filepath.Join(dir, file))
	require.NoError(t, err)
	require.Equal(t, kept, string(text))
}

const hostileText = "x\x1b[2J\n::error::y\r##[error]z\u202e\u200b\xff"

// hostile is a system that is broken from the start, and says so in such words.
func hostile() *system.System {
	return &system.System{
		Name: hostileText, Processes: []string{"a", "b"}, Rounds: 2,
		New: func(string, *rand.Rand) system.Process { return silent{} },
		Properties: []property.Property{{Name: "quiet", Func: func(*recording.Execution) []result.Violation {
			return []result.Violation{{Text: hostileText}}
		}}},
	}
}

type silent struct{}

func (silent) Send(*system.Step)                      {}
func (silent) Receive(*system.Step, []system.Message) {}

// What a system says commands neither a terminal nor the log of GitHub Actions,
// and makes no lines.
func TestHostileText(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // found, and kept
		out, err := goTest(t, dir, "hostile")
		require.Error(t, err)
		require.Contains(t, out, `x\x1b[2J\n::error::y\r##\x5berror]z\u202e\u200b\xff`)
		require.Equal(t, out, text.SafeLines(out))
	}
}
