package simulation_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/simulation"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/stretchr/testify/require"
)

// The program that workers start is this test: a unit says how long it sleeps, so that
// there can be more slots than cores.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "unit" {
		sleepUnits(len(os.Args) > 2)
		return
	}
	code := m.Run()
	if program.dir != "" {
		_ = os.RemoveAll(program.dir)
	}
	os.Exit(code)
}

const build = "sleeper"

// sleepUnits is ldfi unit.
func sleepUnits(sayBuild bool) {
	out := json.NewEncoder(os.Stdout)
	if sayBuild {
		_ = out.Encode(map[string]string{"build": build, "version": build})
		return
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var task work.Task
		var ask asked
		if json.Unmarshal(line, &task) != nil || json.Unmarshal(task.Unit.Ask, &ask) != nil {
			os.Exit(1)
		}
		time.Sleep(ask.Sleep)
		_ = out.Encode(work.Done{Answer: json.RawMessage(`{}`), Final: true})
	}
}

// asked is what a unit asks.
type asked struct {
	Number int64         `json:"number"` // makes it another unit
	Sleep  time.Duration `json:"sleep"`
}

// program is ldfi-cluster, built once.
var program struct {
	once sync.Once
	dir  string
	path string
	err  error
}

func buildProgram(t testing.TB) string {
	program.once.Do(func() {
		if program.dir, program.err = os.MkdirTemp("", "ldfi-simulation-"); program.err != nil {
			return
		}
		program.path = filepath.Join(program.dir, "ldfi-cluster")
		text, err := exec.Command("go", "build", "-o", program.path, "../..").CombinedOutput()
		if err != nil {
			program.err = fmt.Errorf("%w: %s", err, text)
		}
	})
	require.NoError(t, program.err)
	return program.path
}

// cluster is a server and workers that run.
type cluster struct {
	url     string
	server  *exec.Cmd
	workers []*exec.Cmd
	asked   int64
}

// startCluster starts a server, and workers with so many slots each.
func startCluster(t testing.TB, workers, slots int) *cluster {
	path, dir := buildProgram(t), t.TempDir()
	t.Setenv("LDFI_NKEY", filepath.Join(dir, "ldfi.key"))
	c := &cluster{}
	var said io.Reader
	c.server, said = startProcess(t, path, "serve", "--listen", "127.0.0.1:0", "--dir", dir)
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	c.url = strings.TrimSpace(strings.TrimPrefix(line, "the server is at "))
	for range workers {
		worker, _ := startProcess(t, path, "worker", "--nats", c.url, "--slots", fmt.Sprint(slots))
		c.workers = append(c.workers, worker)
	}
	return c
}

// startProcess starts a process that ends with the test.
func startProcess(t testing.TB, path string, args ...string) (_ *exec.Cmd, out io.Reader) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "LDFI="+self)
	said := &strings.Builder{}
	cmd.Stderr = said
	out, err = cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		if t.Failed() {
			t.Logf("%v: %s", args, said)
		}
	})
	return cmd, out
}

// coordinate connects with the server, and waits for the workers.
func (c *cluster) coordinate(t testing.TB, slots int) *work.Coordinator {
	hands, err := work.Start(context.Background(), work.Options{Server: c.url, Program: buildProgram(t), Build: build})
	require.NoError(t, err)
	t.Cleanup(func() { _ = hands.Close() })
	require.Eventually(t, func() bool { return hands.Slots() == slots }, 60*time.Second, 50*time.Millisecond)
	return hands
}

// do hands out units that sleep, so many at a time, and returns how long that takes.
func (c *cluster) do(t testing.TB, hands *work.Coordinator, sleeps []time.Duration, atATime int) time.Duration {
	next := make(chan *work.Unit, len(sleeps))
	for _, sleep := range sleeps {
		c.asked++
		ask, err := json.Marshal(asked{c.asked, sleep})
		require.NoError(t, err)
		next <- &work.Unit{Kind: work.Search, Build: build, Ask: ask}
	}
	close(next)
	begun := time.Now()
	var all sync.WaitGroup
	for range atATime {
		all.Go(func() {
			for u := range next {
				r, err := hands.Do(context.Background(), u, 0, nil)
				if err != nil || r.Failure != "" {
					t.Errorf("%v %+v", err, r)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(begun)
}

var long = flag.Bool("long", false, "also run what takes minutes")

// What the simulation says is what happens: with units that sleep a hundred slots fit on
// any machine. The error is small as long as its cores have time.
func TestReality(t *testing.T) {
	for _, test := range []struct {
		workers, slots, units int
		each                  time.Duration
		long                  bool
	}{
		{1, 1, 20, 100 * time.Millisecond, false},
		{2, 1, 40, 100 * time.Millisecond, false},
		{2, 5, 100, 200 * time.Millisecond, false},
		{1, 1, 200, 100 * time.Millisecond, true},
		{2, 1, 400, 100 * time.Millisecond, true},
		{2, 5, 1000, 200 * time.Millisecond, true},
		{10, 1, 100, time.Second, true},
		{10, 10, 2000, time.Second, true},
	} {
		t.Run(fmt.Sprintf("%d workers with %d slots, %d units of %v", test.workers, test.slots, test.units, test.each), func(t *testing.T) {
			if test.long && !*long {
				t.Skip("with -long")
			}
			random := rand.New(rand.NewPCG(uint64(test.slots), uint64(test.workers)))
			costs := make([]time.Duration, test.units)
			for i := range costs {
				costs[i] = time.Duration(random.ExpFloat64() * float64(test.each))
			}
			p := simulation.Measured(test.workers)
			p.Slots, p.Recheck = test.slots, 0
			simulated, err := simulation.Run(p, simulation.Suite("", costs))
			require.NoError(t, err)

			c := startCluster(t, test.workers, test.slots)
			hands := c.coordinate(t, test.workers*test.slots)
			real := c.do(t, hands, costs, 2*test.workers*test.slots)
			off := float64(simulated.Makespan-real) / float64(real)
			t.Logf("real %v, simulated %v (%+.1f %%), efficiency %.1f %%", real, simulated.Makespan, 100*off, 100*float64(simulated.Alone)/float64(real)/float64(test.workers*test.slots))
			require.Less(t, off, 0.3, "real processes are faster than the simulation thinks possible")
			if *long {
				require.Greater(t, off, -0.3, "the simulation is far off, or this machine has much else to do")
			}
			require.Less(t, real, 4*simulated.Makespan, "something waits for what does not come")
		})
	}
}
