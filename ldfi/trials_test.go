package ldfi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Of every protocol of testdata and random schedules, some beyond the bounds, the
// circuit says what an execution shows, and both say what Inject does.
func TestTrials(t *testing.T) {
	violated, beyond := 0, 0
	for _, c := range oracle.Quick(t) {
		m := model(t, c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, MaxGates: 1_000_000})
		trials, err := m.Trials(t.Context())
		require.NoError(t, err, c.Name)
		r := rand.New(rand.NewPCG(1, 2))
		all := append(c.Schedules(6), rounds.Schedule{}, omission(c.Bounds, 1), omission(c.Bounds, c.Bounds.EOT-1))
		for range 4 {
			all = append(all, schedules.New(c.Bounds).Random(r))
		}
		for _, s := range all {
			ran, err := trials.Execute(t.Context(), s)
			if schedules.Assumed(s, c.Bounds) != nil {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err, "%s: %s", c.Name, s)
			if err := trials.Prepare(t.Context(), s); err != nil {
				t.Logf("%s: %s: %v", c.Name, s, err)
				continue
			}
			said := trials.Predict(s)
			require.NotNil(t, said, "%s: %s", c.Name, s)
			if said.Verdict == result.Violated {
				violated++
				require.NotEmpty(t, said.Because, "%s: %s", c.Name, s)
			}
			if !said.Within {
				beyond++
			}
			said.Because = nil
			require.Equal(t, ran, said, "%s: %s", c.Name, s)
		}
	}
	require.Greater(t, violated, 20)
	require.Greater(t, beyond, 20)
}

// omission is one fault that many bounds do not have.
func omission(b rounds.Bounds, round int) rounds.Schedule {
	return rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Omit, Process: b.Processes[0], To: b.Processes[1], Round: round}}}
}
