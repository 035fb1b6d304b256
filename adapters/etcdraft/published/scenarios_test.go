package published_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcdraft/published"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
	_ "github.com/lineage-driven/ldfi/specs/property/rules" // reads guides
	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "execute each scenario with 100 seeds, and not with 1")

// scenario is a row of the table of the documentation.
type scenario struct {
	name   string
	rules  int // that decide something
	guide  *guide.Guide
	system *system.System
	mended []*system.System // nil: the row is no bug
}

// scenarios returns the table of the documentation. It has a row for each file, and how many of
// its rules decide something.
func scenarios(t *testing.T) (table []scenario) {
	doc, err := os.ReadFile("systems.go")
	require.NoError(t, err)
	files, err := filepath.Glob("scenarios/*.mg")
	require.NoError(t, err)
	for _, line := range regexp.MustCompile(`(?m)^//\t(\w+) (\^?) +\d +\d+ +(\d) +100$`).FindAllStringSubmatch(string(doc), -1) {
		i := slices.IndexFunc(files, func(f string) bool {
			return strings.ReplaceAll(filepath.Base(f), "_", "") == strings.ToLower(line[1])+".mg"
		})
		require.GreaterOrEqual(t, i, 0, line[1])
		text, err := os.ReadFile(files[i])
		require.NoError(t, err)
		s := scenario{name: line[1], system: published.Five()}
		switch s.name {
		case "Liveness":
			s.system, s.mended = published.Liveness(), []*system.System{published.Lively()}
			s.system.Rounds, s.mended[0].Rounds = 200, 200
		case "LivenessNoCQ":
			s.system, s.mended = published.LivenessNoCQ(), []*system.System{published.Lively()}
		case "NoLiveness":
			s.system, s.mended = published.NoLiveness(), []*system.System{published.Alive()}
		case "ConfChangeBug":
			s.system, s.mended = published.ConfChange(), []*system.System{published.ConfChangeLater(), published.Removals()}
			s.system.Rounds, s.mended[0].Rounds, s.mended[1].Rounds = 60, 60, 60
		}
		require.Equal(t, line[2] != "", len(s.mended) > 0, s.name)
		s.rules, err = strconv.Atoi(line[3])
		require.NoError(t, err)
		s.guide, err = guide.Parse(files[i], string(text))
		require.NoError(t, err)
		table = append(table, s)
	}
	require.Len(t, files, len(table))
	return table
}

func TestTable(t *testing.T) {
	for _, s := range scenarios(t) {
		decide := 0
		for i, rule := range s.guide.Rules() {
			if s.guide.Decides(i) && !slices.Contains([]string{"goto", "good", "bad"}, rule.Name) {
				decide++
			}
		}
		require.Equal(t, s.rules, decide, s.name)
	}
}

// Each scenario comes to its end, whatever the seed: to its good one, where nothing is violated,
// or to its bad one. With what mends it, a bug does not show. The schedule that a scenario gives
// does the same without it.
func TestScenarios(t *testing.T) {
	seeds := uint64(1)
	if *all {
		seeds = 100
	}
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			good, bad := s.guide.Ends()
			tally := s.guide.NewTally()
			for seed := range seeds {
				outcome, violated := systems.Steered(t, s.system, s.guide, seed)
				if s.mended == nil {
					require.Empty(t, violated)
				}
				require.Contains(t, append(good, bad...), outcome.State(), "seed %d", seed)
				require.Empty(t, outcome.Findings)
				tally.Add(outcome)
				for _, mended := range s.mended {
					outcome, violated := systems.Steered(t, mended, s.guide, seed)
					require.NotContains(t, bad, outcome.State(), "%s, seed %d", mended.Name, seed)
					require.Empty(t, violated)
				}
			}
			require.Empty(t, tally.Vacuous())
		})
	}
}
