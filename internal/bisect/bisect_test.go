package bisect_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/bisect"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the reports are into testdata")

var long = flag.Bool("long", false, "build every version of a system, and let workers search them as well")

var testdata, _ = filepath.Abs("testdata")

// The versions of a small protocol: a has a value that c is to get. At most one
// message is lost, in round 1.
const (
	common = `// ldfi: processes=a,b,c eot=4 eff=2 omissions=1
begin("a")@1;
value("a", "v")@1;
value(P, V)@next :- value(P, V);
source("a", "c")@1; source(P, Q)@next :- source(P, Q);
relay("a", "b")@1; relay(P, Q)@next :- relay(P, Q);
relayed("b", "c")@1; relayed(P, Q)@next :- relayed(P, Q);
pre(V) :- source(A, _), value(A, V), begin(A)@1;
post(V) :- source(_, C), value(C, V);
`
	resends = common + `
value(C, V)@async :- value(A, V), source(A, C);          // a sends it in every round
`
	sendsOnce = common + `
value(C, V)@async :- value(A, V), begin(A), source(A, C);        // a sends it once
`
	sendsTwoWays = common + `
value(C, V)@async :- value(A, V), begin(A), source(A, C);        // a sends it once to c
value(B, V)@async :- value(A, V), begin(A), relay(A, B);         // and once to b
value(C, V)@async :- value(B, V), relayed(B, C);         // which sends it on
`
	sendsByRelay = common + `
value(B, V)@async :- value(A, V), begin(A), relay(A, B);         // a sends it once, to b only
value(C, V)@async :- value(B, V), relayed(B, C);         // which sends it on
`
	renamed = common + `
value(Client, Text)@async :- value(Server, Text), source(Server, Client); // a sends it in every round
`
	unreadable = common + `
value(C, V)@async :- value(A, V) source(A, C);
`
)

// history writes versions into files v1.ded and so on, and returns them.
func history(t *testing.T, programs ...string) []bisect.Version {
	t.Helper()
	t.Chdir(t.TempDir())
	var files []string
	for i, program := range programs {
		files = append(files, fmt.Sprintf("v%d.ded", i+1))
		require.NoError(t, os.WriteFile(files[i], []byte(program), 0o666))
	}
	versions, err := bisect.Paths(files, nil, "")
	require.NoError(t, err)
	return versions
}

func run(t *testing.T, versions []bisect.Version, o bisect.Options) *bisect.Report {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	r, err := bisect.Run(t.Context(), versions, o)
	require.NoError(t, err)
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left, "a run leaves nothing behind")
	if o.Cache == nil && (*long || r.Matrices[0].System == "") { // hosts take their time
		sameFromWorkers(t, r, versions, o)
	}
	return r
}

// sameFromWorkers asks workers, and compares their report.
func sameFromWorkers(t *testing.T, r *bisect.Report, versions []bisect.Version, o bisect.Options) {
	t.Helper()
	hands := &workers.Hands{T: t, Many: 3, Hosts: true}
	switch {
	case o.Question != nil:
		o.Question = o.Question.Copy()
	case r.Matrices[0].System != "":
		o.Question = &subject.System{}
	default:
		o.Question = &subject.Protocol{}
	}
	o.Question.Shared().Hands, o.Progress, o.Skipped = hands, nil, nil
	theirs, err := bisect.Run(t.Context(), versions, o)
	require.NoError(t, err)
	for _, write := range []func(*bisect.Report, *bytes.Buffer) error{
		func(r *bisect.Report, b *bytes.Buffer) error { return r.WriteText(b) },
		func(r *bisect.Report, b *bytes.Buffer) error { return r.WriteJSON(b) },
	} {
		var here, there bytes.Buffer
		require.NoError(t, write(r, &here))
		require.NoError(t, write(theirs, &there))
		require.Equal(t, here.String(), there.String())
	}
	require.Empty(t, hands.Doubted)
	for _, u := range hands.Units {
		require.NotContains(t, string(u.Ask), os.TempDir(), "where a version lies does not matter")
	}
}

// golden compares a report with testdata/NAME.
func golden(t *testing.T, name string, write func(*bytes.Buffer) error) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	file := filepath.Join(testdata, name)
	if *update {
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o666))
	}
	expected, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(expected), b.String(), "%s: run go test ./internal/bisect -update", file)
}

func reportText(r *bisect.Report) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error { return r.WriteText(b) }
}

// Good, bad, good, one that does not parse, bad: the last two bugs are not found
// by the schedule of the first.
func TestHistoryWithSeveralChanges(t *testing.T) {
	r := run(t, history(t, resends, sendsOnce, sendsTwoWays, unreadable, sendsByRelay), bisect.Options{})
	require.Equal(t, result.Violated, r.Verdict)
	golden(t, "several.txt", reportText(r))
	golden(t, "several.md", func(b *bytes.Buffer) error { return r.WriteMarkdown(b) })
	golden(t, "several.json", func(b *bytes.Buffer) error { return r.WriteJSON(b) })
}

// Versions that differ in the names of variables only have the same lineage.
func TestNamesOfVariablesAreNoChange(t *testing.T) {
	r := run(t, history(t, sendsOnce, resends, renamed, sendsOnce), bisect.Options{})
	m := r.Matrices[0]
	require.Len(t, m.Changes, 2)
	for _, c := range m.Changes {
		require.Len(t, c.Left, 1)
		require.Len(t, c.Entered, 1)
	}
	require.Equal(t, "value(C, V)@async :- value(A, V), source(A, C);", m.Changes[0].Entered[0].Text)
	require.Equal(t, "value(Client, Text)@async :- value(Server, Text), source(Server, Client);", m.Changes[1].Left[0].Text)
}

