package catalogue_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

const seeds = 20

// TestCosts measures what it takes to find each bug and to certify its fix:
//
//	go test ./internal/catalogue -run TestCosts -v -args -long
//
// Without -long the protocols are measured and the systems are not, and every protocol
// has to be decided in the time that the catalogue promises.
func TestCosts(t *testing.T) {
	var b strings.Builder
	b.WriteString("| bug | published cost | faults | scope | scenarios | time | facts | gates | fix | system: executions |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows(t).Rows {
		cells := []string{r.Name, r.Short, "", "", "", "", "", "", "", r.executions(t)}
		if r.Run != "" {
			bug, fix := ask(t, r.Run), ask(t, r.Fixed)
			require.Less(t, bug.took(), 5*time.Second, r.Run)
			require.Less(t, fix.took(), 30*time.Second, r.Fixed)
			bounds, _, _ := strings.Cut(bug.Scope.Text, ": ")
			copy(cells[2:], []string{fmt.Sprint(r.Faults), bounds, bug.scenarios(), inWords(bug.took()),
				fmt.Sprint(bug.Stats.Facts), fmt.Sprint(bug.Stats.Gates), inWords(fix.took())})
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	t.Log("\n" + b.String())
	if *update && *long {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(page, []byte(replace(t, string(text), "costs", b.String())), 0o644))
	}
}

// took returns how long an answer took.
func (a *answer) took() time.Duration {
	return time.Duration(a.Stats.Times.Total * float64(time.Millisecond))
}

// inWords returns a time with two digits that say something.
func inWords(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// strategies are those that systems are measured with; the first is the default.
var strategies = []string{"", "learn"}

// executions returns what it takes to find the bug in the system by each strategy: the
// median of all seeds, the fewest and the most, up to the first violation.
func (r *row) executions(t *testing.T) string {
	if r.System == nil || !*long {
		return ""
	}
	var cells []string
	for _, strategy := range strategies {
		var counts []int
		for seed := range uint64(seeds) {
			a := find(t, systems[r.System.Name], strategy, seed+1)
			if a.Verdict == result.Violated {
				counts = append(counts, a.Search.Executions)
			}
			strategy = a.Search.Strategy
		}
		if len(counts) < seeds {
			cells = append(cells, fmt.Sprintf("%s: %d of %d seeds within %d executions", strategy, len(counts), seeds, most))
			continue
		}
		slices.Sort(counts)
		median := float64(counts[(seeds-1)/2]+counts[seeds/2]) / 2
		cells = append(cells, fmt.Sprintf("%s %g (%d to %d)", strategy, median, counts[0], counts[seeds-1]))
	}
	return strings.Join(cells, ", ")
}
