package simulation_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/simulation"
	"github.com/stretchr/testify/require"
)

// measuredSuite is how long the cases of this repository take (ldfi check).
func measuredSuite(t *testing.T) (costs []time.Duration) {
	text, err := os.ReadFile("testdata/suite.txt")
	require.NoError(t, err)
	for _, field := range strings.Fields(string(text)) {
		cost, err := time.ParseDuration(field)
		require.NoError(t, err)
		costs = append(costs, cost)
	}
	return costs
}

// questions are the rows of the table: executions are handed out in parts of two seconds.
func questions(t *testing.T) (suites, draws []*simulation.Question) {
	const part = 2 * time.Second
	random := rand.New(rand.NewPCG(1, 1))
	costs := simulation.Scaled(simulation.Draw(measuredSuite(t), 10_000, random), 10_000*time.Second)
	anyOrder := simulation.Suite("suite, 10^4 s", costs)
	slices.SortFunc(costs, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	longestFirst := simulation.Suite("suite, 10^4 s, longest first", costs)
	suites = []*simulation.Question{anyOrder, longestFirst}
	for _, suite := range suites {
		suite.Open = simulation.Opening
	}
	for power, sum := range map[int]time.Duration{3: 1000 * time.Second, 4: 10_000 * time.Second, 5: 100_000 * time.Second} {
		draws = append(draws, simulation.Executions(fmt.Sprintf("draws, 10^%d s", power), int(sum/part), part, 0.2, rand.New(rand.NewPCG(uint64(sum), 1))))
	}
	slices.SortFunc(draws, func(a, b *simulation.Question) int { return strings.Compare(a.Name, b.Name) })
	return suites, draws
}

// The table of docs/guide/scale.md: go test ./internal/simulation -run TestTable -v -long
func TestTable(t *testing.T) {
	suites, draws := questions(t)
	if !*long {
		draws = draws[:2]
	}
	var out strings.Builder
	require.NoError(t, simulation.Table(&out, slices.Concat(suites, draws), []int{1, 2, 10, 100, 1000}, simulation.Measured))
	t.Logf("\n%s", out.String())
}

// What is promised: nine tenths of the time of all workers is work, with 10 of them for
// questions of 10^3 seconds, and with 100 for those of 10^4. A suite of 10,000 cases, some
// of which take ten times as long as others, misses that by little if a long one comes last.
func TestGoals(t *testing.T) {
	suites, draws := questions(t)
	for _, goal := range []struct {
		workers    int
		question   *simulation.Question
		efficiency float64
	}{
		{10, draws[0], 0.9}, {10, draws[1], 0.9}, {10, suites[0], 0.9},
		{100, draws[1], 0.9}, {100, suites[0], 0.85}, {100, suites[1], 0.9},
	} {
		o, err := simulation.Typical(simulation.Measured(goal.workers), goal.question, 5)
		require.NoError(t, err)
		require.Greater(t, o.Efficiency, goal.efficiency, "%s with %d workers: %s", goal.question.Name, goal.workers, o.Limit())
	}
}

// Workers that die every hour cost little.
func TestDyingWorkers(t *testing.T) {
	_, draws := questions(t)
	p := simulation.Measured(100)
	p.Dies, p.Back = time.Hour, time.Minute
	o, err := simulation.Run(p, draws[1])
	require.NoError(t, err)
	require.Zero(t, o.Aside)
	require.Greater(t, o.Efficiency, 0.8)
}
