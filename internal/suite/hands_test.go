package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// written is a report as text and as JSON, without times.
func written(t *testing.T, r *Report) string {
	t.Helper()
	data := comparable(t, r)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	return text.String() + data
}

// The protocols of the repository get the same report from workers, byte for byte.
func TestHandedOut(t *testing.T) {
	t.Chdir("../..")
	s, err := Read(FileName)
	require.NoError(t, err)
	hands := &workers.Hands{T: t, Many: 3}
	for i := range s.Cases {
		if s.Cases[i].Subject.AsSystem() != nil {
			s.Cases = s.Cases[:i]
			break
		}
	}
	require.Greater(t, len(s.Cases), 30)
	here := s.Run(t.Context(), Options{Unkept: true})
	there := s.Run(t.Context(), Options{Unkept: true, Hands: hands})
	require.Equal(t, written(t, here), written(t, there))
	bounded := 0
	for i := range s.Cases { // proofs for any number of rounds are made here
		if p := s.Cases[i].Subject.AsProtocol(); !p.AnyRounds && p.Bounds["within"] == "" {
			bounded++
		}
	}
	require.Len(t, hands.Units, bounded)
	require.Empty(t, hands.Doubted)
}

// What workers say that is not true, or cannot do, changes nothing.
func TestHandedInVain(t *testing.T) {
	s := small(t)
	here := written(t, s.Run(t.Context(), Options{Unkept: true}))
	for name, change := range map[string]func(*work.Unit, *work.Result) error{
		"another schedule": func(_ *work.Unit, r *work.Result) error {
			r.Answer = []byte(strings.ReplaceAll(string(r.Answer), `b@1"`, `b@3"`))
			return nil
		},
		"another verdict": func(_ *work.Unit, r *work.Result) error {
			r.Answer = []byte(strings.ReplaceAll(string(r.Answer), `"violated"`, `"broken"`))
			return nil
		},
		"no answer": func(_ *work.Unit, r *work.Result) error { r.Answer = []byte(`null`); return nil },
		"garbage":   func(_ *work.Unit, r *work.Result) error { r.Answer = []byte(`{"verdict":7}`); return nil },
		"an error":  func(_ *work.Unit, r *work.Result) error { r.Answer, r.Failure = nil, "no"; return nil },
		"refused":   func(*work.Unit, *work.Result) error { return &work.RefusedError{Reason: "the store is full"} },
	} {
		hands := &workers.Hands{T: t, Change: change}
		require.Equal(t, here, written(t, s.Run(t.Context(), Options{Unkept: true, Hands: hands})), name)
		require.Len(t, hands.Units, 3)
		switch name {
		case "an error", "refused":
			require.Empty(t, hands.Doubted, name)
		case "another schedule", "another verdict":
			require.Len(t, hands.Doubted, 1, name)
		default:
			require.Len(t, hands.Doubted, 3, name)
		}
	}
}

// A worker that tells a reason in other words, or another place, is no liar; one that says
// that something else is broken is.
func TestHandedInOtherWords(t *testing.T) {
	t.Chdir("../..")
	file, err := filepath.Abs("testdata/protocols/commit/2pc_ctp.ded")
	require.NoError(t, err)
	s := suiteOf(t, fmt.Sprintf("cases:\n  - {files: %q, bounds: {omissions: 0}, expect: violated}\n", file), nil)
	here := written(t, s.Run(t.Context(), Options{Unkept: true}))
	hands := &workers.Hands{T: t}
	require.Equal(t, here, written(t, s.Run(t.Context(), Options{Unkept: true, Hands: hands})))
	require.Empty(t, hands.Doubted, "run and inject may explain a schedule in different lines")

	for name, test := range map[string]struct {
		change func(*result.Counterexample)
		liar   bool
	}{
		"a reason":         {func(c *result.Counterexample) { c.Because = []string{"of another thing"} }, false},
		"a sentence":       {func(c *result.Counterexample) { c.Violations[0].Text = "it is gone" }, false},
		"a place":          {func(c *result.Counterexample) { c.Violations[0].Line++ }, false},
		"another promise":  {func(c *result.Counterexample) { c.Violations[0].Property = "good" }, true},
		"another fact":     {func(c *result.Counterexample) { c.Violations[0].Fact.Round++ }, true},
		"nothing else":     {func(c *result.Counterexample) { c.Violations = c.Violations[:1] }, true},
		"there or missing": {func(c *result.Counterexample) { c.Violations[0].Missing = false }, true},
	} {
		hands := &workers.Hands{T: t, Change: func(_ *work.Unit, r *work.Result) error {
			var a result.Answer
			require.NoError(t, json.Unmarshal(r.Answer, &a))
			test.change(a.First())
			r.Answer, err = json.Marshal(&a)
			return err
		}}
		r := s.Run(t.Context(), Options{Unkept: true, Hands: hands})
		require.Equal(t, Pass, r.Cases[0].Outcome, name)
		require.Equal(t, test.liar, len(hands.Doubted) > 0, "%s: %v", name, hands.Doubted)
	}
}

