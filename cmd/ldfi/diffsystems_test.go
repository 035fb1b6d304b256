package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/lineage-driven/ldfi/examples/cassandra"
	"github.com/lineage-driven/ldfi/examples/election"
	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// What diff says of a system behind a host is true of executions of the same system here:
// of one that breaks and one that does not, and of two versions under one schedule.
func TestDifferencesOfSystemsAreTrue(t *testing.T) {
	compared, parted, undone := 0, 0, 0
	for i, s := range []struct{ buggy, fixed *system.System }{{election.Buggy(), election.Fixed()}, {replog.Buggy(), replog.Fixed()}, {cassandra.Buggy(), cassandra.Fixed()}} {
		r := rand.New(rand.NewPCG(uint64(i), 14))
		b := rounds.Bounds{Processes: s.buggy.Processes, EOT: s.buggy.Rounds, CrashStop: true, Crashes: 1, Isolations: 3, Period: max(1, s.buggy.Rounds/5), Omissions: 2, Delays: 1, MaxDelay: 2}
		tried := 0
		for tried < 3 {
			schedule := schedules.New(b).Random(r)
			if breaksUnder(t, s.buggy)(schedule) == breaksUnder(t, s.fixed)(schedule) && r.IntN(40) > 0 {
				continue // which is most often so
			}
			tried++
			args := []string{"diff", "--output", "json", "--system", "examples-host", "--name", s.buggy.Name, "--faults", schedule.String()}
			d := differenceOf(t, args...)
			require.NoError(t, oracle.CheckRecorded(d, executing(t, s.buggy), executing(t, s.buggy), breaking(s.buggy)), "%s: %q", schedule, d.Text)
			compared += min(d.Outcome, 1)
			undone += len(d.Without)

			d = differenceOf(t, append(args, "--with-name", s.fixed.Name)...)
			good, bad := s.fixed, s.buggy
			if d.Bad.Version == s.fixed.Name {
				good, bad = bad, good
			}
			require.Equal(t, []string{good.Name, bad.Name}, []string{d.Good.Version, d.Bad.Version})
			require.NoError(t, oracle.CheckRecorded(d, executing(t, good), executing(t, bad), breaking(bad)), "%s: %q", schedule, d.Text)
			require.Empty(t, d.Without)
			parted += min(d.Outcome, 1)
		}
	}
	require.Greater(t, compared, 2)
	require.Greater(t, parted, 2)
	require.Greater(t, undone, 2)
}

// differenceOf is what diff writes.
func differenceOf(t *testing.T, args ...string) *result.Difference {
	t.Helper()
	out, err := exec.Command("ldfi", args...).Output()
	require.NoError(t, err, args)
	d := &result.Difference{}
	require.NoError(t, json.Unmarshal(out, d))
	return d
}

// executing executes a system here.
func executing(t *testing.T, s *system.System) oracle.Execute {
	return func(schedule rounds.Schedule) (*recording.Execution, error) {
		return s.Run(t.Context(), schedule, system.RunOptions{Record: true})
	}
}

// breaksUnder tells whether a schedule breaks a system.
func breaksUnder(t *testing.T, s *system.System) func(rounds.Schedule) bool {
	return func(schedule rounds.Schedule) bool {
		e, err := executing(t, s)(schedule)
		require.NoError(t, err)
		breaks, err := breaking(s)(e)
		require.NoError(t, err)
		return breaks
	}
}

// breaking tells whether an execution breaks a property of a system.
func breaking(s *system.System) func(*recording.Execution) (bool, error) {
	return func(e *recording.Execution) (bool, error) {
		for _, p := range s.Properties {
			violations, err := p.Check(e)
			if err != nil {
				return false, fmt.Errorf("%s: %w", p.Name, err)
			}
			if len(violations) > 0 {
				return true, nil
			}
		}
		return false, nil
	}
}
