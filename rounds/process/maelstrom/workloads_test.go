package maelstrom_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/process/maelstrom"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

var long = flag.Int("long", 2, "execute what has to be the same so many times, and what holds under as many schedules; from 100 on, search for what does not")

var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "ldfi-maelstrom-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// built builds the nodes of examples/maelstrom, and those that only tests have, once.
var built = map[string]func() (string, error){".": once("."), "./testdata/odd": once("./testdata/odd")}

func once(pkg string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		file := filepath.Join(scratch, filepath.Base(pkg), "node")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		return file, process.Build(context.Background(), "../../../examples/maelstrom", pkg, file)
	})
}

var odd = []string{"leased", "hub", "passing", "refusing", "telling", "slow", "printing"}

// nodes returns a system of one of these nodes.
func nodes(t *testing.T, name string, w maelstrom.Workload, with ...maelstrom.Option) *system.System {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	pkg := "."
	if slices.Contains(odd, name) {
		pkg = "./testdata/odd"
	}
	file, err := built[pkg]()
	require.NoError(t, err)
	s, err := maelstrom.System(process.Node{File: file, Args: []string{name}}, w, with...)
	require.NoError(t, err)
	return s
}

// Nodes that do what they should hold, whatever is lost, and whether their services can
// always be reached or not.
func TestWorkloads(t *testing.T) {
	linKV := maelstrom.Services("lin-kv")
	for name, s := range map[string]*system.System{
		"echo":            nodes(t, "echo", maelstrom.Echo{}),
		"unique-ids":      nodes(t, "unique-ids", maelstrom.UniqueIDs{}),
		"broadcast":       nodes(t, "retrying", maelstrom.Broadcast{}, maelstrom.Nodes(5)),
		"g-set":           nodes(t, "set", maelstrom.GSet{}),
		"g-counter":       nodes(t, "counter", maelstrom.GCounter{}),
		"pn-counter":      nodes(t, "counter", maelstrom.PNCounter{}),
		"lin-kv":          nodes(t, "store", maelstrom.LinKV{}, linKV),
		"txn-rw-register": nodes(t, "registers", maelstrom.TxnRWRegister{}, linKV),
		"kafka":           nodes(t, "logs", maelstrom.Kafka{}, linKV, maelstrom.Operations(16)),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, name, s.Name)
			holds(t, s)
			if s.Faults.Reliable != nil {
				s.Faults.Reliable = nil
				holds(t, s)
			}
		})
	}
}

func holds(t *testing.T, s *system.System) {
	t.Helper()
	r, err := search.Run(t.Context(), s, search.Options{Executions: *long})
	require.NoError(t, err)
	if first := r.First(); first != nil {
		require.Fail(t, "violated", "%v: %v", first.Schedule, first.Violations)
	}
}

// Nobody meets a fault before all nodes are set up, with the default bounds or with others;
// who wants faults in the set-up says so.
func TestNoFaultInTheSetUp(t *testing.T) {
	for name, c := range map[string]struct {
		bounds rounds.Bounds
		first  int
	}{
		"default bounds":       {rounds.Bounds{}, 11},
		"other bounds":         {rounds.Bounds{Crashes: 1, Restarts: 1, Isolations: 2, Pauses: 1, Period: 7}, 11},
		"faults in the set-up": {rounds.Bounds{Isolations: 2, Period: 7, From: 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := nodes(t, "echo", maelstrom.Echo{}, maelstrom.Rounds(100))
			s.New = func(string, *rand.Rand) system.Process { return idle{} } // when faults begin does not depend on who meets them
			var begin []int
			var lock sync.Mutex
			s.Properties = []property.Property{{Name: "looks on", Func: func(e *recording.Execution) []result.Violation {
				lock.Lock()
				defer lock.Unlock()
				for _, f := range e.Schedule.Faults {
					begin = append(begin, f.Round)
				}
				return nil
			}}}
			_, err := search.Run(t.Context(), s, search.Options{Executions: 200, Bounds: c.bounds})
			require.NoError(t, err)
			require.NotEmpty(t, begin)
			require.Equal(t, c.first, slices.Min(begin))
		})
	}
}

