//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// project is a directory that assistants are asked about, beside a secret: losing.ded is a
// protocol, huge.ded takes minutes, and ways lead out of it.
func project(t *testing.T) string {
	t.Helper()
	outer := t.TempDir()
	dir := filepath.Join(outer, "project")
	for name, text := range map[string]string{
		"../secret.ded": "very_secret(\"x\")@1;\n", "losing.ded": losing, "huge.ded": endless,
		"upwards.ded": "include \"../secret.ded\";\n" + losing, "absolute.ded": "include \"" + outer + "/secret.ded\";\n" + losing,
		"linked.ded": "include \"out.ded\";\n" + losing, "below.ded": "include \"dir/secret.ded\";\n" + losing, "blocked.ded": "include \"pipe\";\n" + losing,
		"ldfi.yaml": "cases:\n- {name: loses, files: losing.ded, expect: violated}\n- {name: elects, system: election-host, system-name: election-buggy, expect: violated, strategy: exhaustive}\n" +
			"- {name: stays, system: endless-host executes}\n- {name: touches, system: touch touched}\n",
		"luring/ldfi.yaml": "cases:\n- {protocols: '../../*.ded'}\n", "leading/ldfi.yaml": "cases:\n- {files: ../../secret.ded}\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for link, to := range map[string]string{
		"out.ded": "../secret.ded", "dir": "..", "full.ded": filepath.Join(outer, "secret.ded"), "zero": "/dev/zero", "stdin": "/dev/stdin", "none.ded": "../none.ded", "good.ded": "losing.ded",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	return dir
}

// contents are the names and texts of what is in a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, readErr := os.ReadFile(name)
			all[name], err = string(text), readErr
		} else {
			all[name] = d.Type().String()
		}
		return err
	}))
	return all
}

// filesArgument is the arguments of a call about files, beside others.
func filesArgument(t *testing.T, others string, names ...string) string {
	t.Helper()
	text, err := json.Marshal(names)
	require.NoError(t, err)
	return `{"files": ` + string(text) + others + `}`
}

// No file outside is read, whichever way leads there, and nothing is told of it; what
// would block is refused.
func TestAssistantsStayInside(t *testing.T) {
	dir := project(t)
	before := contents(t, filepath.Dir(dir))
	client := assistantOf(t, dir, "--timeout", "20s")
	const leads = "this leads out of the directory, and only what is in it is read"
	for name, want := range map[string]string{
		"../secret.ded": leads, "./../secret.ded": leads, "luring/../../secret.ded": leads, filepath.Dir(dir) + "/secret.ded": leads, dir + "/losing.ded": leads,
		"/dev/zero": leads, "/dev/stdin": leads, "/proc/self/environ": leads, "out.ded": leads, "full.ded": leads, "none.ded": leads, "dir/secret.ded": leads,
		"dir/none.ded": leads, "dir/project/losing.ded": leads, "zero": leads, "stdin": leads, "pipe": "this is not a regular file", "luring": "this is a directory",
		"upwards.ded": leads, "absolute.ded": leads, "linked.ded": leads, "below.ded": leads, "blocked.ded": "this is not a regular file", "dir": leads,
		"-": "no such file", "": "this is a directory", "losing.ded\x00.ded": "invalid argument", "~/x.ded": "no such file", "file:///etc/passwd": "no such file",
		"good.ded": "", "./luring/../losing.ded": "",
	} {
		for _, tool := range []string{"run", "why", "whatif", "hypotheses", "inject", "diff"} {
			fact := ""
			if tool == "why" || tool == "whatif" {
				fact = `, "fact": "got(b)"`
			}
			answer := call(t, client, tool, filesArgument(t, fact, name))
			require.Equal(t, want != "", answer.wrong, "%s %s: %s", tool, name, answer.text)
			require.Contains(t, answer.text, want, "%s %s", tool, name)
			require.NotContains(t, answer.text, "very_secret")
		}
		if want == leads && !strings.HasSuffix(name, "d.ded") && !strings.HasSuffix(name, "e.ded") || name == "out.ded" {
			answer := call(t, client, "query", `{"recordings": [`+strconv.Quote(name)+`], "rules": ["x(A) :- very_secret(A)"]}`)
			require.True(t, answer.wrong, "%s: %s", name, answer.text)
		}
	}
	require.Equal(t, before, contents(t, filepath.Dir(dir)), "something was written")

	for suite, want := range map[string]string{"luring": "no file matches", "leading": leads} {
		client = assistantOf(t, filepath.Join(dir, suite))
		answer := call(t, client, "run", `{"case": "secret"}`)
		require.True(t, answer.wrong)
		require.Contains(t, answer.text, want)
	}
}

