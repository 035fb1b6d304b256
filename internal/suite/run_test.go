package suite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// asHost, in the environment, makes this test program the host of a system, or
// one that fails.
const asHost = "LDFI_TEST_HOST"

// starts, in the environment, is a file to which each host adds a line.
const starts = "LDFI_TEST_STARTS"

// edits, in the environment, is a file that the host of a system writes.
const edits = "LDFI_TEST_EDITS"

func TestMain(m *testing.M) {
	switch os.Getenv(asHost) {
	case "":
		os.Exit(m.Run())
	case "fail":
		os.Exit(1)
	}
	if file, err := os.OpenFile(os.Getenv(starts), os.O_APPEND|os.O_WRONLY, 0); err == nil {
		_, _ = file.WriteString("x\n")
		_ = file.Close()
	}
	if file := os.Getenv(edits); file != "" {
		_ = os.WriteFile(file, []byte("edited"), 0o644)
	}
	if err := wire.Serve(election.Buggy(), election.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Protocols for suites: a message that may be lost, and one that is sent again.
const (
	once  = "// ldfi: processes=a,b eot=4 eff=2\nlog(\"a\")@1;\nlog(P)@next :- log(P);\nstart(\"a\")@1;\nlog(\"b\")@async :- start(\"a\");\npre(\"b\") :- log(\"a\");\npost(P) :- log(P);\n"
	again = "// ldfi: processes=a,b eot=4 eff=2\nlog(\"a\")@1;\nlog(P)@next :- log(P);\nlog(\"b\")@async :- log(\"a\");\npre(\"b\") :- log(\"a\");\npost(P) :- log(P);\n"
)

// suiteOf writes files and a suite, and reads the suite.
func suiteOf(t testing.TB, text string, files map[string]string) *Suite {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	file := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err := Read(file)
	require.NoError(t, err)
	return s
}

// small has three cases, of which the second breaks unexpectedly.
func small(t testing.TB) *Suite {
	return suiteOf(t, "cases:\n  - files: again.ded\n  - files: once.ded\n  - name: safe\n    files: once.ded\n    bounds: {eff: 1}\n",
		map[string]string{"once.ded": once, "again.ded": again})
}

func outcomes(r *Report) string {
	var texts []string
	for _, c := range r.Cases {
		text := c.Name + " " + string(c.Outcome)
		if c.Answer != nil {
			text += " " + string(c.Answer.Verdict)
		}
		if c.Cached {
			text += " cached"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n")
}

// comparable is a report as text, without times and what a cache changes.
func comparable(t *testing.T, r *Report) string {
	t.Helper()
	for i := range r.Cases {
		r.Cases[i].Cached = false
		if a := r.Cases[i].Answer; a != nil {
			a.Stats.Times = result.Times{}
		}
	}
	data, err := json.Marshal(r)
	require.NoError(t, err)
	return string(data)
}

// The report is the same whatever the number of workers, and so is that of the
// next run, which takes its answers from the cache.
func TestRun(t *testing.T) {
	const want = "again pass holds\nonce fail violated\nsafe pass holds"
	cache := subject.NewCache(t.TempDir(), "v1")
	s := small(t)
	first := s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, want, outcomes(first))
	require.Equal(t, Fail, first.Worst())
	require.FileExists(t, filepath.Join(s.dir(), "testdata/ldfi/once/post.txt"))
	for workers := range 4 {
		r := s.Run(t.Context(), Options{Cache: cache, Workers: workers + 1})
		require.Equal(t, "again pass holds cached\nonce fail violated cached\nsafe pass holds cached", outcomes(r))
		require.EqualValues(t, "violated", r.Cases[1].Kept[0].Outcome)
		r.Cases[1].Kept, r.Cases[1].Differs, r.Cases[1].NewKept = nil, first.Cases[1].Differs, first.Cases[1].NewKept
		require.Equal(t, comparable(t, first), comparable(t, r))
	}
	require.Equal(t, want, outcomes(s.Run(t.Context(), Options{Cache: subject.NewCache(t.TempDir(), "v1")})))
	require.Equal(t, want, outcomes(s.Run(t.Context(), Options{})))
}

// Another version of the program and another text have answers of their own.
func TestCacheKnowsWhatAnswersDependOn(t *testing.T) {
	dir := t.TempDir()
	s := suiteOf(t, "cases:\n  - files: a.ded\n", map[string]string{"a.ded": again})
	run := func(version string) string {
		return outcomes(s.Run(t.Context(), Options{Cache: subject.NewCache(dir, version)}))
	}
	require.Equal(t, "a pass holds", run("v1"))
	require.Equal(t, "a pass holds cached", run("v1"))
	require.Equal(t, "a pass holds", run("v2"))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir(), "a.ded"), []byte(once), 0o644))
	require.Equal(t, "a fail violated", run("v1"))
	require.Equal(t, "a fail violated cached", run("v1"))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir(), "a.ded"), []byte(again), 0o644))
	require.Equal(t, "a pass holds cached", run("v1"))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir(), "a.ded"), []byte(once), 0o644))
	s, err := parse(s.File, "cases:\n  - files: a.ded\n    bounds: {reliable: ['a>b']}\n")
	require.NoError(t, err)
	require.Equal(t, "a fail holds", outcomes(s.Run(t.Context(), Options{Cache: subject.NewCache(dir, "v1")})),
		"an assumption is another question, and what was kept before lies outside of its bounds")
}

