package tendermint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
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
				outcome, violated := steered(t, tendermint.Height(tendermint.NoBug), r.guide, seed)
				require.Contains(t, good, outcome.State())
				require.Empty(t, violated)
				require.Empty(t, outcome.Findings)
				tally.Add(outcome)
				if r.bug != tendermint.NoBug {
					outcome, violated = steered(t, tendermint.Height(r.bug), r.guide, seed)
					require.Contains(t, bad, outcome.State())
					require.NotEmpty(t, violated)
				}
			}
			require.Empty(t, tally.Vacuous())
		})
	}
}

// steered executes a system by a guide, and returns what came of it, and which properties are
// violated.
func steered(t *testing.T, s *system.System, g *guide.Guide, seed uint64) (outcome guide.Outcome, violated []string) {
	steering, err := g.NewSteering(s.Bounds(0), false)
	require.NoError(t, err)
	steering.Start(t.Context())
	e, err := s.Run(t.Context(), rounds.Schedule{Settings: rounds.Settings{Seed: rounds.Set(seed)}}, system.RunOptions{Steer: steering})
	require.NoError(t, err)
	outcome, schedule, err := steering.End(e)
	require.NoError(t, err)
	for range 3 {
		again, err := s.Run(t.Context(), schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, recorded(e), recorded(again))
	}
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		require.NoError(t, err)
		if len(violations) > 0 {
			violated = append(violated, p.Name)
		}
	}
	return outcome, violated
}

// recorded returns the facts and messages of an execution.
func recorded(e *recording.Execution) (all []string) {
	for _, f := range e.Facts {
		all = append(all, f.String())
	}
	for _, m := range e.Messages {
		all = append(all, fmt.Sprint(m))
	}
	return all
}