// A case that nobody could do is inconclusive, also where that is expected; the others are
// not touched. The cache keeps nothing of what workers say.
func TestSetAside(t *testing.T) {
	s := suiteOf(t, "cases:\n  - files: again.ded\n    expect: inconclusive\n  - files: once.ded\n    expect: violated\n", map[string]string{"once.ded": once, "again.ded": again})
	hands := &workers.Hands{T: t, Change: func(u *work.Unit, r *work.Result) error {
		if strings.Contains(string(u.Ask), "again.ded") {
			r.Answer, r.Failure, r.Tries = nil, "the process was killed: more than 1 GiB", 3
		}
		return nil
	}}
	cache := subject.NewCache(t.TempDir(), "v1")
	for range 2 {
		r := s.Run(t.Context(), Options{Hands: hands, Cache: cache})
		require.Equal(t, Inconclusive, r.Worst())
		require.Equal(t, "inconclusive, as expected, but this case did not come to its end: set aside after 3 tries: the process was killed: more than 1 GiB", r.Cases[0].Differs)
		require.Equal(t, Pass, r.Cases[1].Outcome)
	}
	require.Len(t, hands.Units, 4, "what workers say is not kept")
}

// Where nobody can do anything any more all cases say so.
func TestNoHands(t *testing.T) {
	hands := &workers.Hands{T: t, Change: func(*work.Unit, *work.Result) error { return errors.New("the server is gone") }}
	r := small(t).Run(t.Context(), Options{Unkept: true, Hands: hands})
	for _, c := range r.Cases {
		require.Equal(t, "the server is gone", c.Error)
	}
}

// queue are hands that let every unit wait, by a clock of the test, and tell how long it
// may take.
type queue struct {
	workers.Hands
	wait  time.Duration
	slots atomic.Int64
	limit atomic.Int64
	now   atomic.Int64 // units that wait
	most  atomic.Int64
}

func (q *queue) Slots() int { return int(q.slots.Load()) }

func (q *queue) Do(ctx context.Context, u *work.Unit, limit time.Duration, file func(string) ([]byte, error)) (*work.Result, error) {
	q.limit.Store(int64(limit))
	now := q.now.Add(1)
	defer q.now.Add(-1)
	q.most.Store(max(q.most.Load(), now))
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(q.wait):
	}
	return q.Hands.Do(ctx, u, limit, file)
}

// The time of a case begins when a worker begins it, and what it says when it is up is the
// same as in one process. A budget counts from the beginning.
func TestTimeOfHandedCases(t *testing.T) {
	files := map[string]string{"once.ded": once, "again.ded": again}
	text := "cases:\n  - files: again.ded\n    timeout: 1m\n"
	synctest.Test(t, func(t *testing.T) {
		hands := &queue{Hands: workers.Hands{T: t}, wait: time.Hour}
		hands.slots.Store(1)
		r := suiteOf(t, text, files).Run(t.Context(), Options{Hands: hands})
		require.Equal(t, Pass, r.Cases[0].Outcome, "it waited for an hour, and took less than a minute")
		require.Equal(t, time.Minute, time.Duration(hands.limit.Load()))

		r = suiteOf(t, text, files).Run(t.Context(), Options{Hands: hands, Budget: 10 * time.Second})
		require.Equal(t, "inconclusive, and expected to hold: its share of the budget, 10s, is used up", r.Cases[0].Differs)
	})
	late := suiteOf(t, "cases:\n  - files: again.ded\n    timeout: 1ns\n", files)
	here := written(t, late.Run(t.Context(), Options{}))
	require.Contains(t, here, "the time is up: 1ns")
	cache := subject.NewCache(t.TempDir(), "v1")
	for range 2 {
		hands := &workers.Hands{T: t}
		require.Equal(t, here, written(t, late.Run(t.Context(), Options{Hands: hands, Cache: cache})))
		require.Len(t, hands.Units, 1, "what a limit of time ended is not kept")
	}
}