// A schedule that was kept and contradicts what the suite takes for granted now is said
// to lie outside the bounds, and not to be mended.
func TestKeptAgainstAssumptions(t *testing.T) {
	t.Setenv(asHost, "1")
	program, err := os.Executable()
	require.NoError(t, err)
	for _, c := range []struct{ subject, bounds, schedule, reason string }{
		{"files: a.ded", "{crashes: 1, never-crash: b}", "crash b@2", "it lies outside the bounds: crash b@2: b never crashes (never-crash=b)"},
		{"files: a.ded", "{reliable: '*>b'}", "omit a>b@1", "it lies outside the bounds: omit a>b@1: what a sends b cannot be lost: *>b is reliable"},
		{"system: " + program + "\n    system-name: election", "{crashes: 1, never-crash: [b, c]}", "crash b@2",
			"it lies outside the bounds: crash b@2: b never crashes (never-crash=b,c)"},
		{"system: " + program + "\n    system-name: election", "{isolations: 1, reliable: ['*>b', c>a]}", "isolate c@2",
			"it lies outside the bounds: isolate c@2: it also loses messages on *>b,c>a, but the bounds say that these are reliable: write reliable *>b,c>a; isolate c@2"},
		{"system: " + program + "\n    system-name: election", "{isolations: 1, reliable: ['*>b', c>a]}", "reliable a>b; isolate c@2",
			"it lies outside the bounds: reliable a>b: the bounds have reliable=*>b,c>a"},
		{"system: " + program + "\n    system-name: election", "{isolations: 1, reliable: ['*>b', c>a]}", "reliable a>b,c>b,c>a; isolate c@2", ""},
		{"system: " + program + "\n    system-name: election", "{isolations: 1}", "reliable a>b; isolate c@2", ""},
	} {
		s := suiteOf(t, "cases:\n  - "+c.subject+"\n    name: a\n    bounds: "+c.bounds+"\n", map[string]string{"a.ded": again})
		dir := s.keptDir(&s.Cases[0])
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "k.txt"), []byte(c.schedule), 0o644))
		kept := s.Run(t.Context(), Options{}).Cases[0].Kept
		require.Len(t, kept, 1)
		require.Equal(t, c.reason, kept[0].Reason, c.schedule)
		if c.reason != "" {
			require.Equal(t, Misfit, kept[0].Outcome)
		} else {
			require.Equal(t, Replayed(result.Holds), kept[0].Outcome)
		}
	}
}

// entries returns the files of a cache.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	return files
}

// An entry that is damaged in any way is no answer: it is reported, found anew
// and written again.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	cache := subject.NewCache(dir, "v1")
	s := suiteOf(t, "cases:\n  - files: a.ded\n", map[string]string{"a.ded": once, "b.ded": again})
	other := &Suite{File: s.File, Cases: []Case{{Name: "b", Subject: &subject.Protocol{Common: subject.Common{Dir: s.dir()}, Files: []string{"b.ded"}}, Expect: result.Holds}}}
	other.Run(t.Context(), Options{Cache: cache})
	foreign, err := os.ReadFile(entries(t, dir)[0])
	require.NoError(t, err)
	require.NoError(t, os.Remove(entries(t, dir)[0]))
	s.Run(t.Context(), Options{Cache: cache})
	file := entries(t, dir)[0]
	good, err := os.ReadFile(file)
	require.NoError(t, err)

	head, body, _ := strings.Cut(string(good), "\n")
	signed := func(body string) string {
		sum := sha256.Sum256([]byte(body))
		return head[:strings.Index(head, ":")+1] + hex.EncodeToString(sum[:]) + "\n" + body
	}
	require.Equal(t, string(good), signed(body))
	damaged := map[string]string{
		"empty":                              "",
		"cut":                                string(good[:len(good)/2]),
		"cut in the first line":              head[:20],
		"a verdict exchanged":                strings.Replace(string(good), `"violated"`, `"holds"`, 1),
		"longer":                             string(good) + " ",
		"no checksum":                        body,
		"the answer to another question":     string(foreign),
		"no answer, with the checksum of it": signed("{}"),
		"no JSON, with the checksum of it":   signed("{"),
	}
	for what, text := range damaged {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		r := s.Run(t.Context(), Options{Cache: cache})
		require.Equal(t, "a fail violated", outcomes(r), what)
		require.Len(t, r.Warnings, 1, what)
		require.Contains(t, r.Warnings[0], "damaged", what)
		now, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(good), string(now), what)
	}

	// A directory where the entry should be, which cannot be written either.
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Mkdir(file, 0o755))
	r := s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "a fail violated", outcomes(r))
	require.NotEmpty(t, r.Warnings)
}

