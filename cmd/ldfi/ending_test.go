//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// exact asks for the two seconds in which everything ends, also of programs that are much
// work; without it there is more time, for machines that do much else.
var exact = flag.Bool("exact", false, "everything has to end within 2 s, on a machine that does nothing else")

// hostPID, in the environment, is the file in which a host that does not end writes
// its process id.
const hostPID = "LDFI_TEST_PID"

// serveEndless is a host that does not end what its argument names.
func serveEndless() {
	if err := os.WriteFile(os.Getenv(hostPID), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stuck := &system.System{
		Name: "stuck", Processes: []string{"a", "b"}, Rounds: 5,
		New:        func(string, *rand.Rand) system.Process { return sleeper{} },
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
	switch os.Args[len(os.Args)-1] {
	case "starts":
		time.Sleep(time.Hour)
	case "executes":
		serve(stuck)
	case "floods":
		requests := bufio.NewReader(os.Stdin)
		hello, _ := requests.ReadString('\n')
		if err := wire.ServeOn(strings.NewReader(hello), os.Stdout, stuck); err != nil {
			os.Exit(1)
		}
		text, _ := requests.ReadBytes('\n')
		var search struct{ ID int }
		_ = json.Unmarshal(text, &search)
		out := bufio.NewWriter(os.Stdout)
		for n := 0; ; n++ {
			fmt.Fprintf(out, `{"id":%d,"progress":{"executions":%d,"states":0,"text":"on and on"}}`+"\n", search.ID, n%100)
		}
	}
}

// sleeper is a process that does not come back from its first call.
type sleeper struct{}

func (sleeper) Send(*system.Step)                      { time.Sleep(time.Hour) }
func (sleeper) Receive(*system.Step, []system.Message) {}

// long are programs that take long in one place or another. They are written when they
// are asked for: this program is also every ldfi and every host that the tests start.
var long = map[string]func() string{
	"atoms": func() string { return "n(\"a\")@1;\nviolation(X) :- " + strings.Repeat("n(X), ", 9_999) + "n(X);\n" },
	"joins": func() string { return joins(10_000) },
	"chain": func() string { return chain(100_000) },
	"facts": func() string { return numbered("n(\"a\", %d)@1;\n", 100_000) + "violation(X) :- n(X, Y), Y < 0;\n" },
	"rules": func() string {
		return "n(\"a\", 1)@1;\n" + numbered("r(X) :- n(X, %d);\n", 100_000) + "violation(X) :- r(X), X == \"b\";\n"
	},
	"nothing": func() string {
		return numbered("n(\"a\", %d)@1;\n", 40) + "violation(X) :- n(X,A), n(X,B), n(X,C), n(X,D), n(X,E), n(X,F), n(X,G), A + B + C + D + E + F + G < 0;\n"
	},
}

func numbered(line string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

func joins(n int) string {
	atoms := make([]string, n)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("n(X%d, X%d)", i, i+1)
	}
	return "n(\"a\", \"b\")@1;\nviolation(X0) :- " + strings.Join(atoms, ", ") + ";\n"
}

func chain(n int) string {
	var b strings.Builder
	b.WriteString("r0(\"a\")@1;\n")
	for i := range n {
		fmt.Fprintf(&b, "r%d(X) :- r%d(X);\n", i+1, i)
	}
	fmt.Fprintf(&b, "violation(X) :- r%d(X), X == \"b\";\n", n)
	return b.String()
}

// Whatever a command is doing, the end of --timeout and the first Ctrl-C end it
// within two seconds, with the exit code of what is inconclusive, and no host is
// left behind.
func TestEverythingEnds(t *testing.T) {
	dir := t.TempDir()
	for name, program := range long {
		text := "// ldfi: processes=a,b eot=3 eff=2 crashes=1\n" + program()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".ded"), []byte(text), 0o600))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	suite := "cases:\n- {name: one, system: endless-host floods}\n- {name: two, files: atoms.ded}\n- {name: three, files: nothing.ded}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ldfi.yaml"), []byte(suite), 0o600))

	type situation struct {
		command string
		verdict bool // something is said on standard output
	}
	situations := []situation{
		{"run pipe", false}, {"inject pipe", false}, {"vet pipe", false}, {"why pipe n(a)", false}, {"hypotheses pipe", false}, {"weakest pipe", false}, {"export pipe --facts x.mg", false}, {"query pipe x(A):-n(A)", false},
		{"query - x(A):-n(A)", false}, {"run --system endless-host%starts", false}, {"run --system endless-host%executes", true},
		{"run --system endless-host%floods", true}, {"inject --system endless-host%executes", false}, {"vet --system endless-host%executes", false},
		{"run --system endless-host%executes --property pipe", false}, {"bisect pipe nothing.ded", true},
	}
	for name := range long {
		for _, command := range []string{"run", "inject", "vet"} {
			if *exact || name == "joins" && command == "run" || name == "chain" && command != "run" {
				situations = append(situations, situation{command + " " + name + ".ded", false})
			}
		}
	}
	for _, s := range situations {
		t.Run(s.command, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(s.command)
			for i, w := range words {
				words[i] = strings.ReplaceAll(w, "%", " ")
			}
			out := ends(t, dir, slices.Concat(words, []string{"--timeout", busy().String()}), false)
			if s.verdict {
				require.Contains(t, out, "the time is up")
			}
			if out = ends(t, dir, words, true); s.verdict {
				require.Contains(t, out, "interrupted")
			}
		})
	}
	t.Run("check", func(t *testing.T) {
		t.Parallel()
		out := ends(t, dir, []string{"check", "--no-cache"}, true)
		require.Regexp(t, `(?s)one +inconclusive.*two +inconclusive.*three +inconclusive`, out)
	})
	t.Run("fmt", func(t *testing.T) {
		t.Parallel()
		ends(t, dir, []string{"fmt"}, true)
		ends(t, dir, []string{"fmt", "pipe"}, true)
		ends(t, dir, []string{"check", "--merge", "pipe"}, true)
	})
}

