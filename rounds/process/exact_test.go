package process_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/process/maelstrom"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// Servers and clients that know nothing of ldfi do the same under the same schedule: 20
// random schedules of each cluster below testdata/exact, and of a node that was written for
// Maelstrom, each of them executed -long / 20 times, in all 1,000 with -long 1000. A tenth
// of that with nodes that collect garbage whenever they like.
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
			sameAlways(t, *long, func(env ...string) (*system.System, error) {
				of := c
				of.Nodes = slices.Clone(c.Nodes)
				for i := range of.Nodes {
					of.Nodes[i].Env = slices.Concat(c.Nodes[i].Env, env)
				}
				return of.System()
			})
		})
	}
	t.Run("maelstrom", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "node")
		require.NoError(t, process.Build(t.Context(), "../../examples/maelstrom", ".", file))
		sameAlways(t, *long, func(env ...string) (*system.System, error) {
			return maelstrom.System(process.Node{File: file, Args: []string{"retrying"}, Env: env}, maelstrom.Broadcast{})
		})
	})
}

// sameAlways executes schedules of a system, each as often as the others, and a tenth of
// that with an environment in which garbage is collected at any time.
func sameAlways(t *testing.T, executions int, with func(env ...string) (*system.System, error)) {
	s, err := with()
	require.NoError(t, err)
	require.Zero(t, sameUnder20(t, s, executions/20), "executions in which garbage was collected")
	s, err = with("GOGC=5")
	require.NoError(t, err)
	require.NotZero(t, sameUnder20(t, s, max(2, executions/200)), "executions in which garbage was collected")
}

func sameUnder20(t *testing.T, s *system.System, each int) (collected int) {
	bounds := s.Faults
	bounds.Processes, bounds.EOT, bounds.CrashStop = s.Processes, s.Rounds, true
	draws, random := schedules.New(bounds).Uniform(), schedules.Dice{Rand: rand.New(rand.NewPCG(1, 2))}
	before, executions, messages := cpuOfChildren(), 0, 0
	for i := range 20 {
		schedule := draws.Draw(random).With(rounds.Settings{Seed: rounds.Set(uint64(i))})
		seen := map[string]int{}
		for range each {
			e, err := s.Run(t.Context(), schedule, system.RunOptions{})
			require.NoError(t, err, schedule)
			seen[told(e)]++
			executions++
			messages += len(e.Messages)
			if e.Inexact != "" {
				collected++
			}
		}
		require.Len(t, seen, 1, schedule)
	}
	t.Logf("%d executions of 20 schedules (%d collected garbage at any time), %d messages each, %v of processor time each in nodes",
		executions, collected, messages/executions, (cpuOfChildren()-before)/time.Duration(executions))
	return collected
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