// A cache that cannot be used at all is told once, and not for every case.
func TestUnusableCache(t *testing.T) {
	s := suiteOf(t, "cases:\n  - files: a.ded\n  - files: b.ded\n", map[string]string{"a.ded": once, "b.ded": again})
	r := s.Run(t.Context(), Options{Cache: subject.NewCache(s.File, "v1")}) // a file, and no directory
	require.Equal(t, "a fail violated\nb pass holds", outcomes(r))
	require.NotEmpty(t, r.Warnings)
	require.LessOrEqual(t, len(r.Warnings), 2, r.Warnings) // reading, and writing
	for _, text := range r.Warnings {
		require.Contains(t, text, "the cache in "+s.File+": ")
	}
}

// A schedule in the cache is executed before anyone is told, even if its entry
// looks right.
func TestCacheIsNotBelieved(t *testing.T) {
	cache := subject.NewCache(t.TempDir(), "v1")
	s := suiteOf(t, "cases:\n  - files: a.ded\n", map[string]string{"a.ded": again, "b.ded": once})
	broken := &subject.Protocol{Common: subject.Common{Dir: s.dir()}, Files: []string{"b.ded"}}
	o, err := broken.Open(t.Context())
	require.NoError(t, err)
	lie, err := o.Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, lie.Verdict)
	key, err := s.Cases[0].Subject.Key()
	require.NoError(t, err)
	require.NoError(t, cache.Put(key, lie))
	r := s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "a pass holds", outcomes(r))
	require.Contains(t, r.Warnings[0], "breaks nothing")
}

// Runs that share a cache do not disturb each other.
func TestConcurrentRuns(t *testing.T) {
	cache := t.TempDir()
	s := small(t)
	var wait sync.WaitGroup
	reports := make([]*Report, 8)
	for i := range reports {
		wait.Go(func() { reports[i] = s.Run(t.Context(), Options{Cache: subject.NewCache(cache, "v1"), Workers: 2}) })
	}
	wait.Wait()
	for _, r := range reports {
		require.Empty(t, r.Warnings)
		require.Equal(t, "again pass holds\nonce fail violated\nsafe pass holds", strings.ReplaceAll(outcomes(r), " cached", ""))
	}
	require.Len(t, entries(t, cache), 3, "no temporary file is left")
}

// A system is asked through its host, which is not even started when its answer
// is known. What breaks it is kept, and then executed instead of a search.
func TestSystem(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(asHost, "1")
	text := fmt.Sprintf(`cases:
  - system: %q
    system-name: election
    bounds: {isolations: 2, period: 2, eff: 3}
    inputs: host.txt
  - system: %[1]q
    system-name: election-buggy
    bounds: {isolations: 1, period: 2}
    inputs: "*.txt"
    expect: violated
    faults: 1
`, program)
	s := suiteOf(t, text, map[string]string{"host.txt": "1"})
	cache := subject.NewCache(t.TempDir(), "v1")
	r := s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "election pass holds\nelection-buggy pass violated", outcomes(r))
	require.Equal(t, "testdata/ldfi/election-buggy/one_leader_per_term.txt", strings.TrimPrefix(r.Cases[1].NewKept, filepath.ToSlash(s.dir())+"/"))

	r = s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "election pass holds cached\nelection-buggy pass violated", outcomes(r))
	require.Equal(t, 1, r.Cases[1].Answer.Stats.Executions)
	require.EqualValues(t, "violated", r.Cases[1].Kept[0].Outcome)

	t.Setenv(asHost, "fail")
	r = s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "election pass holds cached\nelection-buggy error", outcomes(r))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir(), "host.txt"), []byte("2"), 0o644))
	r = s.Run(t.Context(), Options{Cache: cache})
	require.Equal(t, "election error\nelection-buggy error", outcomes(r))
	require.Contains(t, r.Cases[0].Error, "starting the host of the system")
}

