package process_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/process/testdata/same"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

var long = flag.Int("long", 20, "how often what has to be the same is executed, and how many random schedules are compared")

// built builds a program of testdata as a node, once.
func built(t *testing.T, pkg string) string {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	once, _ := programs.LoadOrStore(pkg, sync.OnceValues(func() (string, error) {
		file := filepath.Join(scratch, filepath.Base(pkg))
		return file, process.Build(context.Background(), ".", pkg, file)
	}))
	file, err := once.(func() (string, error))()
	require.NoError(t, err)
	return file
}

var programs sync.Map

// one executes a program on one node, and returns what it reports.
func one(t *testing.T, rounds int, args ...string) (facts []string, ends error) {
	c := process.Cluster{Rounds: rounds, Apart: -1, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/ends"), Args: args, Env: []string{"COLOUR=blue {name}"}}}}
	s, err := c.System()
	require.NoError(t, err)
	r := s.NewRunner()
	r.Options.Record = true
	err = r.Run(t.Context(), parse(t, ""))
	for _, f := range r.Execution().Facts {
		if f.Relation != "up" {
			facts = append(facts, f.String())
		}
	}
	return facts, err
}

func parse(t *testing.T, text string) rounds.Schedule {
	s, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	return s
}

// A program that returns has ended, and no server ends. Its clock begins in 2000, and what
// its package variables have is usable.
func TestReturns(t *testing.T) {
	facts, err := one(t, 5, "returns")
	require.Equal(t, []string{`exit("n1", 0)@2`, `log("n1", "", "made in init 2000-01-01 00:00:00.02 +0000 UTC", "", "")@2`}, facts)
	ended := (*system.PanicError)(nil)
	require.ErrorAs(t, err, &ended)
	require.True(t, ended.Exit)
	require.Equal(t, "exit status 0: made in init 2000-01-01 00:00:00.02 +0000 UTC", ended.Text)
}

// A node that wastes more than its memory collects garbage by itself, and the recording says
// that it is not exact; one that stays below does not.
func TestMemory(t *testing.T) {
	for mebibytes, exact := range map[string]bool{"40": true, "200": false} {
		c := process.Cluster{Rounds: 2, Apart: -1, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/ends"), Args: []string{"needs", mebibytes}, Env: []string{"GOMEMLIMIT=100MiB"}}}}
		s, err := c.System()
		require.NoError(t, err)
		r := s.NewRunner()
		r.Options.Record = true
		require.Error(t, r.Run(t.Context(), parse(t, "")), "it ends")
		require.Contains(t, printed(r.Execution(), "n1"), "has wasted it")
		require.Equal(t, exact, r.Execution().Inexact == "", r.Execution().Inexact)
	}
}

// What a program has printed before its end is there, also without the end of a line.
func TestFatal(t *testing.T) {
	facts, err := one(t, 3, "fatal")
	require.Equal(t, []string{`exit("n1", 1)@1`, `log("n1", "", "it does not go on", "", "")@1`, `log("n1", "", "without an end", "", "")@1`}, facts)
	require.ErrorContains(t, err, "exit status 1")
}

// What a program says last is not how it is to be used.
func TestUsage(t *testing.T) {
	_, err := one(t, 3, "usage")
	require.ErrorContains(t, err, "exit status 2: flag provided but not defined: -nam")
}

// A client that fails is told with what it printed last, or how it panicked: the status alone
// gives no reason.
func TestClientFails(t *testing.T) {
	program := built(t, "./testdata/ends")
	for how, text := range map[string]string{
		"fatal":  "client ends with status 1: it does not go on",
		"panics": "client ends with status 2: panic: boom",
		"mute":   "client ends with status 3",
	} {
		c := process.Cluster{
			Rounds:  120,
			Apart:   -1,
			Nodes:   []process.Node{{Name: "n1", File: program, Args: []string{"waits"}}},
			Clients: []process.Node{{Name: "client", File: program, Args: []string{how}}},
		}
		s, err := c.System()
		require.NoError(t, err)
		_, violated := run(t, s, "")
		require.Equal(t, map[string]string{"clients succeed": text}, violated, how)
	}
}

// What a program says last is no heading and no usage. Of a failed test it is why it failed.
func TestLastWords(t *testing.T) {
	for printed, words := range map[string]string{
		"one\ntwo\n": "two",
		"flag provided but not defined: -nam\nUsage of x:\n  -name string\n":    "flag provided but not defined: -nam",
		"--- FAIL: TestX (0.00s)\n    x_test.go:9: read 3 keys, want 4\nFAIL\n": "read 3 keys, want 4",
		"--- FAIL: TestX (0.00s)\n    x_test.go:9: \n        \tError Trace:\t/x_test.go:9\n        \tError:      \tReceived unexpected error:\n        \t            \tconnection refused\n        \tTest:       \tTestX\nFAIL\n": "Received unexpected error: connection refused",
		"2026/11/28 14:00:00 x.go:5: lost\n": "x.go:5: lost",
		"":                                   "",
		"  x\n":                              "",
	} {
		require.Equal(t, words, process.LastWords(printed), printed)
	}
}

// A node is up in the rounds in which it runs: not while it is down or paused, and not after
// its end.
func TestUp(t *testing.T) {
	s := cluster(t)
	e, err := s.Run(t.Context(), parse(t, "crash a@9; restart a@20; pause b@30"), system.RunOptions{})
	require.NoError(t, err)
	up := map[string][]int{}
	for _, f := range e.Facts {
		if f.Relation == "up" {
			up[f.Args[0].Text()] = append(up[f.Args[0].Text()], f.Round)
		}
	}
	from := func(first, last int) (all []int) {
		for r := first; r <= last; r++ {
			all = append(all, r)
		}
		return all
	}
	require.Equal(t, append(from(1, 8), from(20, 120)...), up["a"])
	require.Equal(t, append(from(1, 29), from(31, 120)...), up["b"])
	require.Equal(t, from(1, 120), up["c"])
	facts, _ := one(t, 5, "returns")
	require.Len(t, facts, 2)
}

// A panic is told with its place, and nothing that was printed before is lost.
func TestPanics(t *testing.T) {
	facts, err := one(t, 3, "panics")
	require.Equal(t, []string{`exit("n1", 2)@1`, `log("n1", "", "before", "", "")@1`}, facts)
	ended := (*system.PanicError)(nil)
	require.ErrorAs(t, err, &ended)
	require.False(t, ended.Exit)
	require.Equal(t, "boom", ended.Text)
	require.Regexp(t, `^main\.main\.func\d at ends/main\.go:\d+$`, ended.Stack[0])
}

// A program that runs for ever is ended, and its stack is told. This takes five seconds of
// processor time.
func TestLoops(t *testing.T) {
	if *long <= 20 {
		t.Skip("takes five seconds: with -args -long 21 or more")
	}
	_, err := one(t, 2, "loops")
	ended := (*system.PanicError)(nil)
	require.ErrorAs(t, err, &ended)
	require.True(t, ended.Hangs)
	require.Equal(t, "main.main", strings.Fields(ended.Stack[0])[0])
}

// A program that fills the memory of the machine is ended, and that is no finding.
func TestFills(t *testing.T) {
	before := process.MostResident(100 << 20)
	defer process.MostResident(before)
	_, err := one(t, 2, "fills")
	require.ErrorContains(t, err, "node n1: it has filled more than 100 MiB of memory and was ended")
	require.NotErrorAs(t, err, new(*system.PanicError))
}

// Pipes are within the node, finalizers run in it, no other program is started, and what is
// printed of an address does not depend on where something lies.
func TestOfTheSystem(t *testing.T) {
	facts, _ := one(t, 5, "pipes")
	require.Equal(t, []string{`exit("n1", 0)@3`, `log("n1", "", "through 2000-01-01 00:00:00.03 +0000 UTC", "", "")@3`}, facts)
	facts, _ = one(t, 2, "collects")
	require.Contains(t, facts, `log("n1", "", "finalized: true", "", "")@1`)
	facts, _ = one(t, 2, "starts")
	require.Contains(t, facts, `log("n1", "", "fork/exec /bin/true: a node of ldfi starts no other programs: their executions would not repeat", "", "")@1`)
	facts, _ = one(t, 2, "asks")
	require.Contains(t, facts, `log("n1", "", "n1 1000 1 1 true blue n1", "", "")@1`)
	facts, _ = one(t, 2, "prints")
	require.Contains(t, facts, `log("n1", "", "0xc000000010 0xc000000020 0xc000000010 {0xc000000020} <nil>", "", "")@1`)
	facts, err := one(t, 5, "waits")
	require.Empty(t, facts)
	require.NoError(t, err)
}

// cluster returns two servers and their client.
func cluster(t *testing.T) *system.System {
	file := built(t, "./testdata/same/node")
	c := process.Cluster{
		Name: "same", Rounds: 120, Apart: -1,
		Nodes: []process.Node{{Name: "a", File: file}, {Name: "b", File: file}, {Name: "c", File: file, Args: []string{"a:80", "b:80"}}},
	}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// The same schedule gives the same recording, whatever it is.
func TestExactlyRepeatable(t *testing.T) {
	s := cluster(t)
	for _, text := range []string{"", "crash a@9; restart a@20; isolate b@30..40", "omit c>a@5; delay b>c@12+3; slow a@3..50; seed 7"} {
		seen := map[string]int{}
		for range *long {
			e, err := s.Run(t.Context(), parse(t, text), system.RunOptions{})
			require.NoError(t, err)
			seen[told(e)]++
		}
		require.Len(t, seen, 1, text)
	}
}

func told(e *recording.Execution) string { return fmt.Sprint(e.Facts, "\n", e.Messages) }

// onMachines is the same system on machines of rounds/virtual.
func onMachines() *system.System {
	start := func(m *virtual.Machine) (virtual.Server, error) {
		tell := func(text string) { m.Fact("log", "", text, "", "") }
		if m.Name() != "c" {
			l, err := m.Listen("tcp", ":80")
			if err != nil {
				return nil, err
			}
			go same.Serve(l, tell)
			return stops{l}, nil
		}
		dial := func(address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(context.Background(), 95e6)
			defer cancel()
			return m.DialContext(ctx, "tcp", address)
		}
		go same.Load(dial, []string{"a:80", "b:80"}, tell)
		return stops{}, nil
	}
	return &system.System{Name: "same", Processes: []string{"a", "b", "c"}, Rounds: 120, New: virtual.New(virtual.Options{Start: start})}
}

type stops struct{ l net.Listener }

func (s stops) Stop() {
	if s.l != nil {
		s.l.Close()
	}
}

// A server does the same as a process of its own and on a machine of rounds/virtual: each
// line that it prints is in the same round, under random schedules.
func TestSameAsVirtual(t *testing.T) {
	nodes, machines := cluster(t), onMachines()
	bounds := rounds.Bounds{
		Processes: nodes.Processes, EOT: nodes.Rounds, Period: 10, CrashStop: true,
		Crashes: 2, Restarts: 2, Isolations: 1, Partitions: 1, Omissions: 3, Delays: 2, MaxDelay: 3, Duplicates: 2, Pauses: 1, FastClocks: 1, SlowClocks: 1, Jumps: 1,
	}
	draws, random := schedules.New(bounds).Uniform(), schedules.Dice{Rand: rand.New(rand.NewPCG(1, 2))}
	served := 0
	for i := range *long {
		apart := system.Apart{Rounds: 10}
		if i%2 == 0 {
			apart.Last = []string{"c"}
		}
		nodes.Apart, machines.Apart = apart, apart
		schedule := draws.Draw(random).With(rounds.Settings{Seed: rounds.Set(uint64(i))})
		one, err := nodes.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		other, err := machines.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, logs(other), logs(one), schedule)
		require.Equal(t, one.Schedule, other.Schedule)
		if strings.Count(logs(one), "\n") > 10 {
			served++
		}
		require.NoError(t, one.Validate())
	}
	require.Greater(t, served, *long/2, "most clients are served")
}

func logs(e *recording.Execution) string {
	var all strings.Builder
	for _, f := range e.Facts {
		if f.Relation == "log" {
			fmt.Fprintln(&all, f)
		}
	}
	return all.String()
}

// What stands in braces is replaced, and a mistake in it is told.
func TestPlaceholders(t *testing.T) {
	files := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(files, "a.conf.tmpl"), []byte("name {name}\nroutes {others:6222}\njson {\"a\": 1} {{name}}\n"), 0o600))
	said := func(args ...string) string {
		kv := process.Node{File: built(t, "./testdata/ends"), Program: "kv", Args: append([]string{"says"}, args...), Ports: map[string]int{"http": 80}, Files: map[string]string{"conf": files}}
		proxy, client := kv, kv
		proxy.Name, proxy.Program, client.Name = "p", "proxy", "c"
		c := process.Cluster{Rounds: 2, Apart: -1, Nodes: []process.Node{kv, kv, proxy}, Clients: []process.Node{client}}
		c.Nodes[0].Name, c.Nodes[1].Name = "kv1", "kv2"
		s, err := c.System()
		if err != nil {
			return err.Error()
		}
		e, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
		require.NoError(t, err)
		return logs(e)
	}
	var want []string
	for _, n := range []string{"kv1 10.0.0.1 1 /data kv1,kv2 kv2 p", "kv2 10.0.0.2 2 /data kv1,kv2 kv1 p", "p 10.0.0.3 1 /data p  p", "c 10.0.0.4 4 /data kv1,kv2,p kv1,kv2,p p"} {
		name, _, _ := strings.Cut(n, " ")
		routes := map[string]string{"kv1": "kv2:6222", "kv2": "kv1:6222", "p": "", "c": "kv1:6222,kv2:6222,p:6222"}[name]
		for _, line := range []string{n, "name " + name, "routes " + routes, `json {"a": 1} {name}`} {
			want = append(want, fmt.Sprintf(`log("%s", "", "%s", "", "")@1`, name, line))
		}
	}
	slices.Sort(want)
	require.Equal(t, strings.Join(want, "\n")+"\n", said("{name} {ip} {index} {dir} {peers} {others} {proxy}"))
	out := said("{peers:1} {others:http} {ip:http} {name:7}", `{{name}} {"a": {}} {{.X}} {A}`)
	require.Contains(t, out, `"kv1:1,kv2:1 kv2:80 10.0.0.1:80 kv1:7"`)
	require.Contains(t, out, `{name} {"a": {}} {{.X}} {A}`)
	for arg, want := range map[string]string{
		"{kv:x}":    `node kv1: "{kv:x}": {kv:x}: kv1 has no port "x"`,
		"{peer:80}": `node kv1: "{peer:80}": there is no {peer:80} (did you mean "peers"?); there are {name}, {ip}, {index}, {dir}, {peers}, {others}, {requests}, {kv}, {proxy}`,
		"{dir:80}":  `node kv1: "{dir:80}": {dir:80}: {dir} has no port`,
	} {
		require.Equal(t, want, said(arg))
	}
	require.NoError(t, os.WriteFile(filepath.Join(files, "b.tmpl"), []byte("\n{nam}"), 0o600))
	require.Equal(t, "node kv1: files: "+filepath.Join(files, "b.tmpl")+`:2: there is no {nam} (did you mean "name"?); there are {name}, {ip}, {index}, {dir}, {peers}, {others}, {requests}, {kv}, {proxy}`, said())
}