// Whatever the arguments are, the answer says what is wrong, in a text that is printable.
func TestHostileArguments(t *testing.T) {
	dir := project(t)
	before := contents(t, dir)
	client := assistantOf(t, dir, "--allow-hosts")
	deep := strings.Repeat("[", 900) + strings.Repeat("]", 900)
	for _, c := range []struct{ tool, arguments, want string }{
		{"run", `{}`, "a question is about files, or about a case of ldfi.yaml: give one of these"},
		{"run", `null`, "give one of these"},
		{"run", `[]`, "expected an object with arguments, found a list []"},
		{"run", `"losing.ded"`, `expected an object with arguments, found the text "losing.ded"`},
		{"run", `{"files": "losing.ded"}`, `files: expected a list of texts, found the text "losing.ded"`},
		{"run", `{"files": [1]}`, "files: expected a list of texts, found a list [1]"},
		{"run", `{"files": [null]}`, "files: expected a list of texts"},
		{"run", `{"files": {"a": 1}}`, "files: expected a list of texts, found an object"},
		{"run", `{"files": ` + deep + `}`, "files: expected a list of texts, found a list [[["},
		{"run", `{"files": ["losing.ded"], "bounds": ` + deep + `}`, "bounds: expected an object with arguments, found a list [[["},
		{"run", `{"files": ["losing.ded"], "case": "loses"}`, "files and case: there can be one of these"},
		{"run", `{"files": ["losing.ded"], "file": 1}`, `there is no argument "file" (did you mean "files"?)`},
		{"run", `{"files": ["losing.ded"], "system": "touch touched"}`, `there is no argument "system"`},
		{"run", `{"files": ["losing.ded"], "solver": "touch touched"}`, `there is no argument "solver"`},
		{"run", `{"files": ["losing.ded"], "proof": "touched"}`, `there is no argument "proof"`},
		{"run", `{"files": ["losing.ded"], "report": "touched"}`, `there is no argument "report"`},
		{"run", `{"files": ["losing.ded"], "facts": "touched"}`, `there is no argument "facts"`},
		{"run", `{"files": ["losing.ded"], "output": "text"}`, `there is no argument "output"`},
		{"run", `{"files": ["losing.ded"], "max": "3"}`, `max: expected a whole number, found the text "3"`},
		{"run", `{"files": ["losing.ded"], "max": 1e999}`, "max: expected a whole number, found 1e999"},
		{"run", `{"files": ["losing.ded"], "max": 0}`, "--max 0: a number above 0 is needed"},
		{"run", `{"files": ["losing.ded"], "max": -9223372036854775808}`, "a number above 0 is needed"},
		{"run", `{"files": ["losing.ded"], "max": 99999999999999999999}`, "max: expected a whole number"},
		{"run", `{"files": ["losing.ded"], "margin": "yes"}`, `margin: expected true or false, found the text "yes"`},
		{"run", `{"files": ["losing.ded"], "bounds": {"eot": "999999999999"}}`, "eot"},
		{"run", `{"files": ["losing.ded"], "bounds": {"eot": ""}}`, "--eot is empty"},
		{"run", `{"files": ["losing.ded"], "bounds": {"solver": "touch touched"}}`, `bounds: there is no argument "solver"`},
		{"run", `{"files": ["losing.ded"], "bounds": {"crashes": "--solver=touch touched"}}`, `crashes=--solver=touch touched`},
		{"run", `{"files": ["--system=touch touched"]}`, "--system=touch touched: no such file or directory"},
		{"run", `{"files": ["-h"]}`, "-h: no such file or directory"},
		{"run", `{"files": ["--"]}`, "--: no such file or directory"},
		{"run", `{"files": ["losing.ded"], "timeout": "--help"}`, "--timeout --help: "},
		{"run", `{"files": ["losing.ded"], "timeout": "1000h"}`, "this server stops each answer after 1m0s"},
		{"run", `{"case": "--help"}`, `there is no case "--help" in ldfi.yaml; it has loses, elects, stays and touches`},
		{"why", `{"files": ["losing.ded"]}`, "fact is needed: the fact, such as"},
		{"why", `{"files": ["losing.ded"], "fact": "--help"}`, "expected"},
		{"why", `{"files": ["losing.ded"], "fact": "-o=touched"}`, "expected"},
		{"why", `{"files": ["losing.ded"], "fact": "` + strings.Repeat("x(", 100_000) + `"}`, "unexpected '(', expected ',' or ')'"},
		{"whatif", `{"files": ["losing.ded"], "fact": "got(b)", "require": ["--facts=touched"]}`, `there is no fault "--facts=touched"`},
		{"inject", `{"files": ["losing.ded"], "faults": "--facts=touched"}`, `there is no fault "--facts=touched"`},
		{"inject", `{"files": ["losing.ded"], "faults": "\u001b[2J\u0007\u202e"}`, `--faults: `},
		{"inject", `{"files": ["\u001b[2J"]}`, `no such file`},
		{"diff", `{"files": ["losing.ded"], "against": "--faults=x"}`, "--against: "},
		{"query", `{"recordings": [], "rules": ["x(A) :- a(A)"]}`, "needs a recording and a rule"},
		{"query", `{"recordings": ["losing.ded"], "rules": []}`, "needs a recording and a rule"},
		{"query", `{"recordings": ["-"], "rules": ["x(A) :- a(A)"]}`, "no such file"},
		{"query", `{"rules": ["x(A) :- a(A)"]}`, "recordings is needed"},
		{"run", `{"files": ["` + strings.Repeat("a", 1<<20) + `"]}`, "and at most 1048576 are read"},
		{"run", `{"files": ["` + strings.Repeat("a", 1<<12) + `"]}`, "file name too long"},
		{"run", `{"files": ["` + strings.Repeat("a", 1<<19) + `"]}`, "[The text is cut here: these are 65536 of its "},
	} {
		answer := call(t, client, c.tool, c.arguments)
		short := c.arguments[:min(len(c.arguments), 200)]
		require.True(t, answer.wrong, "%s %s: %s", c.tool, short, answer.text)
		require.Contains(t, answer.text, c.want, "%s %s", c.tool, short)
		require.Empty(t, answer.json)
		require.LessOrEqual(t, len(answer.text), 70<<10)
		require.NotContains(t, answer.text, "\x1b")
		require.NotContains(t, answer.text, "\a")
		require.NotContains(t, answer.text, "\u202e")
	}
	_, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "check"})
	require.ErrorContains(t, err, `unknown tool "check"`)
	require.Equal(t, before, contents(t, dir), "something was written")
}