// A search that draws schedules says how much it looked at, where the case stands and at
// length, and what would decide it.
func TestWhatWasDrawn(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(asHost, "1")
	s := suiteOf(t, fmt.Sprintf(`cases:
  - system: %q
    system-name: election
    strategy: uniform
    executions: 20
    bounds: {isolations: 2, period: 2, eff: 3}
`, program), nil)
	r := s.Run(t.Context(), Options{})
	require.Equal(t, Inconclusive, r.Cases[0].Outcome)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "none in 20 executions, any drawn with 66 %  ")
	require.Contains(t, text.String(), "inconclusive, and expected to hold: none of 20 executions violates a property; each schedule of faults within the bounds was drawn with a probability of at least 66 %; with ")
	require.Contains(t, text.String(), "; try every one of the 19 schedules: strategy: enumerate, executions: 19")

	s.Cases[0].Expect = result.Inconclusive
	text.Reset()
	require.NoError(t, s.Run(t.Context(), Options{}).WriteText(&text))
	require.Contains(t, text.String(), "none in 20 executions, any drawn with 66 %  ", "also where that is as expected")
	text.Reset()
	require.NoError(t, r.WriteMarkdown(&text))
	require.Contains(t, text.String(), "| none in 20 executions, any drawn with 66 % |", "words are no code")
}

// What is known is executed, reported, and gone past: the case is as expected while nothing
// else is violated. What is known and violates nothing any more is not.
func TestKnown(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(asHost, "1")
	of := func(name string) *Suite {
		return suiteOf(t, fmt.Sprintf(`cases:
  - name: leaders
    system: %q
    system-name: %s
    bounds: {isolations: 1, period: 2, eff: 5}
    strategy: enumerate
    known: two.txt
`, program, name), map[string]string{"two.txt": "# two leaders\nisolate c@3..4\n"})
	}
	s := of("election-buggy")
	for _, hands := range []string{"", "kept"} {
		c := s.Run(t.Context(), Options{Cache: subject.NewCache(t.TempDir(), "v1")}).Cases[0]
		require.Empty(t, c.Error)
		require.Equal(t, Pass, c.Outcome, c.Differs)
		require.Equal(t, result.Holds, c.Answer.Verdict, hands)
		require.Equal(t, "Known violations are left out: one leader per term", c.Answer.Search.Certificate.Assumption)
		require.Empty(t, c.NewKept)
		require.True(t, c.Kept[0].Known && c.Kept[0].Expected)
		require.Equal(t, Breaks, c.Kept[0].Outcome)
		if hands == "kept" { // as another schedule of the same
			require.Len(t, c.Kept, 2)
			require.True(t, c.Kept[1].Known && c.Kept[1].Expected)
		}
		dir := s.keptDir(&s.Cases[0])
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "one_leader_per_term.txt"), []byte("isolate a@3..4"), 0o644))
	}
	var text strings.Builder
	require.NoError(t, s.Run(t.Context(), Options{}).WriteText(&text))
	require.Contains(t, text.String(), "two.txt: violated: one leader per term: violation(2, a, c)")

	s = of("election")
	c := s.Run(t.Context(), Options{}).Cases[0]
	require.Equal(t, Fail, c.Outcome)
	require.Contains(t, c.Differs, "two.txt holds: take it out of known")
}

// Of what is edited while a host is started nobody knows whether the answer is
// one before or after: it is not kept.
func TestEditedMeanwhile(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(asHost, "1")
	text := fmt.Sprintf("cases:\n  - {system: %q, system-name: election, bounds: {isolations: 2, period: 2, eff: 3}, inputs: host.txt}\n", program)
	s := suiteOf(t, text, map[string]string{"host.txt": "1"})
	cache := t.TempDir()
	t.Setenv(edits, filepath.Join(s.dir(), "host.txt"))
	require.Equal(t, "election pass holds", outcomes(s.Run(t.Context(), Options{Cache: subject.NewCache(cache, "v1")})))
	require.Empty(t, entries(t, cache))
	require.Equal(t, "election pass holds", outcomes(s.Run(t.Context(), Options{Cache: subject.NewCache(cache, "v1")})))
	require.Len(t, entries(t, cache), 1)
}

// What was kept and cannot be read is not passed over.
func TestKeptCannotBeRead(t *testing.T) {
	s := suiteOf(t, "cases:\n  - files: a.ded\n", map[string]string{"a.ded": again})
	dir := s.keptDir(&s.Cases[0])
	require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o755))
	require.NoError(t, os.WriteFile(dir, nil, 0o644))
	r := s.Run(t.Context(), Options{})
	require.Equal(t, "a error", outcomes(r))
	require.Contains(t, r.Cases[0].Error, "looking for schedules that were kept")
}

// What was kept of a system does not fit a program.
func TestKeptOfSystems(t *testing.T) {
	s := suiteOf(t, "cases:\n  - files: a.ded\n", map[string]string{"a.ded": again})
	dir := s.keptDir(&s.Cases[0])
	require.NoError(t, os.MkdirAll(dir, 0o755))
	oracle.RefusesOfSystems(t, func(schedule rounds.Schedule) error {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "k.txt"), []byte(schedule.String()), 0o644))
		r := s.Run(t.Context(), Options{})
		require.Equal(t, Misfit, r.Cases[0].Kept[0].Outcome)
		return errors.New(r.Cases[0].Kept[0].Reason)
	})
}