type idle struct{}

func (idle) Send(*system.Step)                      {}
func (idle) Receive(*system.Step, []system.Message) {}
func (idle) Restart(*system.Step)                   {}

// Nodes that do not are caught.
func TestMistakes(t *testing.T) {
	linKV := maelstrom.Services("lin-kv")
	for name, c := range map[string]struct {
		node     string
		workload maelstrom.Workload
		with     []maelstrom.Option
		schedule string
		want     string
	}{
		"a value is passed on once":            {"naive", maelstrom.Broadcast{}, nil, "omit n0>n1@11", `every value reaches all: n0 answers broadcast {"message":0} of round 11 with broadcast_ok in round 11, but n1 answers read`},
		"there is no service":                  {"counter", maelstrom.GCounter{}, []maelstrom.Option{maelstrom.Services()}, "", `messages have a receiver: seq-kv is asked, and the nodes are n0, n1, n2: n0 writes write {"key":"n0","value":1} in round 11; maelstrom.Services, or --services seq-kv, gives it to them`},
		"a client is told what it did not ask": {"telling", maelstrom.Echo{}, nil, "", `messages have a receiver: n0 tells the client c3 echo_ok {"echo":"hello 0"} in round 11, which does not take it: in_reply_to is null, and the msg_id of what it asked 1`},
		"a node is set up late":                {"slow", maelstrom.Echo{}, nil, "", "nodes are ready when faults begin: n0 has not answered init before round 11, in which operations and faults begin"},
		"it refuses its topology":              {"refusing", maelstrom.Broadcast{}, nil, "", `nodes speak the protocol: n0 answers error {"code":10,"text":"no"} to what it is told first, in round 1`},
		"what it prints is no message":         {"printing", maelstrom.Echo{}, nil, "", `nodes speak the protocol: n0 writes "hello" in round 1, which is no message`},
		"a log is written by two":              {"hasty-logs", maelstrom.Kafka{}, []maelstrom.Option{linKV, maelstrom.Operations(80)}, "", "an offset has one message: "},
		"a transaction is not everywhere":      {"dirty-registers", maelstrom.TxnRWRegister{}, nil, "omit n0>n1@11", "linearizability: "},
		"a node knows others by name":          {"hub", maelstrom.Broadcast{}, []maelstrom.Option{maelstrom.Names("a", "b")}, "", "messages have a receiver: n0 is asked, and the nodes are a, b: a writes broadcast"},
	} {
		t.Run(name, func(t *testing.T) {
			s := nodes(t, c.node, c.workload, append(c.with, maelstrom.Rounds(100))...)
			require.Contains(t, first(t, s, c.schedule), c.want)
		})
	}
}

// first returns the first violation of a schedule.
func first(t *testing.T, s *system.System, schedule string) string {
	t.Helper()
	e := execute(t, s, schedule)
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		if len(violations) > 0 {
			return p.Name + ": " + violations[0].Text
		}
	}
	return "none"
}

// A node that ends, as one that has no handler does, is a finding.
func TestEnds(t *testing.T) {
	s := nodes(t, "echo", maelstrom.UniqueIDs{}, maelstrom.Rounds(30))
	r, err := search.Run(t.Context(), s, search.Options{Executions: 5})
	require.NoError(t, err)
	require.Equal(t, "no exit", r.First().Violations[0].Property)
	require.Contains(t, r.First().Violations[0].Text, "exit status 1")
}

