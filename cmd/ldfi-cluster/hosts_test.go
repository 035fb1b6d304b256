//go:build linux

package main_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Programs that come with units are started only where that is allowed, and end with the
// worker, also when that is killed.
func TestHosts(t *testing.T) {
	if !*long {
		t.Skip("it takes twenty seconds: -long")
	}
	s := newStage(t, 1, func(s *stage) { s.work = []string{"--slots", "2", "--allow-hosts"} })
	host := s.electionHost()
	ask := func(more ...string) *process {
		return s.start("ldfi", append([]string{"run", "--system", host, "--name", "election", "--output", "json", "--executions", "800000", "--strategy", "uniform", "--eot", "4"}, more...)...)
	}
	here, code := s.outcome(ask())
	asked := ask("--workers", s.url())
	s.untilBusy(s.workers[0])
	s.kill(s.workers[0])
	require.Eventually(t, func() bool { return len(s.units(s.workers[0])) == 0 }, 5*time.Second, 10*time.Millisecond)
	s.workers[0] = s.startWorker()
	there, thereCode := s.outcome(asked)
	require.Equal(t, times.ReplaceAllString(here, ""), times.ReplaceAllString(there, ""))
	require.Equal(t, code, thereCode)
	require.Regexp(t, `computed by: .+ units?\)`, asked.err.String())
}

// electionHost builds the program of a system, and returns where it is.
func (s *stage) electionHost() string {
	s.t.Helper()
	host := s.path("election-host")
	out, err := exec.Command("go", "build", "-o", host, "github.com/lineage-driven/ldfi/examples/election/host").CombinedOutput()
	require.NoError(s.t, err, "%s", out)
	return host
}