// A case that cannot be asked does not keep the others from being asked.
func TestCaseErrors(t *testing.T) {
	s := suiteOf(t, "cases:\n  - files: bad.ded\n  - files: good.ded\n  - name: unbounded\n    files: nobounds.ded\n  - name: bounds\n    files: nobounds.ded\n    bounds: {processes: [a], eot: 3}\n  - name: too large\n    files: good.ded\n    bounds: {eot: 90000}\n",
		map[string]string{"bad.ded": "log(X :- y;", "good.ded": again, "nobounds.ded": "log(\"a\")@1;"})
	r := s.Run(t.Context(), Options{Cache: subject.NewCache(t.TempDir(), "v1")})
	require.Equal(t, "bad error\ngood pass holds\nunbounded error\nbounds error\ntoo large error", outcomes(r))
	require.Regexp(t, `bad\.ded:1:\d+: `, r.Cases[0].Error)
	require.Contains(t, r.Cases[2].Error, "no bounds")
	require.Contains(t, r.Cases[3].Error, "promises nothing")
	require.Regexp(t, `^bounds: eot=90000 with 2 process`, r.Cases[4].Error)
	require.Equal(t, Error, r.Worst())
}

// What the budget does not reach is inconclusive, never as expected: also what
// is expected to be inconclusive.
func TestBudget(t *testing.T) {
	s := suiteOf(t, "cases:\n  - files: again.ded\n  - {name: second, files: again.ded}\n  - {name: third, files: once.ded, expect: violated}\n  - {name: fourth, files: once.ded, expect: inconclusive}\n",
		map[string]string{"once.ded": once, "again.ded": again})
	clock := time.Unix(0, 0)
	r := &run{suite: s, options: Options{Budget: time.Hour, Workers: 1, Progress: func(doing string) {
		if doing == "1 of 4 cases" {
			clock = clock.Add(time.Hour) // the first case took it all
		}
	}}, now: func() time.Time { return clock }}
	report := r.all(t.Context())
	require.Equal(t, "again pass holds\nsecond inconclusive inconclusive\nthird inconclusive inconclusive\nfourth inconclusive inconclusive", outcomes(report))
	require.Equal(t, Inconclusive, report.Worst())
	require.Equal(t, "inconclusive, and expected to hold: not run: the budget is used up", report.Cases[1].Differs)
}

// A context that has ended lets nothing begin.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report := small(t).Run(ctx, Options{})
	require.Equal(t, "again inconclusive inconclusive\nonce inconclusive inconclusive\nsafe inconclusive inconclusive", outcomes(report))
	require.Equal(t, "not run: interrupted", answertext.Reason(report.Cases[0].Answer))
}

// Time is shared by the cases that wait, and what one does not need flows to
// those after it.
func TestShare(t *testing.T) {
	const minute = 60 * time.Second
	clock := time.Unix(0, 0)
	r := &run{options: Options{Workers: 2, Progress: func(string) {}}, now: func() time.Time { return clock }, deadline: clock.Add(minute), waiting: 5, running: map[int]time.Time{}}
	require.Equal(t, limit{24 * time.Second, true}, r.limit(0, 0), "two minutes for five cases")
	require.Equal(t, limit{24 * time.Second, true}, r.limit(1, 0))
	r.finished(0)
	require.Equal(t, limit{32 * time.Second, true}, r.limit(2, 0), "the first took no time, so that 96 seconds are left for three")
	clock = clock.Add(24 * time.Second)
	r.finished(1)
	require.Equal(t, limit{time: time.Second}, r.limit(3, time.Second), "its own timeout is less")
	require.Equal(t, limit{36 * time.Second, true}, r.limit(4, 0), "all that is left on the wall")

	require.Equal(t, time.Duration(0), share(-time.Second, 0, 4, 3))
	require.Equal(t, time.Duration(0), share(time.Second, minute, 2, 3), "what was promised is more than there is")
	require.Equal(t, time.Duration(1<<62), share(1<<62, 0, 64, 1), "for centuries")
	r = &run{options: Options{Timeout: minute}, waiting: 9}
	require.Equal(t, limit{time: minute}, r.limit(0, 0))
	require.Equal(t, limit{time: time.Second}, r.limit(1, time.Second))
}

