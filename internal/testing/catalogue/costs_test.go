package catalogue_test

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

const seeds = 20

// TestCosts measures what it takes to find each bug and to certify its fix:
//
//	go test ./internal/testing/catalogue -run TestCosts -v -args -long
//
// Every protocol has to be decided in the time that the catalogue promises, on a machine
// that does nothing else.
func TestCosts(t *testing.T) {
	if !*long {
		t.Skip("only with -long: this measures times")
	}
	var b strings.Builder
	b.WriteString("| bug | found, ms | certified, ms | system: executions |\n|---|---|---|---|\n")
	for _, r := range rows(t).Rows {
		cells := []string{r.Name, "", "", r.executions(t)}
		if r.Run != "" {
			bug, fix := ask(t, r.Run), ask(t, r.Fixed)
			require.Less(t, bug.took(), 5*time.Second, r.Run)
			require.Less(t, fix.took(), 30*time.Second, r.Fixed)
			cells[1], cells[2] = inMilliseconds(bug.took()), inMilliseconds(fix.took())
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	t.Log("\n" + b.String())
	if *update {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(page, []byte(replace(t, string(text), "costs", b.String())), 0o644))
	}
}

// took returns how long an answer took.
func (a *answer) took() time.Duration {
	return time.Duration(a.Stats.Times.Total * float64(time.Millisecond))
}

// inMilliseconds returns a time of at least one.
func inMilliseconds(d time.Duration) string { return fmt.Sprint(max(1, d.Milliseconds())) }

// unknown stands for more executions than were made.
const unknown = math.MaxInt

// inNumbers returns the median of counts in order, the fewest and the most.
func (p *process) inNumbers(counts []int) string {
	limit := cmp.Or(p.Most, most)
	found := slices.Index(append(counts, unknown), unknown)
	if found <= seeds/2 {
		return fmt.Sprintf("%d of %d seeds within %d executions", found, seeds, limit)
	}
	last := fmt.Sprint(counts[seeds-1])
	if found < seeds {
		last = fmt.Sprintf("more than %d", limit)
	}
	return fmt.Sprintf("%g (%d to %s)", median(counts), counts[0], last)
}

// median returns that of counts in order.
func median(counts []int) float64 { return float64(counts[(seeds-1)/2]+counts[seeds/2]) / 2 }

// strategies are those that systems are measured with; the first is the default.
var strategies = []string{"", "learn"}

// strategies has that of the row in place of learn where timeouts are drawn at random, and
// alone where learn takes minutes.
func (p *process) strategies() []string {
	switch {
	case p.hosted():
		return slices.Compact([]string{"", p.Strategy})
	case p.Strategy != "":
		return []string{p.Strategy}
	}
	return strategies
}

// executions returns what it takes to find the bug in the system by each strategy: the
// median of all seeds, the fewest and the most, up to the first violation; or, if the
// strategy looks at global states before its one execution, the most of these.
func (r *row) executions(t *testing.T) string {
	if r.System == nil {
		return ""
	}
	var cells []string
	for _, strategy := range r.System.strategies() {
		var counts []int
		states := 0
		for seed := range uint64(seeds) {
			a := r.System.find(t, strategy, seed+1)
			counts = append(counts, a.Search.Executions)
			states = max(states, a.Search.States)
			if a.Verdict != result.Violated {
				counts[seed] = unknown
			}
			strategy = a.Search.Strategy
		}
		slices.Sort(counts)
		cell := strategy + " " + r.System.inNumbers(counts)
		if states > 0 && counts[seeds-1] == 1 {
			cell = fmt.Sprintf("%s %s states", strategy, text.Number(big.NewInt(int64(states)), 20))
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, ", ")
}
