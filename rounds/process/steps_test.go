package process_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// python returns the interpreter itself: a shim takes a second to find it, each time.
func python(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3 here")
	}
	file, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(file))
}

// stepping is a cluster of nodes that speak the step protocol.
func stepping(t *testing.T, nodes int, file string, args ...string) *system.System {
	t.Helper()
	c := process.Cluster{Rounds: 12}
	for i := range nodes {
		c.Nodes = append(c.Nodes, process.Node{Name: "n" + strconv.Itoa(i+1), File: file, Args: args, Steps: true})
	}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// twin is the node of testdata/steps in Go.
type twin struct {
	total, durable int64
	round          int
	now            time.Duration
	next           string
	started        bool
}

type number struct{ text string }

func (n number) String() string { return n.text }
func (n number) Kind() string {
	if n.text == "" {
		return "echo"
	}
	return "number"
}

func (p *twin) Machine() system.Machine { return system.Machine{Clock: true} }

func (p *twin) Send(s *system.Step) {
	c := s.Conditions()
	if p.round == 0 && c.Start > 1 {
		p.now += time.Duration(c.Start-1) * 10 * time.Millisecond
	}
	p.round = s.Round()
	if !p.started {
		p.start(s)
	}
	p.now += time.Duration(10+c.Clock+10*c.Jump) * time.Millisecond
	to := s.Processes()[int(s.Rand().Uint32())%len(s.Processes())]
	s.Fact("log", "", fmt.Sprint("info: total ", p.total), "", "")
	s.Send(to, number{fmt.Sprintf(`%d,{"now":%d}`, s.Round(), p.now.Milliseconds())})
	if p.next != "" {
		s.Send(p.next, number{})
	}
	s.Fact("sees", strconv.FormatInt(p.now.Milliseconds(), 10), p.total)
}

func (p *twin) Receive(s *system.Step, inbox []system.Message) {
	p.next = ""
	for _, m := range inbox {
		var round, now int64
		if n, _ := fmt.Sscanf(m.Payload.(number).text, `%d,{"now":%d}`, &round, &now); n == 2 {
			p.next = m.From
			p.total += round + now
		}
	}
	if p.total%2 != 0 {
		p.durable = p.total
	} else {
		s.Fact("even", p.total)
	}
}

func (p *twin) start(s *system.Step) {
	p.started, p.total, p.next = true, p.durable, ""
	s.Fact("starts", s.Process(), p.total, s.Round())
}

func (p *twin) Crash() { p.started = false }

func (p *twin) Restart(s *system.Step) {
	p.now += time.Duration(s.Round()-p.round-1) * 10 * time.Millisecond
	p.round = s.Round()
	p.start(s)
}

// A node in Python and one in Go that do the same give the same recordings under random
// schedules, whether processes start again or not.
func TestStepsAreProcesses(t *testing.T) {
	file := python(t)
	again, once := stepping(t, 3, file, "testdata/steps/node.py"), stepping(t, 3, file, "testdata/steps/node.py", "once")
	twins := &system.System{Name: again.Name, Processes: again.Processes, Rounds: again.Rounds,
		New: func(string, *rand.Rand) system.Process { return &twin{} }}
	bounds := rounds.Bounds{
		Processes: again.Processes, EOT: again.Rounds, Period: 3, CrashStop: true,
		Crashes: 2, Restarts: 2, Isolations: 1, Omissions: 2, Delays: 2, MaxDelay: 3, Duplicates: 1, Pauses: 1, FastClocks: 1, SlowClocks: 1, Jumps: 1,
	}
	draws, random := schedules.New(bounds).Uniform(), schedules.Dice{Rand: rand.New(rand.NewPCG(1, 2))}
	fresh := 0
	for i := range *long {
		again.Apart.Rounds = 3 * (i % 2)
		once.Apart, twins.Apart = again.Apart, again.Apart
		schedule := draws.Draw(random).With(rounds.Settings{Seed: rounds.Set(uint64(i))})
		want, err := twins.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		systems := []*system.System{again}
		if i%10 == 0 {
			systems = append(systems, once)
			fresh++
		}
		for _, s := range systems {
			is, err := s.Run(t.Context(), schedule, system.RunOptions{})
			require.NoError(t, err, schedule)
			require.Equal(t, lines(want), lines(is), schedule)
			require.NoError(t, is.Validate())
		}
	}
	require.NotZero(t, fresh)
}

// lines are all facts and messages of a recording.
func lines(e *recording.Execution) (all []string) {
	for _, f := range e.Facts {
		all = append(all, f.String())
	}
	for _, m := range e.Messages {
		all = append(all, fmt.Sprintf("%+v", m))
	}
	return all
}

// shell executes a node that is a script of the shell, under a schedule.
func shell(t *testing.T, script, schedule string) (facts []string, err error) {
	t.Helper()
	s := stepping(t, 1, "sh", "-c", script)
	s.Rounds = 3
	r := s.NewRunner()
	r.Options.Record = true
	err = r.Run(t.Context(), parse(t, schedule))
	for _, f := range r.Execution().Facts {
		facts = append(facts, f.String())
	}
	return facts, err
}

// A node that says nonsense is an error that says what is wrong, and no finding.
func TestNonsenseOfSteps(t *testing.T) {
	for says, want := range map[string]string{
		`hello`:                 `its answer "hello" cannot be read: invalid character 'h'`,
		``:                      `its answer "" cannot be read: EOF`,
		`null`:                  `has the id 0, and that of the request is 2`,
		`[]`:                    `cannot be read: cannot unmarshal array`,
		`{"id":2} {}`:           `is more than one object`,
		`{"id":2}\n{"id":3}`:    `is more than one line`,
		`{"id":1}`:              `has the id 1, and that of the request is 2: each request has one answer, and nothing else goes to standard output`,
		`{"id":2,"fact":[]}`:    `unknown field "fact"`,
		`{"id":2,"again":true}`: `"again" and "random" are for answers to start`,
		`{"id":2,"send":[{"to":"n2","kind":"a"}]}`:           `it sends to "n2", and the nodes are ["n1"]`,
		`{"id":2,"send":[{"to":"n1"}]}`:                      `it sends to n1 what has no "kind"`,
		`{"id":2,"send":[{"to":"n1","kind":"a","args":{}}]}`: `cannot be read`,
		`{"id":2,"facts":[[]]}`:                              `a fact begins with its name, as in ["leader",2]`,
		`{"id":2,"facts":[null]}`:                            `a fact begins with its name`,
		`{"id":2,"facts":[["a",1.5]]}`:                       `the fact "a" has the argument 1.5, which is no whole number of 64 bits`,
		`{"id":2,"facts":[["a",1e99]]}`:                      `1e99, which is no whole number`,
		`{"id":2,"facts":[["a",[]]]}`:                        `an argument that is neither a text nor a whole number`,
		`{"id":2,"facts":[["log",1]]}`:                       `the fact "log", which ldfi reports itself`,
		`{"id":2,"facts":[["reply",1]]}`:                     `the fact "reply" has 2 arguments`,
		`{"id":2,"error":"no more"}`:                         `node n1, asked to send in round 1 by the step protocol (docs/wire.md): no more`,
		`\377{"id":2}`:                                       `is not UTF-8`,
	} {
		_, err := shell(t, `read l; echo '{"id":1}'; read l; printf '`+says+`\n'; read l`, "")
		require.ErrorContains(t, err, want, says)
		require.ErrorContains(t, err, "node n1, asked to send in round 1")
		require.False(t, errors.As(err, new(*system.PanicError)), says)
	}
	_, err := shell(t, `read l; echo '{"id":1,"send":[]}'`, "")
	require.ErrorContains(t, err, `"send" is for answers to send`)
	_, err = shell(t, `read l; head -c 5000000 /dev/zero; sleep 1`, "")
	require.ErrorContains(t, err, "its answer has more than 4 MiB")
	_, err = shell(t, `read l; head -c 2000000 /dev/zero >&2; echo '{"id":1}'`, "")
	require.ErrorContains(t, err, "it prints more than 1 MiB to its standard error with one answer")
	_, err = shell(t, `echo why >&2; exit 3`, "")
	require.ErrorContains(t, err, "node n1, asked to start in round 1 by the step protocol (docs/wire.md): it ended without an answer: exit status 3\n  why")
	_, err = stepping(t, 1, "no-such-program").Run(t.Context(), parse(t, ""), system.RunOptions{})
	require.ErrorContains(t, err, `starting node n1: exec: "no-such-program": executable file not found`)
}

// A node that ends is a finding, with what it has printed; one that ends when it is
// started again with what it had is, too.
func TestStepsEnd(t *testing.T) {
	facts, err := shell(t, `read l; echo '{"id":1}'; read l; echo 'level=info msg=hi n=5' >&2; echo '{"id":2}'; printf 'a\nb.KeyError: x\nbye' >&2; exit 4`, "")
	require.Equal(t, []string{
		`exit("n1", 4)@1`, `log("n1", "", "a", "", "")@1`, `log("n1", "", "b.KeyError: x", "", "")@1`, `log("n1", "", "bye", "", "")@1`, `log("n1", "info", "hi", "n", 5)@1`,
	}, facts)
	ended := (*system.PanicError)(nil)
	require.ErrorAs(t, err, &ended)
	require.True(t, ended.Exit)
	require.Equal(t, "exit status 4: b.KeyError: x", ended.Text)

	again := `read l; case "$l" in *'"durable":{"a":[1]}'*) exit 5;; esac; echo '{"id":1,"durable":{"a": [1]}}'; i=2; while read l; do echo "{\"id\":$i}"; i=$((i+1)); done`
	_, err = shell(t, again, "")
	require.NoError(t, err)
	_, err = shell(t, again, "crash n1@2; restart n1@3")
	require.ErrorAs(t, err, &ended)
	require.Equal(t, "exit status 5", ended.Text)
}

// A node that has no processor, because other programs have them all, does not wait for
// something outside: who sleeps does.
func TestWhoWaits(t *testing.T) {
	start := func(script string) *exec.Cmd {
		cmd := exec.Command("nice", "-n", "19", "sh", "-c", script)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		_, err = out.Read(make([]byte, 1))
		require.NoError(t, err)
		return cmd
	}
	require.Zero(t, process.Looks(start("echo; while :; do :; done"), 30))
	sleeps := start("echo; exec sleep 60")
	require.Eventually(t, func() bool { return process.Looks(sleeps, 1) > 0 }, time.Minute, 10*time.Millisecond)
	require.Equal(t, 30*time.Second, process.Looks(sleeps, 30))
}

// A node that does not answer is ended.
func TestStepsHang(t *testing.T) {
	if *long <= 20 {
		t.Skip("takes half a minute: with -args -long 21 or more")
	}
	_, err := shell(t, `read l; echo '{"id":1}'; read l; while :; do :; done`, "")
	hangs := (*system.PanicError)(nil)
	require.ErrorAs(t, err, &hangs)
	require.True(t, hangs.Hangs)
	require.Equal(t, "it runs for more than 5s of processor time", hangs.Text)
	_, err = shell(t, `read l; exec sleep 60`, "")
	require.ErrorContains(t, err, "has not answered yet: an answer is a line of standard output, which a program has to flush")
	require.False(t, errors.As(err, new(*system.PanicError)))
}

// Of what only programs of Go have a cluster of the step protocol says that it has none.
func TestStepsGoWithout(t *testing.T) {
	node := process.Node{Name: "n1", File: "sh", Steps: true}
	for want, c := range map[string]process.Cluster{
		"other nodes": {Nodes: []process.Node{node, {Name: "n2"}}},
		"clients":     {Nodes: []process.Node{node}, Clients: []process.Node{{Name: "c"}}},
		"files":       {Nodes: []process.Node{node}, Files: map[string]string{"a": "b"}},
		"calls":       {Nodes: []process.Node{node}, Calls: 1},
		"an epoch":    {Nodes: []process.Node{node}, Epoch: time.Now()},
		"ports":       {Nodes: []process.Node{{Name: "n1", Steps: true, Restart: 1}}},
	} {
		_, err := c.System()
		require.ErrorContains(t, err, "nodes that speak the step protocol go without "+want)
	}
}

// The examples of the page are what is asked, and are understood; its limits are those.
func TestStepsOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../docs/wire.md")
	require.NoError(t, err)
	_, page, _ := strings.Cut(string(text), "\n# Nodes: the step protocol, version 2\n")
	_, block, _ := strings.Cut(page, "```jsonl\n")
	block, _, _ = strings.Cut(block, "```")
	shown := strings.Split(strings.TrimSpace(block), "\n")
	require.Len(t, shown, 6)

	c := process.Cluster{Rounds: 1}
	for i, answers := range [][]string{
		{shown[1], shown[3], shown[5]},
		{`{"id":1}`, `{"id":2,"send":[{"to":"n1","kind":"vote","args":[1,"n2"]}]}`, `{"id":3}`},
		{`{"id":1}`, `{"id":2}`, `{"id":3}`},
	} {
		script := `for answer in "$@"; do read -r line; printf '%s\n' "$line" >&2; printf '%s\n' "$answer"; done; read -r line`
		c.Nodes = append(c.Nodes, process.Node{Name: "n" + strconv.Itoa(i+1), File: "sh", Args: append([]string{"-c", script, "sh"}, answers...), Steps: true})
	}
	s, err := c.System()
	require.NoError(t, err)
	e, err := s.Run(t.Context(), parse(t, "seed 7"), system.RunOptions{})
	require.NoError(t, err)
	var asked, facts []string
	for _, f := range e.Facts {
		switch {
		case f.Args[0].Text() != "n1":
		case f.Relation == "log":
			asked = append(asked, f.Args[2].Text())
		default:
			facts = append(facts, f.String())
		}
	}
	require.ElementsMatch(t, []string{shown[0], shown[2], shown[4]}, asked)
	require.Equal(t, []string{`leader("n1", 1)@1`, `term("n1", 1)@1`}, facts)
	for what, limit := range process.StepLimits {
		require.Contains(t, page, "| "+what+" | "+limit+" |")
	}
}