// How long hosts are built takes nothing of what others get, neither meanwhile nor later.
func TestBuildingIsNoPartOfTheBudget(t *testing.T) {
	const minute = 60 * time.Second
	clock := time.Unix(0, 0)
	doing := ""
	progress := func(text string) { doing = text }
	cases := &Suite{Cases: make([]Case, 5)}
	cases.Cases[0].Name = "election"
	r := &run{suite: cases, total: 5, options: Options{Workers: 2, Progress: progress}, now: func() time.Time { return clock }, deadline: clock.Add(minute), waiting: 5, running: map[int]time.Time{}, building: map[int]time.Time{}}
	require.Equal(t, limit{24 * time.Second, true}, r.limit(0, 0), "two minutes for five cases")
	r.builds(0)
	require.Equal(t, "building the host of election; 0 of 5 cases", doing)
	require.Equal(t, limit{24 * time.Second, true}, r.limit(1, 0))
	clock = clock.Add(24 * time.Second)
	r.finished(1)
	require.Equal(t, limit{24 * time.Second, true}, r.limit(2, 0), "one is built, and the other has taken its share")
	clock = clock.Add(24 * time.Second)
	r.finished(2)
	require.Equal(t, 48*time.Second, r.built(0))
	require.Zero(t, r.built(0), "once is enough")
	require.Zero(t, r.built(3), "it does not build")
	require.Equal(t, "2 of 5 cases", doing)
	require.Equal(t, limit{24 * time.Second, true}, r.limit(3, 0), "and so it is when it is built")
	require.Equal(t, clock.Add(24*time.Second), r.running[0], "it has all its time from now on")

	// With the workers of a server more cases are begun than are worked at.
	clock = time.Unix(0, 0)
	hands := &workers.Hands{T: t, Many: 1}
	r = &run{suite: cases, total: 2, options: Options{Hands: hands, Progress: progress}, now: func() time.Time { return clock }, deadline: clock.Add(minute), waiting: 2, running: map[int]time.Time{}, building: map[int]time.Time{}}
	for i := range 2 {
		r.limit(i, 0)
		r.builds(i)
	}
	require.Equal(t, "building the hosts of 2 cases; 0 of 2 cases", doing)
	clock = clock.Add(time.Hour)
	r.built(0)
	r.built(1)
	require.Equal(t, clock.Add(minute), r.deadline, "as if nothing had been built")
	ctx, end := r.handing(t.Context(), 0, limit{30 * time.Second, true})
	defer end()
	until, _ := ctx.Deadline()
	require.Equal(t, clock.Add(minute), until)

	// Without a budget there is none to make longer.
	r = &run{suite: cases, options: Options{Workers: 2, Progress: progress}, now: r.now, waiting: 1, running: map[int]time.Time{}, building: map[int]time.Time{}}
	r.limit(0, 0)
	r.builds(0)
	r.built(0)
	require.Zero(t, r.deadline)
	require.Empty(t, r.running)
}

// Parts of a suite joined are the same as the whole.
func TestShards(t *testing.T) {
	s := small(t)
	whole := s.Run(t.Context(), Options{})
	for n := 1; n <= 5; n++ {
		var parts []*Report
		for i := n; i >= 1; i-- {
			shard, err := ParseShard(fmt.Sprintf("%d/%d", i, n))
			require.NoError(t, err)
			require.NoError(t, os.RemoveAll(filepath.Join(s.dir(), "testdata")))
			parts = append(parts, s.Run(t.Context(), Options{Shard: shard}))
		}
		merged, err := Merge(parts...)
		require.NoError(t, err)
		require.Equal(t, comparable(t, whole), comparable(t, merged))
		last := parts[n-1] // the first, which has a case
		if n > 1 {
			_, err = Merge(parts[:n-1]...)
			require.ErrorContains(t, err, "is a shard missing?")
		}
		_, err = Merge(append(parts, last)...)
		require.ErrorContains(t, err, "these cases are in several reports: again")
	}
	other := suiteOf(t, "cases:\n  - files: a.ded\n", map[string]string{"a.ded": again})
	_, err := Merge(whole, other.Run(t.Context(), Options{}))
	require.ErrorContains(t, err, "different suites")
	_, err = Merge()
	require.Error(t, err)
	hostile := *whole
	hostile.Total = 1 << 50
	_, err = Merge(&hostile)
	require.ErrorContains(t, err, "are in none of the reports (case 4, case 5, case 6, case 7, case 8, ...)")
	for _, text := range []string{"", "1", "0/2", "3/2", "1/2/3", "x/y", "-1/2"} {
		_, err := ParseShard(text)
		require.ErrorContains(t, err, "expected for example 1/3", text)
	}
}

