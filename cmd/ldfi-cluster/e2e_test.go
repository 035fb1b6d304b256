//go:build linux

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// took is how long something took, in every form of output.
var took = regexp.MustCompile(`"(times|time|seconds|elapsed)": ?(\{[^}]*\}|"?[0-9.]+"?)|( time=)"[0-9.]+"| +[0-9.]+ ?(ms|s)\b`)

// outcome is all that a command writes to standard output, without times, and its exit code.
func (s *stage) outcome(p *process) (text string, code int) {
	s.t.Helper()
	s.wait(p, 2*time.Minute)
	return took.ReplaceAllString(p.out.String(), " T"), p.ProcessState.ExitCode()
}

// startWith starts a worker whose ldfi is another program.
func (s *stage) startWith(ldfi, name string) *process {
	s.t.Helper()
	script := fmt.Sprintf("#!/bin/sh\nLDFI='%s' exec ldfi-cluster worker \"$@\"\n", ldfi)
	require.NoError(s.t, os.WriteFile(filepath.Join(programs, name), []byte(script), 0o700))
	p := s.start(name, "--nats", s.url(), "--name", name)
	s.waitFor(p, "does units")
	return p
}

// repository is a file of this checkout.
func repository(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return file
}

// Whatever is asked, in whatever form: two workers on other machines write what one process
// does, byte for byte. Who has done it stands on standard error.
func TestTheSameBytes(t *testing.T) {
	s := newStage(t, 2, nil)
	protocols := repository(t, "testdata/protocols") + "/"
	for _, asked := range []string{
		"check " + repository(t, "ldfi.yaml") + " --no-cache",
		"check " + repository(t, "ldfi.yaml") + " --no-cache --output json",
		"check " + repository(t, "ldfi.yaml") + " --no-cache --output junit --shard 1/3",
		"check " + repository(t, "ldfi.yaml") + " --no-cache --output sarif --shard 2/3",
		"run " + protocols + "delivery/retry.ded",
		"run " + protocols + "delivery/retry.ded --output json",
		"run " + protocols + "delivery/ack.ded --margin",
		"run " + protocols + "delivery/ack.ded --output json",
		"run " + protocols + "delivery/retry.ded --max 5 --repairs",
		"run " + protocols + "replog/buggy.ded",
		"run " + protocols + "paxos/synod.ded --crashes 0",
		"run " + protocols + "delivery/retry.ded --max-facts 3",
		"bisect " + protocols + "election/bully_min.ded " + protocols + "election/bully_max.ded --cache CACHE",
		"bisect " + protocols + "delivery/simple.ded " + protocols + "delivery/retry.ded " + protocols + "delivery/ack.ded --output json --cache CACHE",
	} {
		s.theSame(asked)
	}
}

// theSame asks with and without workers, and returns who has computed what.
func (s *stage) theSame(asked string) (computed string) {
	s.t.Helper()
	words := func() []string {
		require.NoError(s.t, os.RemoveAll(s.path("testdata"))) // schedules that a suite keeps
		return strings.Fields(strings.ReplaceAll(asked, "CACHE", s.t.TempDir()))
	}
	here, code := s.outcome(s.start("ldfi", words()...))
	require.NotEqual(s.t, 2, code, here)
	handed := s.start("ldfi", append(words(), "--workers", s.url())...)
	there, thereCode := s.outcome(handed)
	require.Equal(s.t, here, there, "%s\n%s", asked, &handed.err)
	require.Equal(s.t, code, thereCode, asked)
	require.NotContains(s.t, handed.err.String(), "warning:", asked)
	who := regexp.MustCompile(`(?m)^computed by: (.+)`).FindStringSubmatch(handed.err.String())
	require.NotNil(s.t, who, asked)
	return who[1]
}

// Systems are searched by workers that may start programs: the program is sent along.
func TestTheSameBytesOfSystems(t *testing.T) {
	s := newStage(t, 2, func(s *stage) { s.work = append(s.work, "--allow-hosts") })
	s.electionHost()
	suite := "cases:\n- {name: buggy, system: ./election-host, system-name: election-buggy, expect: violated}\n- {name: fixed, system: ./election-host, system-name: election, bounds: {isolations: 2, eff: 4}}\n"
	require.NoError(t, os.WriteFile(s.path("ldfi.yaml"), []byte(suite), 0o600))
	require.Contains(t, s.theSame("check --no-cache"), "unit")
	require.Contains(t, s.theSame("check --no-cache --output json"), "unit")
	require.Contains(t, s.theSame("run --system ./election-host --name election --strategy uniform --executions 300000 --isolations 2 --eff 4 --output json"), "unit")
	require.Contains(t, s.theSame("run --system ./election-host --name election-buggy"), "here (1: strategy exhaustive cannot search in parts")
}

