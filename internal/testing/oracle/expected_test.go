package oracle_test

import (
	"context"
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

const expectedFile = "../../../testdata/protocols/expected.txt"

// scenarios is how many scenarios a line may have for the exhaustive test to
// run it. Lines with up to 100,000 take a few minutes.
var scenarios = flag.Int64("scenarios", 5000, "run the expected verdicts of at most this many scenarios exhaustively")

func readExpected(t *testing.T) []oracle.Expected {
	all, err := oracle.ReadExpected(expectedFile)
	require.NoError(t, err)
	return all
}

// TestExpectedExhaustive executes every schedule of the expected verdicts with
// few scenarios, and compares verdict and smallest size.
func TestExpectedExhaustive(t *testing.T) {
	for _, e := range readExpected(t) {
		if e.Scenarios == nil || e.Scenarios.Cmp(big.NewInt(*scenarios)) > 0 {
			continue
		}
		t.Run(e.Line, func(t *testing.T) {
			t.Parallel()
			judge := newJudge(t, e)
			count, smallest := int64(0), -1
			for s := range judge.universe.All() {
				count++
				if (smallest < 0 || s.Size() < smallest) && judge.violates(t, s) {
					smallest = s.Size()
				}
			}
			require.Equal(t, e.Scenarios.Int64(), count, "scenarios")
			require.Equal(t, e.Violated, smallest >= 0, "violated")
			if e.Violated {
				require.Equal(t, e.Size, smallest, "smallest number of faults")
			}
		})
	}
}

// TestExpectedFaults executes the schedules that the expected verdicts name.
func TestExpectedFaults(t *testing.T) {
	for _, e := range readExpected(t) {
		t.Run(e.Line, func(t *testing.T) {
			judge := newJudge(t, e)
			if e.Scenarios != nil {
				require.Equal(t, e.Scenarios.String(), schedules.Count(judge.universe.Bounds()).String())
			}
			if chosen := e.Faults != nil && e.Faults.Choices() > 0; !chosen {
				require.Equal(t, e.Violated && e.Size == 0, judge.violates(t, rounds.Schedule{}), "without faults")
			}
			if e.Faults != nil {
				require.NoError(t, schedules.Within(*e.Faults, judge.universe.Bounds()))
				require.Equal(t, e.Size, e.Faults.Size())
				require.True(t, judge.violates(t, *e.Faults), "%s does not violate", e.Faults)
			}
		})
	}
}

// TestExpectedComplete checks that no protocol is without an expected verdict: in the file
// of these, or in a suite beside the protocol.
func TestExpectedComplete(t *testing.T) {
	expected := suiteFiles(t, filepath.Join(filepath.Dir(expectedFile), "catalogue", "ldfi.yaml"))
	for _, e := range readExpected(t) {
		expected[e.Path] = true
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(expectedFile), "*", "*.ded"))
	require.NoError(t, err)
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) != "lib" {
			require.True(t, expected[file], "%s has no line in %s", file, expectedFile)
		}
	}
}

// suiteFiles are the programs that the cases of a suite name.
func suiteFiles(t *testing.T, file string) map[string]bool {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var suite struct{ Cases []struct{ Files string } }
	require.NoError(t, yaml.Unmarshal(text, &suite))
	files := map[string]bool{}
	for _, c := range suite.Cases {
		files[filepath.Join(filepath.Dir(file), c.Files)] = true
	}
	require.NotEmpty(t, files)
	return files
}

func TestReadExpectedErrors(t *testing.T) {
	for text, message := range map[string]string{
		"a.ded":                         "expected a verdict",
		"a.ded holds 1 5":               `expected "holds -"`,
		"a.ded maybe - 5":               `expected "holds -"`,
		"a.ded violated - 5":            "expected the smallest number of faults",
		"a.ded holds - many":            "expected a number of scenarios",
		"a.ded violated 1 5 crash":      "crash",
		"# a comment\n\na.ded holds - ": "expected.txt:3: ",
	} {
		path := filepath.Join(t.TempDir(), "expected.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := oracle.ReadExpected(path)
		require.ErrorContains(t, err, message)
	}
	_, err := oracle.ReadExpected("missing.txt")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// judge decides whether a program keeps its promise under a schedule.
type judge struct {
	machine  *lockstep.Machine
	universe *schedules.Universe
	promises []string // those of pre, post, violation and good that the program has
	wanted   [][]specs.Value
	goals    string
}

func newJudge(t *testing.T, e oracle.Expected) *judge {
	p, b, goals, err := e.Load()
	require.NoError(t, err)
	j := &judge{universe: schedules.New(b), goals: goals}
	for _, r := range p.Relations() {
		if slices.Contains([]string{"pre", "post", "violation", "good"}, r.Name) {
			j.promises = append(j.promises, r.Name)
		}
	}
	j.machine, err = lockstep.Compile(p, b, lockstep.Options{Only: j.promises})
	require.NoError(t, err)
	if relation := j.witness(); relation != "" {
		j.wanted = slices.Clone(j.run(t, rounds.Schedule{}).Facts(relation, b.EOT))
	}
	return j
}

func (j *judge) has(relation string) bool { return slices.Contains(j.promises, relation) }

// witness is the relation whose tuples in the failure-free run are wanted, if
// the promise is of that kind.
func (j *judge) witness() string {
	switch {
	case j.has("post") && j.goals == "witnessed":
		return "post"
	case j.has("good") && !j.has("pre") && !j.has("post"):
		return "good"
	default:
		return ""
	}
}

func (j *judge) run(t *testing.T, s rounds.Schedule) *lockstep.Run {
	run, err := j.machine.Run(context.Background(), s)
	require.NoError(t, err, "under %s", s)
	return run
}

func (j *judge) violates(t *testing.T, s rounds.Schedule) bool {
	run, eot := j.run(t, s), j.universe.Bounds().EOT
	for round := 1; j.has("violation") && round <= eot; round++ {
		if len(run.Facts("violation", round)) > 0 {
			return true
		}
	}
	if j.witness() == "good" {
		return slices.ContainsFunc(j.wanted, func(args []specs.Value) bool { return !run.Has("good", args, eot) })
	}
	if !j.has("pre") {
		return false
	}
	return slices.ContainsFunc(run.Facts("pre", eot), func(args []specs.Value) bool {
		wanted := j.goals != "witnessed" || slices.ContainsFunc(j.wanted, func(w []specs.Value) bool { return slices.Equal(w, args) })
		return wanted && !run.Has("post", args, eot)
	})
}