// Lines that are no messages are answered, or end the talk, and nothing else.
func TestHostileLines(t *testing.T) {
	for name, line := range map[string]string{
		"no JSON": "hello\n", "deep": strings.Repeat("[", 1_000_000) + "\n", "deep object": strings.Repeat(`{"a":`, 100_000) + "\n", "half": `{"jsonrpc": "2.0", "id": 1, "meth`,
		"wrong types": `{"jsonrpc": 2, "id": [], "method": {}}` + "\n", "empty batch": "[]\n", "nothing": "", "zeros": strings.Repeat("\x00", 100), "unknown method": `{"jsonrpc": "2.0", "id": 1, "method": "tools/burn", "params": []}` + "\n",
		"no initialize": `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run", "arguments": {"files": ["losing.ded"]}}}` + "\n",
		"deep argument": `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run", "arguments": ` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("ldfi", "mcp")
			cmd.Stdin = strings.NewReader(line)
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.Output()
			require.NotContains(t, said.String(), "goroutine")
			if exit := (*exec.ExitError)(nil); err != nil {
				require.ErrorAs(t, err, &exit)
				require.Equal(t, exitUsage, exit.ExitCode(), said.String())
			}
			for answer := range strings.Lines(string(out)) {
				require.True(t, json.Valid([]byte(answer)), answer)
			}
		})
	}
}