// The host of a case is built once, for workers and for this process, and before the time of
// the case begins: its share of the budget is whole when a worker gets it.
func TestBuildingIsNoPartOfTheTimeOfHandedCases(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	built := filepath.Join(dir, "built")
	goes := "#!/bin/sh\necho \"$1\" >> " + built + "\n" + `test "$1" = build || exit 1
while [ "$1" != -o ]; do shift; done
cp ` + program + ` "$2"
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(goes), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv(asHost, "1")
	s := suiteOf(t, "cases:\n  - {system: go run ./host, system-name: election-buggy, bounds: {isolations: 1, period: 2}, expect: violated}\n", nil)
	hands := &queue{Hands: workers.Hands{T: t, Hosts: true}}
	hands.slots.Store(2)
	begun := time.Now()
	hour := func() time.Time {
		if text, _ := os.ReadFile(built); strings.Contains(string(text), "build") {
			return begun.Add(time.Hour)
		}
		return begun
	}
	r := &run{suite: s, options: Options{Unkept: true, Hands: hands, Budget: time.Minute, Workers: 1, Progress: func(string) {}}, now: hour}
	report := r.all(t.Context())
	require.Equal(t, Pass, report.Cases[0].Outcome, report.Cases[0].Differs+report.Cases[0].Error)
	require.Equal(t, time.Minute, time.Duration(hands.limit.Load()))
	require.Empty(t, hands.Kept)
	commands, err := os.ReadFile(built)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(commands), "build"))
	require.NotContains(t, string(commands), "run", "what was found is executed by the program that the worker had")
}

// Nor of the time that the case is said to have taken, where it is asked here.
func TestBuildingIsNoPartOfTheTimeThatIsTold(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	built := filepath.Join(dir, "built")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\ntest \"$1\" = run || exit 1\necho >> "+built+"\nexec "+program+"\n"), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv(asHost, "1")
	s := suiteOf(t, "cases:\n  - {system: go run ./host, system-name: election-buggy, bounds: {isolations: 1, period: 2}, expect: violated}\n", nil)
	begun := time.Now()
	hour := func() time.Time {
		if _, err := os.Stat(built); err == nil {
			return begun.Add(time.Hour)
		}
		return begun
	}
	r := &run{suite: s, options: Options{Unkept: true, Workers: 1, Progress: func(string) {}}, now: hour}
	report := r.all(t.Context())
	require.Equal(t, Pass, report.Cases[0].Outcome, report.Cases[0].Differs+report.Cases[0].Error)
	require.FileExists(t, built)
	require.Less(t, report.Cases[0].elapsed(), time.Minute)
}

// Workers that come later get cases at once, and there is always a next one.
func TestMoreWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hands := &queue{Hands: workers.Hands{T: t}, wait: time.Minute}
		hands.slots.Store(1)
		s := suiteOf(t, "cases:\n"+strings.Repeat("  - files: once.ded\n", 1), map[string]string{"once.ded": once})
		for range 39 {
			s.Cases = append(s.Cases, s.Cases[0])
		}
		start := time.Now()
		time.AfterFunc(90*time.Second, func() { hands.slots.Store(4) })
		s.Run(t.Context(), Options{Unkept: true, Hands: hands})
		require.EqualValues(t, 8, hands.most.Load())
		require.Less(t, time.Since(start), 8*time.Minute)
	})
}

// Systems get the same report from workers. A host is started here only to execute what
// was found, or was kept.
func TestSystemsHandedOut(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(asHost, "1")
	text := fmt.Sprintf("cases:\n  - {system: %q, system-name: election, bounds: {isolations: 2, period: 2, eff: 3}, inputs: host.txt}\n"+
		"  - {system: %[1]q, system-name: election-buggy, bounds: {isolations: 1, period: 2}, inputs: host.txt, expect: violated, faults: 1}\n"+
		"  - {system: %[1]q, system-name: none}\n", program)
	s := suiteOf(t, text, map[string]string{"host.txt": "1"})
	count := filepath.Join(t.TempDir(), "starts")
	t.Setenv(starts, count)
	started := func(o Options) (text string, hosts int) {
		require.NoError(t, os.WriteFile(count, nil, 0o600))
		text = written(t, s.Run(t.Context(), o))
		lines, err := os.ReadFile(count)
		require.NoError(t, err)
		return text, strings.Count(string(lines), "x")
	}
	here, hosts := started(Options{Unkept: true})
	require.Equal(t, 3, hosts)
	hands := &workers.Hands{T: t, Many: 2, Hosts: true}
	cache := subject.NewCache(t.TempDir(), "v1")
	there, hosts := started(Options{Unkept: true, Hands: hands, Cache: cache})
	require.Equal(t, here, there)
	require.Equal(t, 3+2, hosts, "of workers, to execute what was found again, and to have the error that the worker has")
	require.Len(t, hands.Units, 3)
	require.Empty(t, hands.Doubted)

	started(Options{Unkept: true, Cache: cache})
	_, hosts = started(Options{Unkept: true, Hands: hands, Cache: cache})
	require.Equal(t, 1+1+1, hosts, "what is known was found here, and is executed again")
	require.Len(t, hands.Units, 3+1)

	started(Options{})
	require.FileExists(t, filepath.Join(s.dir(), "testdata/ldfi/election-buggy/one_leader_per_term.txt"))
	here, _ = started(Options{})
	there, _ = started(Options{Hands: hands})
	require.Equal(t, here, there)
}