// Every way in which an answer can meet an expectation.
func TestJudge(t *testing.T) {
	violated := func(size int) *result.Answer {
		return &result.Answer{Verdict: result.Violated, Counterexamples: []result.Counterexample{{
			Size: size, Violations: []result.Violation{{Property: "post", Text: "it is missing"}},
		}}}
	}
	minimal := func(size int) *result.Answer {
		a := violated(size)
		a.First().Minimal = true
		return a
	}
	holds, unknown := &result.Answer{Verdict: result.Holds}, &result.Answer{Verdict: result.Inconclusive, Limit: &result.Limit{Reason: "too large"}}
	two := 2
	for _, c := range []struct {
		expect  result.Verdict
		faults  *int
		answer  *result.Answer
		kept    string
		stopped bool
		want    Outcome
		differs string
	}{
		{result.Holds, nil, holds, "", false, Pass, ""},
		{result.Holds, nil, holds, "", true, Pass, ""},
		{result.Holds, nil, violated(1), "", false, Fail, "violated, and expected to hold: post: it is missing"},
		{result.Holds, nil, unknown, "", false, Inconclusive, "inconclusive, and expected to hold: too large"},
		{result.Holds, nil, holds, "holds", false, Pass, ""},
		{result.Holds, nil, holds, "violated", false, Fail, "the schedule in k.txt breaks the promise"},
		{result.Holds, nil, holds, "not run: the time is up", true, Inconclusive, "the schedule in k.txt was not run: the time is up"},
		{result.Holds, nil, holds, "does not fit: no x", false, Fail, "the schedule in k.txt does not fit: no x; delete the file if the change was made on purpose"},
		{result.Violated, nil, violated(1), "", false, Pass, ""},
		{result.Violated, nil, violated(1), "holds", false, Pass, ""},
		{result.Violated, nil, violated(1), "violated", false, Pass, ""},
		{result.Violated, nil, violated(1), "does not fit: no x", false, Fail, "the schedule in k.txt does not fit: no x; delete the file if the change was made on purpose"},
		{result.Violated, nil, holds, "", false, Fail, "holds, and expected to be violated"},
		{result.Violated, nil, unknown, "", false, Inconclusive, "inconclusive, and expected to be violated: too large"},
		{result.Violated, &two, violated(2), "", false, Pass, ""},
		{result.Violated, &two, violated(2), "", true, Inconclusive, "broken by 2 faults, as expected: there was no time to look for fewer"},
		{result.Violated, &two, minimal(2), "", true, Pass, ""},
		{result.Violated, &two, violated(1), "", true, Fail, "broken by 1 fault, and expected to be broken by no fewer than 2"},
		{result.Violated, &two, violated(3), "", false, Fail, "broken by 3 faults, and expected to be broken by 2"},
		{result.Violated, &two, violated(3), "", true, Inconclusive, "broken by 3 faults, and expected to be broken by 2: there was no time to look for fewer"},
		{result.Inconclusive, nil, unknown, "", false, Pass, ""},
		{result.Inconclusive, nil, unknown, "", true, Inconclusive, "inconclusive, as expected, but this case did not come to its end: too large"},
		{result.Inconclusive, nil, holds, "", false, Fail, "holds, and expected to be inconclusive"},
		{result.Inconclusive, nil, violated(1), "", false, Fail, "violated, and expected to be inconclusive: post: it is missing"},
	} {
		r := CaseResult{Expect: c.expect, ExpectFaults: c.faults, Answer: c.answer}
		if c.kept != "" {
			outcome, reason, _ := strings.Cut(c.kept, ": ")
			r.Kept = []KeptResult{{File: "k.txt", Outcome: Replayed(outcome), Reason: reason}}
		}
		r.judge(c.stopped)
		require.Equal(t, c.want, r.Outcome, "%+v", c)
		require.Equal(t, c.differs, r.Differs)
	}
	empty := &result.Answer{Verdict: result.Holds, Vacuity: "pre has no fact"}
	for _, c := range []struct {
		expect  result.Verdict
		vacuous bool
		answer  *result.Answer
		want    Outcome
		differs string
	}{
		{result.Holds, false, empty, Fail, "holds, as expected, but the promise is vacuous: pre has no fact; if that is meant, the case says vacuous: yes"},
		{result.Holds, true, empty, Pass, ""},
		{result.Holds, true, holds, Fail, "holds, as expected, and the promise asks for something: take vacuous: yes out of the case"},
		{result.Inconclusive, false, &result.Answer{Verdict: result.Inconclusive, Vacuity: "pre has no fact", Limit: unknown.Limit}, Fail,
			"inconclusive, as expected, but the promise is vacuous: pre has no fact; if that is meant, the case says vacuous: yes"},
		{result.Violated, false, &result.Answer{Verdict: result.Violated, Vacuity: "post has no fact", Counterexamples: violated(0).Counterexamples}, Pass, ""},
	} {
		r := CaseResult{Expect: c.expect, ExpectVacuous: c.vacuous, Answer: c.answer}
		r.judge(false)
		require.Equal(t, c.want, r.Outcome, "%+v", c)
		require.Equal(t, c.differs, r.Differs)
	}
	idle := specs.Warning{Position: specs.Position{File: "votes.mg", Line: 2, Column: 1}, Message: "this rule never fires"}
	for _, c := range []struct {
		reached int // in so many of 100 executions, 10 of which the guide does not allow
		idle    []specs.Warning
		limit   string
		want    Outcome
		differs string
	}{
		{90, nil, result.LimitExecutions, Pass, ""},
		{41, nil, result.LimitExecutions, Fail, "reached in 41 of 90 executions, and expected in every one: the rule lacked a vote"},
		{41, nil, result.LimitTimeout, Fail, "reached in 41 of 90 executions, and expected in every one: the rule lacked a vote"},
		{90, nil, result.LimitTimeout, Inconclusive, "inconclusive, and expected to be reached: for a reason"},
		{90, []specs.Warning{idle, idle}, result.LimitExecutions, Fail,
			"reached in 90 of 90 executions, as expected, but the guide is vacuous: votes.mg:2:1: this rule never fires, and 1 more; if that is meant, the rule ends with # may never"},
	} {
		g := &result.Guidance{File: "votes.mg", Executions: 100, Prevented: 10, Target: &result.Reached{Name: "led", Executions: c.reached}, Nearest: []string{"the rule lacked a vote"}, Vacuous: c.idle}
		r := CaseResult{Expect: Reached, Answer: &result.Answer{Verdict: result.Inconclusive, Guidance: g, Limit: &result.Limit{Kind: c.limit, Reason: "for a reason"}}}
		r.judge(false)
		require.Equal(t, c.want, r.Outcome, "%+v", c)
		require.Equal(t, c.differs, r.Differs)
		r.Expect, r.Outcome, r.Differs = result.Holds, Pass, ""
		r.judge(false)
		require.Equal(t, len(c.idle) > 0, r.Outcome == Fail, "%+v", c)
		if len(c.idle) > 0 {
			require.Equal(t, "inconclusive, and expected to hold: for a reason; the guide is vacuous: votes.mg:2:1: this rule never fires, and 1 more; if that is meant, the rule ends with # may never", r.Differs)
		}
		r.Expect = result.Inconclusive
		r.judge(false)
		require.Equal(t, len(c.idle) == 0, r.Outcome == Pass, "%+v", c)
	}
	r := CaseResult{Expect: Reached, Answer: violated(1)}
	r.judge(false)
	require.Equal(t, Fail, r.Outcome)
	r = CaseResult{Error: "no such file"}
	r.judge(false)
	require.Equal(t, Error, r.Outcome)
}