// What cannot be is said before anything is executed.
func TestRefused(t *testing.T) {
	for want, c := range map[string]struct {
		workload maelstrom.Workload
		with     maelstrom.Option
	}{
		"a node is called c0, as clients":          {maelstrom.Echo{}, maelstrom.Names("n0", "c0")},
		"zk is none of the services lin-kv":        {maelstrom.Echo{}, maelstrom.Services("zk")},
		"the Topology of the workload names n3":    {maelstrom.Broadcast{Topology: map[string][]string{"n0": {"n3"}}}, maelstrom.Nodes(3)},
		"eventual is none of the consistencies":    {maelstrom.TxnRWRegister{Consistency: "eventual"}, maelstrom.Nodes(3)},
		`there is no {nme} (did you mean "name"?)`: {maelstrom.Echo{}, maelstrom.Nodes(1)},
	} {
		_, err := maelstrom.System(process.Node{File: "node", Args: []string{"{nme}"}}, c.workload, c.with)
		require.ErrorContains(t, err, want)
	}
}

// A node that knows others by the names that Maelstrom gives them holds with these, and an
// answer may come from another node than the one that was asked.
func TestNamesAndOthers(t *testing.T) {
	require.Equal(t, "none", first(t, nodes(t, "hub", maelstrom.Broadcast{}), ""))
	require.Equal(t, "none", first(t, nodes(t, "passing", maelstrom.Echo{}), ""))
}

// A node that answers reads from what it knows while it has the lease, by its own clock, is
// right as long as its clock goes on. One that was paused answers what others have
// overwritten since. An add that is tried again, and a read from a cache, break as well.
func TestSearches(t *testing.T) {
	if *long < 100 {
		t.Skip("searches; -args -long 100 runs it")
	}
	linKV := maelstrom.Services("lin-kv")
	lossy := rounds.Bounds{Omissions: 1, Isolations: 2, Period: 30, EFF: 120, Reliable: []string{}}
	for _, c := range []struct {
		node     string
		workload maelstrom.Workload
		with     []maelstrom.Option
		bounds   rounds.Bounds
		property string
		faults   string
	}{
		{"leased", maelstrom.LinKV{}, []maelstrom.Option{maelstrom.Services(), maelstrom.Operations(16)}, rounds.Bounds{}, "linearizability", `^(seed \d+; )?pause n\d@\d+\.\.\d+$`},
		{"naive", maelstrom.Broadcast{}, nil, rounds.Bounds{Omissions: 1, Period: 30, EFF: 120}, "every value reaches all", `^omit n\d>n\d@\d+$`},
		{"hasty-counter", maelstrom.GCounter{}, []maelstrom.Option{linKV}, lossy, "no add counts twice", ""},
		{"caching-store", maelstrom.LinKV{}, []maelstrom.Option{linKV}, lossy, "linearizability", ""},
	} {
		t.Run(c.node, func(t *testing.T) {
			r, err := search.Run(t.Context(), nodes(t, c.node, c.workload, c.with...), search.Options{Executions: 1000, Bounds: c.bounds})
			require.NoError(t, err)
			require.Equal(t, result.Violated, r.Verdict)
			require.Equal(t, c.property, r.First().Violations[0].Property)
			require.Regexp(t, c.faults, r.First().Schedule.String())
		})
	}
}

// The same schedule gives the same recording, also after others: tried 1,000 times with
// -args -long 1000.
func TestExact(t *testing.T) {
	for _, s := range []*system.System{
		nodes(t, "retrying", maelstrom.Broadcast{}),
		nodes(t, "counter", maelstrom.GCounter{}),
	} {
		want := execute(t, s, "seed 3; omit n0>n1@21; isolate n2@50..90; crash n1@60; restart n1@70")
		require.Empty(t, want.Inexact)
		for i := range *long {
			if i%10 == 0 {
				execute(t, s, fmt.Sprintf("seed %d; isolate n0@%d", i, 20+i%60))
			}
			require.Equal(t, written(t, want), written(t, execute(t, s, want.Schedule.String())))
		}
	}
}

func execute(t *testing.T, s *system.System, schedule string) *recording.Execution {
	t.Helper()
	parsed, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parsed, system.RunOptions{})
	require.NoError(t, err)
	return e
}

func written(t *testing.T, e *recording.Execution) string {
	t.Helper()
	text, err := json.Marshal(e)
	require.NoError(t, err)
	return string(text)
}
