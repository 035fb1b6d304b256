package process_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Servers and clients that know nothing of ldfi do the same under the same schedule: 20
// random schedules of each cluster below testdata/exact, each of them executed -long / 20
// times, in all 1,000 with -long 1000.
func TestServersAreExact(t *testing.T) {
	if *long < 40 {
		t.Skip("downloads and builds NATS, etcd, Serf and CometBFT: run it with -long 40, or 1000")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "exact", "*.yaml"))
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			c, err := process.Read(file)
			require.NoError(t, err)
			if filepath.Base(file) == "cometbft.yaml" {
				c.Files = testnet(t)
			}
			require.NoError(t, c.Build(t.Context(), t.TempDir()))
			s, err := c.System()
			require.NoError(t, err)
			sameAlways(t, s)
		})
	}
}

// sameAlways executes schedules of a system, each as often as the others.
func sameAlways(t *testing.T, s *system.System) {
	bounds := s.Faults
	bounds.Processes, bounds.EOT, bounds.CrashStop = s.Processes, s.Rounds, true
	draws, random := schedules.New(bounds).Uniform(), schedules.Dice{Rand: rand.New(rand.NewPCG(1, 2))}
	before, executions, messages := cpuOfChildren(), 0, 0
	for i := range 20 {
		schedule := draws.Draw(random).With(rounds.Settings{Seed: rounds.Set(uint64(i))})
		seen := map[string]int{}
		for range *long / 20 {
			e, err := s.Run(t.Context(), schedule, system.RunOptions{})
			require.NoError(t, err, schedule)
			seen[told(e)]++
			executions++
			messages += len(e.Messages)
		}
		require.Len(t, seen, 1, schedule)
	}
	t.Logf("%d executions of 20 schedules, %d messages each, %v of processor time each in nodes", executions, messages/executions, (cpuOfChildren()-before)/time.Duration(executions))
}

// cpuOfChildren is the processor time of the programs that have ended.
func cpuOfChildren() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// testnet returns the files of a chain with three validators.
func testnet(t *testing.T) map[string]string {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", "github.com/cometbft/cometbft/cmd/cometbft@v0.38.17", "testnet", "--v", "3", "--o", dir, "--hostname", "n1", "--hostname", "n2", "--hostname", "n3")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return map[string]string{"n1": filepath.Join(dir, "node0"), "n2": filepath.Join(dir, "node1"), "n3": filepath.Join(dir, "node2")}
}
