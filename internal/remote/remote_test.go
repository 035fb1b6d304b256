package remote_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// Hosts that this test program becomes when the variable HOST has their name.
var hosts = map[string]func(){
	"replog":   serveReplog,
	"tellers":  serveTellers,
	"silent":   func() { time.Sleep(time.Hour) },
	"garbage":  func() { fmt.Println("hello, world"); time.Sleep(time.Hour) },
	"dies":     func() { fmt.Fprintln(os.Stderr, "no disk"); os.Exit(7) },
	"old":      func() { fmt.Println(`{"id":1,"version":0,"systems":[]}`); time.Sleep(time.Hour) },
	"unasked":  func() { fmt.Println(`{"id":2}`); time.Sleep(time.Hour) },
	"refuses":  func() { _ = wire.Serve(replog.Buggy(), replog.Buggy()) },
	"hangs":    func() { serve(func() { fmt.Fprintln(os.Stderr, "hanging"); time.Sleep(time.Hour) }) },
	"exits":    func() { serve(func() { os.Exit(3) }) },
	"ends":     func() { _ = wire.Serve(ending("crash"), ending("close")) },
	"panics":   func() { serve(func() { panic("out of cheese") }) },
	"foreign":  foreign,
	"executes": executingBadly,
	"vets":     vets,
	"single":   serveSingle,
	"machines": func() { _ = wire.Serve(systems.Racing("racing", true), systems.Lucky("lucky", 14)) },
	"calls":    func() { _ = wire.Serve(allCallers...) },
	"idle": func() {
		s := misbehaving(func() {})
		s.Processes = []string{"a", "b"}
		_ = wire.Serve(s)
	},
	"unlinked": func() { // a program that does not import package rules
		datalog.Mangle = nil
		serveReplog()
	},
	"builds": func() {
		_ = os.WriteFile(filepath.Join(os.Getenv("GOTMPDIR"), "built"), nil, 0o600)
		serveReplog()
	},
}

func TestMain(m *testing.M) {
	if host := hosts[os.Getenv("HOST")]; host != nil {
		host()
		return
	}
	os.Exit(m.Run())
}