// busy is how long a command does what it does not end, before its time is up.
func busy() time.Duration {
	if *exact {
		return time.Second
	}
	return 1500 * time.Millisecond // in less, a host on a busy machine has not begun
}

// occupied waits until each of some processes is at what it does not end: it has worked
// longer than to begin, or nothing in it moves. Without /proc it waits for a while.
func occupied(ended <-chan error, pids ...int) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		pids = nil
		time.Sleep(1500 * time.Millisecond)
	}
	for last, same := make([]int, len(pids)), -1; same < len(pids) && len(ended) == 0; time.Sleep(50 * time.Millisecond) {
		same = 0
		for i, pid := range pids {
			worked, waits := workOf(pid)
			if worked > 50 || waits && worked == last[i] {
				same++
			}
			last[i] = worked
		}
	}
}

// workOf is how many hundredths of a second a process has worked, and whether all of it
// waits.
func workOf(pid int) (worked int, waits bool) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	waits = true
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 12 {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			worked += user + system
			waits = waits && fields[0] == "S"
		}
	}
	return worked, waits
}

// ends starts a command, interrupts it unless it has a timeout, and returns what it
// writes to standard output. A machine may be so fast that it is done with a long
// program before.
func ends(t *testing.T, dir string, args []string, interrupt bool) string {
	t.Helper()
	pid := filepath.Join(t.TempDir(), "pid")
	var out, errs bytes.Buffer
	cmd := exec.Command("ldfi", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(os.Environ(), hostPID+"="+pid)
	never, opened, err := os.Pipe()
	require.NoError(t, err)
	defer never.Close()
	defer opened.Close()
	cmd.Stdin = never
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	began := time.Now()
	if interrupt {
		pids := []int{cmd.Process.Pid}
		// A host is started when everything else has been read.
		hosted := !slices.Contains(args, "pipe") && slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "endless-host") })
		for hosted && len(pids) == 1 && len(ended) == 0 {
			if text, err := os.ReadFile(pid); err == nil && len(text) > 0 {
				host, err := strconv.Atoi(string(text))
				require.NoError(t, err)
				pids = append(pids, host)
			}
			time.Sleep(10 * time.Millisecond)
		}
		occupied(ended, pids...)
		began = time.Now()
		_ = cmd.Process.Signal(os.Interrupt) // it may be ending
	}
	err = <-ended
	took := time.Since(began)
	if !interrupt {
		took -= busy()
	}
	require.True(t, timer.Stop(), "%q did not end", args)
	if *exact {
		require.Less(t, took, 2*time.Second, "%q: %s", args, &errs)
	} else {
		require.Less(t, took, 10*time.Second, "%q: %s", args, &errs)
	}
	if err == nil && slices.ContainsFunc(args, func(arg string) bool { return long[strings.TrimSuffix(arg, ".ded")] != nil }) {
		t.Skipf("%q was done before it was to end", args)
	}
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%q", args)
	require.Equal(t, exitInconclusive, exit.ExitCode(), "%q: %v %s %s", args, err, &out, &errs)
	if text, err := os.ReadFile(pid); err == nil {
		host, err := strconv.Atoi(string(text))
		require.NoError(t, err)
		require.Eventually(t, func() bool { return syscall.Kill(host, 0) != nil || zombie(host) }, 5*time.Second, 10*time.Millisecond, "%q leaves its host", args)
	}
	return out.String()
}

// zombie tells whether a process has ended, and nobody waits for it.
func zombie(pid int) bool {
	file, err := os.Open(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	defer file.Close()
	text, _ := io.ReadAll(file)
	return strings.Contains(string(text), ") Z ")
}