// The cases of many files are called by their paths, or by a name and what the
// paths do not have in common.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"cases:\n- files: ./p/x/a.ded\n- {name: other, files: p/x/a.ded}\n", []string{"p/x/a", "other"}},
		{"cases:\n- protocols: p/**/*.ded\n", []string{"p/x/a", "p/x/b", "p/y/a"}},
		{"cases:\n- protocols: p/**/*.ded\n  except: ['**/b.ded']\n  name: all\n", []string{"all/x/a", "all/y/a"}},
		{"cases:\n- {protocols: [p/x/*, p/x/a.ded], name: x}\n- {protocols: p/y/*, name: y}\n", []string{"x/a", "x/b", "y/a"}},
		{"cases:\n- {system: go run ./host}\n- {system: go run ./host, system-name: election}\n", []string{"go run ./host", "election"}},
	} {
		dir := t.TempDir()
		for _, file := range []string{"p/x/a.ded", "p/x/b.ded", "p/y/a.ded"} {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), nil, 0o644))
		}
		s, err := parse(filepath.Join(dir, FileName), c.text)
		require.NoError(t, err, c.text)
		var names []string
		for _, each := range s.Cases {
			names = append(names, each.Name)
		}
		require.Equal(t, c.want, names)
	}
}

// A case for which there is too little memory beside others is asked again alone.
func TestMemoryIsShared(t *testing.T) {
	s := suiteOf(t, "cases:\n- files: [once.ded]\n  expect: violated\n- files: [many.ded]\n- name: second\n  files: [once.ded]\n  expect: violated\n- name: third\n  files: [once.ded]\n  expect: violated\n", map[string]string{
		"once.ded": once,
		"many.ded": "// ldfi: processes=a,b eot=1\nn(\"a\", 0)@1;\nn(P, X + 1) :- n(P, X), X < 30;\nm(P, X, Y) :- n(P, X), n(P, Y);\nviolation(P) :- m(P, -1, -1);\n",
	})
	judged := 0
	ctx := limits.WithMemory(t.Context(), limits.MemoryShares*800_000)
	report := s.Run(ctx, Options{Workers: 4, Unkept: true, Judged: func(_ context.Context, _ *Case, r *CaseResult, _ *subject.Opened) {
		if r.Index == 1 {
			judged++
		}
	}})
	for _, r := range report.Cases {
		require.Equal(t, Pass, r.Outcome, r.Name)
	}
	require.Equal(t, 2, judged, "its share was too little")

	report = s.Run(limits.WithMemory(t.Context(), limits.MemoryShares*50_000), Options{Workers: 4, Unkept: true})
	require.Equal(t, Inconclusive, report.Cases[1].Outcome)
	require.Contains(t, report.Cases[1].Answer.Limit.Reason, "facts that take 50kB, as much as one evaluation may of 200kB (--memory)")
	require.Equal(t, Pass, report.Cases[0].Outcome)
}