func serveReplog() {
	buggy := replog.Buggy()
	once, with := sync.Once{}, buggy.New
	buggy.New = func(name string, random *rand.Rand) system.Process {
		once.Do(func() { fmt.Println("this is printed, and goes to standard error") })
		return with(name, random)
	}
	if err := wire.Serve(buggy, replog.Fixed()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve serves a system whose process misbehaves in round 2.
func serve(misbehave func()) {
	s := misbehaving(misbehave)
	_ = wire.Serve(s)
}

func misbehaving(misbehave func()) *system.System {
	return &system.System{
		Name: "s", Processes: []string{"a"}, Rounds: 3,
		New:        func(string, *rand.Rand) system.Process { return process(misbehave) },
		Properties: []property.Property{rules.New("p", "violation(P) :- crashed(P, R).")},
	}
}

type process func()

func (p process) Send(s *system.Step) {
	if s.Round() == 2 {
		p()
	}
}
func (p process) Receive(*system.Step, []system.Message) {}

// foreign is a host that judges nothing.
func foreign() {
	const recording = `{"bounds":{"processes":["a"],"eot":2,"crashes":0,"omissions":0,"isolations":0,"period":1,"crash":"stop"},` +
		`"schedule":%q,"facts":[%s],"messages":[]}`
	requests := bufio.NewScanner(os.Stdin)
	requests.Scan()
	fmt.Println(`{"id":1,"version":1,"systems":[{"name":"f","processes":["a"],"rounds":2,"properties":[{"name":"p","rules":"violation(P) :- crashed(P, R)."}],"faults":{"crashes":1}}]}`)
	for requests.Scan() {
		var request struct { // a request that was given up leaves a gap
			ID       int
			Schedule string
		}
		if json.Unmarshal(requests.Bytes(), &request) != nil {
			return
		}
		fact := `{"relation":"x","args":["a",1],"round":1}`
		if strings.Contains(request.Schedule, "crash a@1") {
			fact = ""
		}
		fmt.Printf(`{"id":%d,"execution":`+recording+"}\n", request.ID, request.Schedule, fact)
	}
}

func start(t *testing.T, host string, o remote.Options) (*remote.Remote, error) {
	t.Helper()
	t.Setenv("HOST", host)
	program, err := os.Executable()
	require.NoError(t, err)
	r, err := remote.Start(t.Context(), "'"+program+"'", o)
	if err == nil {
		t.Cleanup(func() { require.NoError(t, r.Close()) })
	}
	return r, err
}

func schedule(t *testing.T, text string) rounds.Schedule {
	t.Helper()
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// A host does what the system does in this program.
func TestRemoteIsAsLocal(t *testing.T) {
	var stderr bytes.Buffer
	r, err := start(t, "replog", remote.Options{Stderr: &stderr})
	require.NoError(t, err)
	for _, local := range []*system.System{replog.Buggy(), replog.Fixed()} {
		remote, err := r.System(local.Name)
		require.NoError(t, err)
		require.Equal(t, local.Processes, remote.Processes)
		require.Equal(t, []string{"fingerprints", "snapshots"}, remote.Offers)
		b := local.Bounds(0)
		b.Isolations, b.Period, b.Omissions = 3, 4, 3
		judge, err := property.Compile(local.Properties[0])
		require.NoError(t, err)
		universe, random := schedules.New(b), rand.New(rand.NewPCG(1, 1))
		for range 15 {
			s := universe.Random(random)
			want, err := local.Run(t.Context(), s, system.RunOptions{})
			require.NoError(t, err)
			violations, err := judge.Check(want)
			require.NoError(t, err)
			got, found, err := remote.Execute(t.Context(), s, 0, messages.Always)
			require.NoError(t, err)
			require.Equal(t, lines(t, want), lines(t, got))
			require.Equal(t, violations, found)
		}
	}
	require.NoError(t, r.Close())
	require.Equal(t, "this is printed, and goes to standard error\n", stderr.String())
}

// What a go run builds is removed with it, and it does not get to that itself.
func TestGoRunLeavesNothing(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("GOTMPDIR", temporary)
	t.Setenv("HOST", "builds")
	program, err := os.Executable()
	require.NoError(t, err)
	command := filepath.Join(t.TempDir(), "go")
	require.NoError(t, os.Symlink(program, command))
	r, err := remote.Start(t.Context(), "'"+command+"' run ./host", remote.Options{})
	require.NoError(t, err)
	built, err := filepath.Glob(filepath.Join(temporary, "*", "built"))
	require.NoError(t, err)
	require.Len(t, built, 1)
	require.NoError(t, r.Close())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}

func lines(t *testing.T, e *recording.Execution) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, e.WriteLines(&b))
	return b.String()
}

func TestRecordings(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-buggy")
	require.NoError(t, err)
	good, bad := schedule(t, ""), schedule(t, "isolate p2@1..4; isolate p2@5..8")
	for _, c := range []struct {
		schedule  rounds.Schedule
		recording messages.Recording
		recorded  bool
	}{
		{good, messages.Always, true}, {bad, messages.Always, true},
		{good, messages.Violated, false}, {bad, messages.Violated, true},
		{good, messages.Never, false}, {bad, messages.Never, false},
	} {
		e, violations, err := s.Execute(t.Context(), c.schedule, 0, c.recording)
		require.NoError(t, err)
		require.Equal(t, c.recorded, e != nil, "%s %s", c.schedule, c.recording)
		require.Equal(t, c.schedule.Size() > 0, len(violations) > 0)
	}
	e, _, err := s.Execute(t.Context(), good, 5, messages.Always)
	require.NoError(t, err)
	require.Equal(t, 5, e.Bounds.EOT)
}

// Many goroutines can share a host.
func TestManyAtOnce(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-buggy")
	require.NoError(t, err)
	bad := schedule(t, "isolate p2@1..4; isolate p2@5..8")
	var all sync.WaitGroup
	wrong := make(chan string, 60)
	for i := range 60 {
		all.Go(func() {
			faults := rounds.Schedule{Faults: bad.Faults[:i%3]}
			_, violations, err := s.Execute(context.Background(), faults, 0, messages.Violated)
			if err != nil || (len(violations) > 0) != (i%3 == 2) {
				wrong <- fmt.Sprint(faults, violations, err)
			}
		})
	}
	all.Wait()
	require.Empty(t, wrong)
}

// The host judges rules that are added, too, if it can read them; else they are
// judged here.
func TestAddedProperties(t *testing.T) {
	for _, host := range []string{"replog", "unlinked"} {
		added := rules.New("no output", "violation(P) :- output(P, Index, Log, R).")
		r, err := start(t, host, remote.Options{Properties: []property.Property{added}})
		require.NoError(t, err)
		s, err := r.System("replog-fixed")
		require.NoError(t, err)
		e, violations, err := s.Execute(t.Context(), rounds.Schedule{}, 0, messages.Never)
		require.NoError(t, err)
		require.Len(t, violations, 3)
		require.Equal(t, "no output: violation(p1)", violations[0].String())
		require.Equal(t, host == "unlinked", e != nil, "what is judged here needs a recording")
	}

	_, err := start(t, "replog", remote.Options{Properties: []property.Property{rules.New("bad", "violation(P) :- ")}})
	require.ErrorContains(t, err, "bad:1")
}

// What a host does not judge is judged here.
func TestHostThatJudgesNothing(t *testing.T) {
	added := rules.New("x", "violation(P) :- x(P, 1, R).")
	r, err := start(t, "foreign", remote.Options{Properties: []property.Property{added}})
	require.NoError(t, err)
	s, err := r.System("")
	require.NoError(t, err)
	_, violations, err := s.Execute(t.Context(), schedule(t, "crash a@2"), 0, messages.Violated)
	require.NoError(t, err)
	require.Len(t, violations, 2)
	require.Equal(t, "p: violation(a)", violations[0].String())
	require.Equal(t, "x: violation(a)", violations[1].String())
}

func TestHostsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct{ host, message string }{
		{"silent", "did not answer a hello within 50ms, and was killed"},
		{"garbage", `"hello, world" is no line of the protocol: invalid character 'h'`},
		{"dies", "the host ended: exit status 7"},
		{"old", "the host speaks version 0 of the protocol, and not 1"},
		{"unasked", "the host answers request 2, which was not made or is answered already"},
		{"refuses", `two systems have the name "replog-buggy"`},
	} {
		t.Run(c.host, func(t *testing.T) {
			o := remote.Options{}
			if c.host == "silent" {
				o.Greeting = 50 * time.Millisecond
			}
			_, err := start(t, c.host, o)
			require.ErrorContains(t, err, c.message)
		})
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\ntest \"$1\" = run && exec sleep 100\n"), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	_, err := remote.Start(t.Context(), "go run ./host", remote.Options{Greeting: 50 * time.Millisecond})
	require.EqualError(t, err, "starting the host of the system (go run ./host): the host is not built after 50ms, or does not answer, and was killed")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ldfi"), []byte("#!/bin/sh\nexec sleep 100\n"), 0o700))
	_, err = remote.Start(t.Context(), "ldfi nodes --server ./kv", remote.Options{Greeting: 50 * time.Millisecond})
	require.ErrorContains(t, err, "the programs are not built after 50ms, and building them was ended: it goes on from there when the command is given again")
	_, err = remote.Start(t.Context(), "sh -c 'exec 1>&-; sleep 100'", remote.Options{})
	require.ErrorContains(t, err, "the host closed its standard output, or was killed: signal: killed")
	_, err = remote.Start(t.Context(), "/no/such/program", remote.Options{})
	require.ErrorContains(t, err, "starting the host of the system (/no/such/program)")
	_, err = remote.Start(t.Context(), "a 'b", remote.Options{})
	require.ErrorContains(t, err, "not closed")
	_, err = remote.Start(t.Context(), " ", remote.Options{})
	require.ErrorContains(t, err, "the command is empty")
}

