//go:build linux

package main_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "kill a hundred times, tell all lies, and try hosts")

// programs is the directory with ldfi and ldfi-cluster, as they are built from this checkout.
var programs string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	var err error
	if programs, err = os.MkdirTemp("", "ldfi-cluster-test-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(programs)
	build := exec.Command("go", "build", "-o", programs+string(filepath.Separator), "github.com/lineage-driven/ldfi/cmd/ldfi", ".")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	return m.Run()
}

// stage is a directory in which processes run that see no other one: a server, workers and
// coordinators, as people start them.
type stage struct {
	t       *testing.T
	dir     string
	address string // of the server
	server  *process
	workers []*process
	serve   []string // arguments of the server
	work    []string // arguments of workers
}

// process is one that was started.
type process struct {
	*exec.Cmd
	out, err output
	begun    time.Time
	ended    chan struct{}
}

// output is what a process has written so far.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// newStage starts a server and so many workers. When the test ends they are ended as people
// do it, and nothing may be left of them.
func newStage(t *testing.T, workers int, change func(*stage)) *stage {
	t.Helper()
	s := &stage{t: t, dir: t.TempDir(), address: "127.0.0.1:0", work: []string{"--slots", "2"}}
	for _, dir := range []string{"tmp", "home"} {
		require.NoError(t, os.Mkdir(s.path(dir), 0o700))
	}
	if change != nil {
		change(s)
	}
	s.startServer()
	for range workers {
		s.startWorker()
	}
	t.Cleanup(s.end)
	return s
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

// start starts a program.
func (s *stage) start(program string, args ...string) *process {
	p := &process{Cmd: exec.Command(filepath.Join(programs, program), args...), begun: time.Now(), ended: make(chan struct{})}
	p.Dir = s.dir
	p.Env = []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "HOME=" + s.path("home"), "TMPDIR=" + s.path("tmp")}
	p.Stdout, p.Stderr = &p.out, &p.err
	p.WaitDelay = 5 * time.Second
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(s.t, p.Start())
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	return p
}

var serverAt = regexp.MustCompile(`nats://(127\.0\.0\.1:\d+)`)

func (s *stage) startServer() {
	s.t.Helper()
	s.server = s.start("ldfi-cluster", append([]string{"serve", "--listen", s.address}, s.serve...)...)
	require.Eventually(s.t, func() bool {
		if at := serverAt.FindStringSubmatch(s.server.out.String() + s.server.err.String()); at != nil {
			s.address = at[1]
			return true
		}
		return false
	}, 20*time.Second, 5*time.Millisecond, "the server does not start: %s", &s.server.err)
}

func (s *stage) startWorker() *process {
	p := s.start("ldfi-cluster", append([]string{"worker", "--nats", s.url()}, s.work...)...)
	s.workers = append(s.workers, p)
	return p
}

func (s *stage) url() string { return "nats://" + s.address }

// kill kills a process, and nothing that it has started.
func (s *stage) kill(p *process) {
	_ = p.Process.Kill() // which may have ended
	<-p.ended
}

// unreachable reports whether a process has ended as there was no server when it began.
func (s *stage) unreachable(p *process) bool {
	return p.ProcessState.ExitCode() == 2 && strings.Contains(p.err.String(), "no server answers")
}

// interrupt ends a process as Ctrl-C does.
func (s *stage) interrupt(p *process, within time.Duration) {
	s.t.Helper()
	require.NoError(s.t, p.Process.Signal(os.Interrupt))
	s.wait(p, within)
}

func (s *stage) wait(p *process, within time.Duration) {
	s.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		_ = p.Process.Signal(syscall.SIGQUIT)
		<-p.ended
		s.t.Fatalf("it does not end: %s\n%s", p, &p.err)
	}
}

// end ends everything. What was left by processes that were killed is removed by a worker
// that starts.
func (s *stage) end() {
	if again, _ := filepath.Glob(s.path("tmp/ldfi-again-*")); len(again) > 0 { // of a coordinator that was killed: the next one removes it
		s.answer(s.check(s.suite("end", 1), "--workers", s.url(), "--recheck", "100%"))
	}
	if s.t.Failed() {
		for _, p := range append(s.workers, s.server) {
			s.t.Logf("%s: %s%s", p, &p.out, &p.err)
		}
	}
	for _, w := range append(s.workers, s.startWorker()) {
		if s.running(w) {
			s.waitFor(w, "does units")
			s.interrupt(w, 10*time.Second)
			require.Zero(s.t, w.ProcessState.ExitCode(), &w.err)
		}
	}
	s.interrupt(s.server, 10*time.Second)
	require.Eventually(s.t, func() bool { return len(s.processes()) == 0 }, 5*time.Second, 20*time.Millisecond)
	entries, err := os.ReadDir(s.path("tmp"))
	require.NoError(s.t, err)
	require.Empty(s.t, entries)
}

