package tendermint_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "execute each scenario with 100 seeds, and not with 3")

// row is a row of the table of the documentation.
type row struct {
	name  string
	bug   tendermint.Bug // NoBug: it shows none
	rules int            // that decide something
	guide *guide.Guide
}

// rows returns the table of the documentation. It has a row for each file, and how many of its
// rules decide something.
func rows(t *testing.T) (table []row) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	words := regexp.MustCompile(`[A-Z][a-z]+`)
	for _, line := range regexp.MustCompile(`(?m)^//\t(\w+) (\*?) +\d +\d+ +(\d) +100$`).FindAllStringSubmatch(string(doc), -1) {
		file := filepath.Join("scenarios", strings.ToLower(strings.Join(words.FindAllString(line[1], -1), "_"))+".mg")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		r := row{name: line[1]}
		r.rules, err = strconv.Atoi(line[3])
		require.NoError(t, err)
		r.guide, err = guide.Parse(file, string(text))
		require.NoError(t, err)
		if line[2] != "" {
			i := slices.IndexFunc(tendermint.Bugs, func(b tendermint.Bug) bool {
				return strings.HasPrefix(strings.ToLower(r.name), strings.ReplaceAll(string(b), "-", "")) || r.name == "ExpectUnlock" && b == tendermint.ExpectUnlock
			})
			require.GreaterOrEqual(t, i, 0, r.name)
			r.bug = tendermint.Bugs[i]
		}
		table = append(table, r)
	}
	files, err := filepath.Glob("scenarios/*.mg")
	require.NoError(t, err)
	require.Len(t, files, len(table))
	return table
}

func TestTable(t *testing.T) {
	for _, r := range rows(t) {
		decide := 0
		for _, rule := range r.guide.Rules() {
			if !slices.Contains([]string{"goto", "good", "bad"}, rule.Name) {
				decide++
			}
		}
		require.Equal(t, r.rules, decide, r.name)
	}
}

// Each scenario comes to its good end, whatever the seed, and nothing is violated. With the bug
// of its row it comes to a bad end, and a property is violated. The schedule that it gives does
// the same without it.
func TestScenarios(t *testing.T) {
	seeds := uint64(3)
	if *all {
		seeds = 100
	}
	for _, r := range rows(t) {
		t.Run(r.name, func(t *testing.T) {
			good, bad := r.guide.Ends()
			tally := r.guide.NewTally()
			for seed := range seeds {
				outcome, violated := systems.Steered(t, tendermint.Height(tendermint.NoBug), r.guide, seed)
				require.Contains(t, good, outcome.State())
				require.Empty(t, violated)
				require.Empty(t, outcome.Findings)
				tally.Add(outcome)
				if r.bug != tendermint.NoBug {
					outcome, violated = systems.Steered(t, tendermint.Height(r.bug), r.guide, seed)
					require.Contains(t, bad, outcome.State())
					require.NotEmpty(t, violated)
				}
			}
			require.Empty(t, tally.Vacuous())
		})
	}
}