// In a long history the table folds what is the same, and what was not searched.
func TestLongHistory(t *testing.T) {
	versions := history(t, sendsOnce, resends)
	var long []bisect.Version
	for i := range 20 {
		v := versions[min(i/7, 1)]
		v.Name = fmt.Sprintf("v%d", i+1)
		long = append(long, v)
	}
	golden(t, "long.txt", reportText(run(t, long, bisect.Options{})))
	golden(t, "long-first.txt", reportText(run(t, long, bisect.Options{FirstBad: true})))
}

func TestAllHold(t *testing.T) {
	r := run(t, history(t, resends, sendsTwoWays), bisect.Options{})
	require.Equal(t, result.Holds, r.Verdict)
	require.EqualValues(t, []string{"No schedule within the bounds breaks the promise in any version."}, r.Matrices[0].Conclusion.Sentences)
}

// A version that cannot be searched leaves open whether all hold.
func TestSkippedLeavesItOpen(t *testing.T) {
	r := run(t, history(t, resends, unreadable, sendsTwoWays), bisect.Options{})
	require.Equal(t, result.Inconclusive, r.Verdict)
	golden(t, "skipped.txt", reportText(r))
}

func TestNothingToSearch(t *testing.T) {
	_, err := bisect.Run(t.Context(), history(t, unreadable, unreadable), bisect.Options{})
	require.ErrorContains(t, err, "no version can be searched; of v1.ded: v1.ded:11:")
	_, err = bisect.Run(t.Context(), history(t, resends), bisect.Options{})
	require.ErrorContains(t, err, "two versions or more are needed")
}

// Flags override the bounds of all versions.
func TestBoundsForAllVersions(t *testing.T) {
	o := bisect.Options{Question: &subject.Protocol{Common: subject.Common{Bounds: map[string]string{"omissions": "2"}}}}
	m := run(t, history(t, sendsTwoWays, sendsOnce), o).Matrices[0]
	require.Equal(t, "omit a>b@1; omit a>c@1", m.Findings[0].Schedule.String())
	require.Equal(t, "omit a>c@1", m.Findings[1].Schedule.String())
	require.Equal(t, bisect.Breaks, m.Schedules[0].Effects[1].Outcome)
	require.Equal(t, bisect.Keeps, m.Schedules[1].Effects[0].Outcome)
}

// The same program with wider bounds is broken by a schedule that breaks it in
// its old version as well, outside of the bounds of that.
func TestBoundsThatDiffer(t *testing.T) {
	wider := strings.Replace(sendsTwoWays, "omissions=1", "omissions=2", 1)
	r := run(t, history(t, sendsTwoWays, wider), bisect.Options{})
	golden(t, "bounds.txt", reportText(r))
	golden(t, "bounds.md", func(b *bytes.Buffer) error { return r.WriteMarkdown(b) })
}

// A schedule that names a process which a version does not have does not fit.
func TestMisfit(t *testing.T) {
	two := `// ldfi: processes=a,b eot=4 eff=2 omissions=1
begin("a")@1;
value("a", "v")@1;
value(P, V)@next :- value(P, V);
pre(V) :- value("a", V);
post(V) :- value("b", V);
link("a", "b")@1;
value(B, V)@async :- value(A, V), begin(A), link(A, B);
`
	r := run(t, history(t, sendsOnce, two), bisect.Options{})
	golden(t, "misfit.txt", reportText(r))
}

// What is known is used again, unless it is damaged.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	cache := subject.NewCache(dir, "test")
	versions := history(t, resends, sendsOnce)
	cached := func() (all []bool) {
		for _, f := range run(t, versions, bisect.Options{Cache: cache}).Matrices[0].Findings {
			all = append(all, f.Cached)
		}
		return all
	}
	require.Equal(t, []bool{false, false}, cached())
	require.Equal(t, []bool{true, true}, cached())
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		require.NoError(t, os.WriteFile(file, []byte("damaged"), 0o666))
	}
	require.Equal(t, []bool{false, false}, cached())
	cache = subject.NewCache(dir, "another version")
	require.Equal(t, []bool{false, false}, cached())
}

// A schedule in the cache is executed before anyone is told, even if its entry
// looks right.
func TestCacheIsNotBelieved(t *testing.T) {
	cache := subject.NewCache(t.TempDir(), "test")
	versions := history(t, resends, sendsOnce)
	opened := func(file string) *subject.Opened {
		s := &subject.Protocol{Files: []string{file}}
		o, err := s.Open(t.Context())
		require.NoError(t, err)
		return o
	}
	lie, err := opened("v2.ded").Search(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, lie.Verdict)
	key, err := opened("v1.ded").Identity("")
	require.NoError(t, err)
	require.NoError(t, cache.Put(key, lie))
	f := run(t, versions, bisect.Options{Cache: cache}).Matrices[0].Findings[0]
	require.Equal(t, bisect.Holds, f.State)
	require.False(t, f.Cached)
}

// An interrupted search says what it knows, and that it is not all.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	searched := 0
	r, err := bisect.Run(ctx, history(t, sendsOnce, resends, sendsByRelay), bisect.Options{
		FirstBad: true,
		Progress: func(string) {
			if searched++; searched == 2 { // both ends
				cancel()
			}
		},
	})
	require.NoError(t, err)
	require.True(t, r.Interrupted)
	require.Equal(t, result.Inconclusive, r.Verdict)
	require.Equal(t, bisect.NotSearched, r.Matrices[0].Findings[1].State)
}