func (s *stage) running(p *process) bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// waitFor waits until a process has said something.
func (s *stage) waitFor(p *process, text string) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return strings.Contains(p.err.String(), text) || !s.running(p) }, 20*time.Second, 5*time.Millisecond)
	require.Contains(s.t, p.err.String(), text)
}

// processes are the command lines of all that runs here.
func (s *stage) processes() (all []string) {
	names, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(s.t, err)
	for _, name := range names {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(env, []byte("="+s.dir+"/")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			all = append(all, filepath.Base(filepath.Dir(name))+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return all
}

// kinds are the cases of a suite.
var kinds = []struct{ file, rest string }{
	{"elastic/v6-checkpoint.ded", "bounds: {eot: 14, eff: 8, crashes: 2}"},
	{"elastic/v4-seqno.ded", "bounds: {eot: 14, eff: 8, crashes: 2}\n    expect: violated\n    faults: 2"},
	{"delivery/ack12.ded", "bounds: {eot: 16, eff: 13, crashes: 2}"},
	{"replog/buggy.ded", "expect: violated\n    faults: 2"},
	{"paxos/synod_nocheck.ded", "expect: violated\n    faults: 2"},
	{"delivery/classic.ded", "expect: violated\n    faults: 2"},
}

// suite writes a suite with so many cases, none of which has been asked before.
func (s *stage) suite(name string, cases int) string {
	s.t.Helper()
	dir := s.path("suite-" + name)
	require.NoError(s.t, os.MkdirAll(dir, 0o700))
	lib := filepath.Join("..", "..", "testdata", "protocols", "lib")
	require.NoError(s.t, os.CopyFS(filepath.Join(dir, "lib"), os.DirFS(lib)))
	var list strings.Builder
	list.WriteString("cases:\n")
	for i := range cases {
		kind := kinds[i%len(kinds)]
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "protocols", filepath.FromSlash(kind.file)))
		require.NoError(s.t, err)
		file := fmt.Sprintf("cases/%d.ded", i)
		require.NoError(s.t, os.MkdirAll(filepath.Join(dir, "cases"), 0o700))
		require.NoError(s.t, os.WriteFile(filepath.Join(dir, file), fmt.Appendf(text, "\n// %s %d\n", name, i), 0o600))
		fmt.Fprintf(&list, "  - name: case %d\n    files: %s\n    %s\n", i, file, kind.rest)
	}
	file := filepath.Join(dir, "ldfi.yaml")
	require.NoError(s.t, os.WriteFile(file, []byte(list.String()), 0o600))
	return file
}

// check starts ldfi check of a suite. Without the URL of a server one process does it all.
func (s *stage) check(suite string, args ...string) *process {
	return s.start("ldfi", append([]string{"check", suite, "--no-cache", "--output", "json"}, args...)...)
}

// What of an answer depends on the time, and on the suite.
var (
	times  = regexp.MustCompile(`_ms": [0-9.e+-]+`)
	digest = regexp.MustCompile(`"digest": "[0-9a-f]{64}"`)
	places = regexp.MustCompile(`/[^" ]*/suite-[^"/ ]*/`)
)

// answer is all that a command has come to, without times and places.
func (s *stage) answer(p *process) string {
	s.t.Helper()
	s.wait(p, 2*time.Minute)
	require.Zero(s.t, p.ProcessState.ExitCode(), &p.err)
	s.t.Logf("%.1f s: %s", time.Since(p.begun).Seconds(), lastLine(p.err.String()))
	text := times.ReplaceAllString(p.out.String(), `_ms": 0`)
	return places.ReplaceAllString(digest.ReplaceAllString(text, `"digest": ""`), "/suite/")
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// answers are those of one process, by the number of cases.
var answers = map[int]string{}

// alone is the answer of one process to a suite with so many cases.
func (s *stage) alone(cases int) string {
	s.t.Helper()
	if answers[cases] == "" {
		answers[cases] = s.answer(s.check(s.suite("alone", cases)))
		require.Contains(s.t, answers[cases], `"verdict": "violated"`)
	}
	return answers[cases]
}

// requireSame demands that the answer to a suite with so many cases is that of one process.
func (s *stage) requireSame(cases int, p *process) {
	s.t.Helper()
	want, got := s.alone(cases), s.answer(p)
	if got == want {
		return
	}
	wanted, lines := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(lines)) {
		require.Equal(s.t, wanted[i], lines[i], "line %d, after %q; %s", i+1, lines[max(0, i-5):i], &p.err)
	}
	require.Len(s.t, lines, len(wanted))
}