// A host is started only by the command of a case, and only if a person allows it.
func TestAssistantsAndHosts(t *testing.T) {
	dir := project(t)
	client := assistantOf(t, dir)
	answer := call(t, client, "run", `{"case": "touches"}`)
	require.True(t, answer.wrong)
	require.Contains(t, answer.text, `the case "touches" starts a host by the command "touch touched", and this server may not start hosts: a person has to start it as ldfi mcp --allow-hosts`)
	require.NoFileExists(t, filepath.Join(dir, "touched"))

	want := func(args ...string) said {
		t.Chdir(dir)
		return plainly(t, args...)
	}
	require.Equal(t, want("run", "losing.ded"), call(t, client, "run", `{"case": "loses"}`))

	client = assistantOf(t, dir, "--allow-hosts")
	system := []string{"--system", "election-host", "--name", "election-buggy"}
	require.Equal(t, want(append([]string{"run", "--strategy", "exhaustive"}, system...)...), call(t, client, "run", `{"case": "elects"}`))
	require.Equal(t, want(append([]string{"inject", "--faults", "isolate c@5..6"}, system...)...), call(t, client, "inject", `{"case": "elects", "faults": "isolate c@5..6"}`))
	require.Equal(t, want(append([]string{"why", "leader(b, _)"}, system...)...), call(t, client, "why", `{"case": "elects", "fact": "leader(b, _)"}`))
	require.Equal(t, want(append([]string{"whatif", "leader(b, 2)"}, system...)...), call(t, client, "whatif", `{"case": "elects", "fact": "leader(b, 2)"}`))
	require.Equal(t, want(append([]string{"diff"}, system...)...), call(t, client, "diff", `{"case": "elects"}`))
	require.Equal(t, want(append([]string{"hypotheses", "--max", "2"}, system...)...), call(t, client, "hypotheses", `{"case": "elects", "max": 2}`))

	suite := "cases:\n- {name: elects, system: touch touched another}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ldfi.yaml"), []byte(suite), 0o600))
	answer = call(t, client, "run", `{"case": "elects"}`)
	require.True(t, answer.wrong)
	require.Contains(t, answer.text, "which was not in ldfi.yaml when this server was started")
	require.NoFileExists(t, filepath.Join(dir, "touched"))
}

// hugeQuestion takes minutes unless something ends it.
const hugeQuestion = `{"files": ["huge.ded"], "timeout": "10m"}`

// A call that the client cancels makes room for others at once; a time that is up is an
// answer.
func TestCancelledCalls(t *testing.T) {
	client := assistantOf(t, project(t), "--timeout", "10m", "--max-facts", "2000000000", "--max-gates", "2000000000")
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		calls.Go(func() {
			_, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: json.RawMessage(hugeQuestion)})
			require.Error(t, err)
		})
	}
	time.Sleep(500 * time.Millisecond) // they have begun
	cancel()
	calls.Wait()
	began := time.Now()
	require.False(t, call(t, client, "inject", filesArgument(t, "", "losing.ded")).wrong)
	require.Less(t, time.Since(began), 10*time.Second)

	answer := call(t, client, "run", `{"files": ["huge.ded"], "timeout": "300ms"}`)
	require.False(t, answer.wrong, answer.text)
	require.Contains(t, answer.text, "inconclusive")
	require.Contains(t, answer.json, `"verdict":"inconclusive"`)
}

// However a talk ends, the process ends within two seconds, with its hosts.
func TestTheEndOfTheTalk(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, cmd *exec.Cmd, in, out *os.File){
		"input ends": func(t *testing.T, _ *exec.Cmd, in, _ *os.File) { require.NoError(t, in.Close()) },
		"Ctrl-C":     func(t *testing.T, cmd *exec.Cmd, _, _ *os.File) { require.NoError(t, cmd.Process.Signal(os.Interrupt)) },
		"termination": func(t *testing.T, cmd *exec.Cmd, _, _ *os.File) {
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		},
		"client is gone": func(t *testing.T, _ *exec.Cmd, in, out *os.File) {
			require.NoError(t, in.Close())
			require.NoError(t, out.Close())
		},
	} {
		for _, asked := range []string{"", `{"case": "stays"}`, hugeQuestion} {
			t.Run(name+" "+asked, func(t *testing.T) {
				t.Parallel()
				ended(t, asked, end)
			})
		}
	}
}