func TestExecutionsThatFail(t *testing.T) {
	execute := func(host string, o remote.Options) (*remote.System, error) {
		r, err := start(t, host, o)
		require.NoError(t, err)
		s, err := r.System("s")
		require.NoError(t, err)
		_, _, err = s.Execute(t.Context(), rounds.Schedule{}, 0, messages.Violated)
		return s, err
	}
	s, err := execute("panics", remote.Options{})
	require.NoError(t, err)
	e, violations, err := s.Execute(t.Context(), rounds.Schedule{}, 0, messages.Violated)
	require.NoError(t, err)
	require.Equal(t, "no panic: process a panics in round 2: out of cheese", violations[0].String())
	require.Contains(t, violations[0].Stack[0], " at remote/remote_test.go:")
	require.Equal(t, 3, e.Bounds.EOT)
	_, _, err = s.Execute(t.Context(), rounds.Schedule{}, 1, messages.Violated)
	require.NoError(t, err, "the host goes on")
	_, _, err = s.Execute(t.Context(), rounds.Schedule{}, 1_000_000, messages.Violated)
	require.ErrorContains(t, err, "an execution has 1 to 100000 rounds")
	_, _, err = s.Execute(t.Context(), schedule(t, "crash b@1"), 1, messages.Violated)
	require.ErrorContains(t, err, `"b"`)

	_, err = execute("hangs", remote.Options{Answer: 50 * time.Millisecond})
	require.ErrorContains(t, err, "the host did not answer a run within 50ms, and was killed")
	s, err = execute("exits", remote.Options{})
	require.ErrorContains(t, err, "the host ended: exit status 3")
	_, _, err = s.Execute(t.Context(), rounds.Schedule{}, 1, messages.Violated)
	require.ErrorContains(t, err, "the host ended: exit status 3")
}