// A server that is started again when it has ended is like one under a supervisor: its end
// is told, and breaks nothing. What it has on its disk is there.
func TestStartedAgain(t *testing.T) {
	n := process.Node{Name: "n1", File: built(t, "./testdata/ends"), Args: []string{"counts"}, Restart: 30 * time.Millisecond}
	s, err := process.Cluster{Rounds: 10, Nodes: []process.Node{n}}.System()
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.NoError(t, err)
	var all []string
	for _, f := range e.Facts {
		all = append(all, f.String())
	}
	require.Equal(t, []string{
		`exit("n1", 3)@1`, `log("n1", "", "1 <nil>", "", "")@1`,
		`exit("n1", 3)@4`, `log("n1", "", "2 <nil>", "", "")@4`,
		`exit("n1", 3)@7`, `log("n1", "", "3 <nil>", "", "")@7`,
		`exit("n1", 3)@10`, `log("n1", "", "4 <nil>", "", "")@10`,
	}, all)
}

// A server that ends as soon as it starts is started once by a restart.
func TestRestartedOnce(t *testing.T) {
	n := process.Node{Name: "n1", File: built(t, "./testdata/ends"), Args: []string{"counts"}}
	s, err := process.Cluster{Rounds: 6, Nodes: []process.Node{n}}.System()
	require.NoError(t, err)
	r := s.NewRunner()
	r.Options.Record = true
	require.ErrorContains(t, r.Run(t.Context(), parse(t, "crash n1@3; restart n1@4")), "exit status 3")
	require.Equal(t, []string{"1 <nil>", "2 <nil>"}, printed(r.Execution(), "n1"))
}

// A node that does not answer as nodes do is an error, and no finding.
func TestNotANode(t *testing.T) {
	silent := process.Cluster{Rounds: 2, Nodes: []process.Node{{Name: "n1", File: "/bin/true"}}}
	says, err := silent.System()
	require.NoError(t, err)
	_, err = says.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.ErrorContains(t, err, "node n1 ended without a word: to talk to ldfi its program has to import package os")
	require.False(t, errors.As(err, new(*system.PanicError)))

	c := process.Cluster{Rounds: 2, Nodes: []process.Node{{Name: "n1", File: "/bin/sh", Args: []string{"-c", "printf aaaaaaaa >&3; sleep 1"}}}}
	s, err := c.System()
	require.NoError(t, err)
	_, err = s.Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.ErrorContains(t, err, "node n1 answers ldfi with an answer of 1633771873 bytes, which is no answer: it was not built as a node")
	require.False(t, errors.As(err, new(*system.PanicError)))
}