// ended asks a process, lets the talk end, and waits for the process.
func ended(t *testing.T, asked string, end func(t *testing.T, cmd *exec.Cmd, in, out *os.File)) {
	in, toServer, err := os.Pipe()
	require.NoError(t, err)
	fromServer, out, err := os.Pipe()
	require.NoError(t, err)
	pid := filepath.Join(t.TempDir(), "pid")
	cmd := exec.Command("ldfi", "mcp", "--allow-hosts", "--timeout", "10m", "--max-facts", "2000000000", "--max-gates", "2000000000")
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = project(t), in, out, os.Stderr
	cmd.Env = append(os.Environ(), hostPID+"="+pid)
	require.NoError(t, cmd.Start())
	require.NoError(t, in.Close())
	require.NoError(t, out.Close())
	lines := calls[:strings.Index(calls, `{"jsonrpc": "2.0", "id": 2`)]
	if asked != "" {
		lines += fmt.Sprintf(`{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run", "arguments": %s}}`+"\n", asked)
	}
	_, err = toServer.WriteString(lines)
	require.NoError(t, err)
	welcome, err := bufio.NewReaderSize(fromServer, 16).ReadByte() // it listens to signals
	require.NoError(t, err)
	require.Equal(t, byte('{'), welcome)
	if strings.Contains(asked, "stays") {
		require.Eventually(t, func() bool { text, _ := os.ReadFile(pid); return len(text) > 0 }, 20*time.Second, 10*time.Millisecond)
	} else if asked != "" {
		time.Sleep(300 * time.Millisecond) // it is asked
	}
	began := time.Now()
	end(t, cmd, toServer, fromServer)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("it does not end")
	}
	limit := 10 * time.Second
	if *exact {
		limit = 2 * time.Second
	}
	require.Less(t, time.Since(began), limit)
	require.NoError(t, err)
	if text, err := os.ReadFile(pid); err == nil {
		host, err := strconv.Atoi(string(text))
		require.NoError(t, err)
		require.Eventually(t, func() bool { return syscall.Kill(host, 0) != nil || zombie(host) }, 5*time.Second, 10*time.Millisecond)
	}
}

// Fifty calls at once are answered as one is, and leave nothing behind.
func TestManyCallsAtOnce(t *testing.T) {
	dir := project(t)
	once := make(chan os.Signal, 1)
	signal.Notify(once, syscall.SIGPIPE) // which starts a goroutine that stays
	signal.Stop(once)
	goroutines := runtime.NumGoroutine()
	t.Run("talk", func(t *testing.T) {
		client := assistantHere(t, dir)
		want := plainly(t, "run", "losing.ded")
		var calls sync.WaitGroup
		answers := make([]said, 50)
		for i := range answers {
			calls.Go(func() { answers[i] = call(t, client, "run", filesArgument(t, "", "losing.ded")) })
		}
		calls.Wait()
		for _, answer := range answers {
			require.Equal(t, want, answer)
		}
	})
	for range 500 { // they may be ending
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	all := make([]byte, 1<<16)
	t.Fatalf("goroutines are left:\n%s", all[:runtime.Stack(all, true)])
}

// What the tools are called, and that they only read, is what clients are told.
func TestToolsSayWhatTheyAre(t *testing.T) {
	client := assistantHere(t, project(t))
	listed, err := client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	names := map[string]bool{}
	for _, tool := range listed.Tools {
		names[tool.Name] = true
		require.True(t, tool.Annotations.ReadOnlyHint)
		require.False(t, *tool.Annotations.DestructiveHint)
		require.False(t, *tool.Annotations.OpenWorldHint)
		require.NotEmpty(t, tool.Description)
		described(t, tool.Name, tool.InputSchema.(map[string]any))
	}
	require.Equal(t, map[string]bool{"run": true, "why": true, "whatif": true, "hypotheses": true, "inject": true, "diff": true, "query": true}, names)
	text, err := json.Marshal(listed)
	require.NoError(t, err)
	require.Less(t, len(text), 32<<10, "all that an assistant has to read")
}

// described looks at a schema: everything in it is described.
func described(t *testing.T, name string, schema map[string]any) {
	t.Helper()
	require.Equal(t, false, schema["additionalProperties"])
	for member, s := range schema["properties"].(map[string]any) {
		s := s.(map[string]any)
		require.NotEmpty(t, s["description"], "%s %s", name, member)
		require.NotContains(t, s["description"], "`")
		if s["type"] == "object" {
			described(t, name, s)
		}
	}
}