// Every answer of a worker can be asked again. One that is not true is an error which names
// the worker: nothing is said on standard output. When whoever asks next finds the same,
// without being told to look, the worker ends, and what it has said is forgotten.
func TestLyingWorker(t *testing.T) {
	s := newStage(t, 0, func(s *stage) {
		liar := "#!/bin/sh\n[ \"$2\" = --build ] && exec ldfi \"$@\"\n" +
			`ldfi "$@" | sed -u 's/"verdict":"violated","counterexamples":\[.*\],"complete"/"verdict":"holds","counterexamples":[],"complete"/'` + "\n"
		require.NoError(s.t, os.WriteFile(s.path("liar"), []byte(liar), 0o700))
	})
	suite := filepath.Join(s.dir, "ldfi.yaml")
	require.NoError(t, os.WriteFile(suite, []byte("cases:\n- {name: one, files: "+repository(t, "testdata/protocols/delivery/retry.ded")+", expect: violated}\n"), 0o600))
	liar := s.startWith(s.path("liar"), "liar")

	believed := s.start("ldfi", "check", suite, "--no-cache", "--workers", s.url(), "--recheck", "0")
	text, code := s.outcome(believed)
	require.Equal(t, 1, code, "%s%s", text, &believed.err)
	require.Contains(t, text, "one   holds")

	for _, rate := range []string{"100%", "0"} { // the second one has heard of the first
		caught := s.start("ldfi", "check", suite, "--no-cache", "--workers", s.url(), "--recheck", rate)
		text, code = s.outcome(caught)
		require.Equal(t, 2, code, "%s%s", text, &caught.err)
		require.Empty(t, text)
		require.Contains(t, caught.err.String(), "ldfi: the worker liar gives a wrong result: for the unit search ")
		require.Contains(t, caught.err.String(), "verdict: it says holds, and this machine violated")
		s.waitFor(liar, "somebody says that an answer of liar is not true: it goes on")
	}
	s.wait(liar, 10*time.Second)
	require.Contains(t, liar.err.String(), "what liar says is not true: two who asked have done units again")

	s.startWorker()
	again := s.start("ldfi", "check", suite, "--no-cache", "--workers", s.url(), "--recheck", "100%")
	text, code = s.outcome(again)
	require.Equal(t, 0, code, "%s%s", text, &again.err)
	require.Contains(t, text, "one   violated")
	require.Regexp(t, `computed by: .+ \(1 unit\); 1 of 1 answer rechecked`, again.err.String())
}

// While nobody works this is said, with what to type. Ctrl-C ends it within two seconds, and
// leaves nothing behind.
func TestNobodyWorks(t *testing.T) {
	s := newStage(t, 0, nil)
	p := s.start("ldfi", "run", "--strategy", "lineage", repository(t, "testdata/protocols/delivery/retry.ded"), "--workers", s.url(), "--progress", "json")
	s.waitFor(p, "warning: there is no worker yet, and this waits for one; start it, on any machine that reaches the server (away from the server with the key: --nkey FILE), by\n  ldfi worker --nats "+s.url()+"\n")
	start := time.Now()
	s.interrupt(p, 10*time.Second)
	require.Less(t, time.Since(start), 2*time.Second)
	require.Equal(t, 3, p.ProcessState.ExitCode(), &p.err)
	require.Contains(t, p.out.String(), "inconclusive")
	require.Contains(t, p.err.String(), "computed by: nobody\n")
	line, _, _ := strings.Cut(p.err.String(), "\n")
	var progress struct{ Workers map[string]any }
	require.NoError(t, json.Unmarshal([]byte(line), &progress))
	require.EqualValues(t, 0, progress.Workers["workers"])
}

// A worker that is another ldfi gets nothing to do, and is named.
func TestOtherBuild(t *testing.T) {
	s := newStage(t, 0, nil)
	program, err := os.ReadFile(filepath.Join(programs, "ldfi"))
	require.NoError(t, err)
	other := strings.Replace(string(program), "Find the smallest set of faults that breaks", "Find the littlest set of faults that breaks", 1)
	require.NotEqual(t, string(program), other)
	require.NoError(t, os.WriteFile(s.path("other"), []byte(other), 0o700))
	old := s.startWith(s.path("other"), "old")
	asked := s.start("ldfi", "run", "--strategy", "lineage", repository(t, "testdata/protocols/delivery/retry.ded"), "--workers", s.url())
	text, code := s.outcome(asked)
	require.Equal(t, 2, code)
	require.Empty(t, text)
	require.Regexp(t, `warning: the worker old is ldfi .*, but another build of it, and gets nothing to do: this is `, asked.err.String())
	require.Contains(t, asked.err.String(), "ldfi: all workers of "+s.url()+" are another ldfi than this one, ")
	s.interrupt(old, 10*time.Second)
}
