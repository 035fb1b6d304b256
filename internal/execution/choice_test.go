package execution_test

import (
	"math/big"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

func values(texts ...string) (all []specs.Value) {
	for _, text := range texts {
		all = append(all, specs.String(text))
	}
	return all
}

// What offers allow is written out round by round, and parses again.
func TestChoices(t *testing.T) {
	all := []execution.Choice{
		{Kind: "put", Processes: []string{"a", "b"}, Values: [][]specs.Value{values("x", "y z"), {specs.Int(1), specs.Int(-2)}}, From: 2, To: 3},
		{Kind: "stop", Processes: []string{"b"}},
	}
	choices := execution.Choices(all, 3)
	require.Len(t, choices, 1)
	var texts []string
	for _, f := range choices[0].Of {
		parsed, err := rounds.ParseSchedule(f.String())
		require.NoError(t, err)
		require.Equal(t, []rounds.Fault{f}, parsed.Faults)
		texts = append(texts, f.String())
	}
	require.Equal(t, []string{`choose stop("b")@1`, `choose put("a", "x", 1)@2`, `choose put("a", "x", -2)@2`, `choose put("a", "y z", 1)@2`, `choose put("a", "y z", -2)@2`,
		`choose put("b", "x", 1)@2`}, texts[:6])
	require.Len(t, texts, 19)
	require.Nil(t, execution.Choices(nil, 3))
	require.Nil(t, execution.Choices(all[:1], 1))
}

// The scenarios of what offers allow are counted as they are enumerated: every set of
// requests, up to the budget.
func TestScenarios(t *testing.T) {
	all := []execution.Choice{
		{Kind: "put", Processes: []string{"a", "b"}, Values: [][]specs.Value{values("x", "y")}, From: 2},
		{Kind: "get", Processes: []string{"b"}, To: 1},
	}
	b := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 2, Omissions: 1, Choose: execution.Choices(all, 2)} // 5 requests, 4 losses
	for budget, want := range map[int]int64{0: 5, 1: 5 * 6, 2: 5 * 16, 4: 5 * 31, 5: 5 * 32, 9: 5 * 32, rounds.Unlimited: 5 * 32} {
		b.Choices = budget
		require.Equal(t, big.NewInt(want), schedules.Count(b), "choices=%d", budget)
		seen := map[string]bool{}
		for s := range schedules.New(b).All() {
			seen[s.String()] = true
			require.NoError(t, schedules.Within(s, b))
		}
		require.Len(t, seen, int(want), "choices=%d", budget)
	}
}

// A schedule by itself says what is chosen.
func TestChosen(t *testing.T) {
	s, err := rounds.ParseSchedule(`crash a@1; choose put("a")@2; choose put("a")@2; choose get("a")@1`)
	require.NoError(t, err)
	b := rounds.Bounds{Processes: []string{"a"}, EOT: 2, Choose: execution.Chosen(s)}
	require.NoError(t, s.Check(b))
	require.Len(t, b.Choose[0].Of, 2)
	require.Nil(t, execution.Chosen(rounds.Schedule{Faults: s.Faults[:1]}))
}