// ending is a system whose process panics where it is told that it crashes, or once it
// has crashed that the execution is over.
func ending(where string) *system.System {
	s := misbehaving(nil)
	s.Name, s.New = where, func(string, *rand.Rand) system.Process { return &mourner{where: where} }
	return s
}

type mourner struct {
	where string
	down  bool
}

func (*mourner) Send(*system.Step)                      {}
func (*mourner) Receive(*system.Step, []system.Message) {}

func (m *mourner) Crash() {
	if m.down = true; m.where == "crash" {
		panic("why me")
	}
}

func (m *mourner) Close() {
	if m.down && m.where == "close" {
		panic("too late")
	}
}

// What panics where a process is told that it ends is believed, though the process
// takes no part in that round.
func TestPanicsAtTheEnd(t *testing.T) {
	r, err := start(t, "ends", remote.Options{})
	require.NoError(t, err)
	for _, name := range []string{"crash", "close"} {
		s, err := r.System(name)
		require.NoError(t, err)
		for text, round := range map[string]int{"crash a@2": 2, "crash a@3": 3, "pause a@2..3; crash a@2": 2} {
			want := fmt.Sprintf("no panic: process a panics in round %d: why me", round)
			if name == "close" {
				want = "no panic: process a panics in round 3: too late"
			}
			_, violations, err := s.Execute(t.Context(), schedule(t, text), 0, messages.Violated)
			require.NoError(t, err, text)
			require.Equal(t, want, violations[0].String(), text)
		}
	}
}

// Of a host that executes one schedule after the other, and does not answer in time, the
// schedule that waited longest may not be the one that it does not come back from.
func TestSilentHostHasSuspects(t *testing.T) {
	r, err := start(t, "hangs", remote.Options{Answer: time.Second})
	require.NoError(t, err)
	s, err := r.System("s")
	require.NoError(t, err)
	texts := []string{"", "crash a@1", "crash a@2", "crash a@3"}
	lost := make([]error, len(texts))
	var all sync.WaitGroup
	for i, text := range texts {
		under := schedule(t, text)
		all.Go(func() { _, _, lost[i] = s.Execute(t.Context(), under, 0, messages.Violated) })
	}
	all.Wait()
	count := 0 // of the schedules that it executes without being called in round 2
	for _, err := range lost {
		var failure *remote.LostError
		if !errors.As(err, &failure) {
			require.NoError(t, err)
			count++
			continue
		}
		require.Greater(t, len(failure.Suspects), 1)
		require.Contains(t, fmt.Sprint(failure.Suspects), "crash a@3", "which calls it in round 2 as well")
	}
	require.LessOrEqual(t, count, 2)
}

// Whoever stops waiting gets no answer, and the others get theirs.
func TestCancel(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("replog-fixed")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 30 {
		_, _, err = s.Execute(ctx, rounds.Schedule{}, 0, messages.Violated)
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		_, _, err = s.Execute(t.Context(), rounds.Schedule{}, 0, messages.Violated)
		require.NoError(t, err)
	}
}

func TestSystemsOfAHost(t *testing.T) {
	r, err := start(t, "replog", remote.Options{})
	require.NoError(t, err)
	require.Len(t, r.Systems(), 2)
	_, err = r.System("")
	require.EqualError(t, err, "the host has several systems, name one by --name (in a suite system-name): replog-buggy, replog-fixed")
	_, err = r.System("x")
	require.EqualError(t, err, `the host has no system "x", only: replog-buggy, replog-fixed`)
}

// What a host says may go wrong holds where the user does not say.
func TestFaultsOfASystem(t *testing.T) {
	r, err := start(t, "foreign", remote.Options{})
	require.NoError(t, err)
	s, err := r.System("f")
	require.NoError(t, err)
	require.Equal(t, rounds.Bounds{Processes: []string{"a"}, EOT: 2, Crashes: 1, CrashStop: true}, s.DefaultBounds(rounds.Bounds{}))
	require.Equal(t, 0, s.DefaultBounds(rounds.Bounds{Isolations: 1}).Crashes)
}
