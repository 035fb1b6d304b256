package process_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/process"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// checked returns two servers of values, a client, and a checker that ends with status 1 if
// the servers have different values.
func checked(t *testing.T, rounds int) *system.System {
	server := built(t, "../../examples/kvd")
	c := process.Cluster{
		Apart:   -1,
		Rounds:  rounds,
		Clients: []process.Node{{Name: "load", File: built(t, "../../examples/kvd/load"), Args: []string{"{peers:8080}"}}},
		Checker: process.Node{Name: "check", File: built(t, "../../examples/kvd/check"), Args: []string{"{peers:8080}"}},
	}
	for _, name := range []string{"n1", "n2"} {
		c.Nodes = append(c.Nodes, process.Node{Name: name, File: server, Args: []string{"-others", "{others:8080}"}})
	}
	s, err := c.System()
	require.NoError(t, err)
	return s
}

// round returns the round of the first fact of a relation about a node.
func round(t *testing.T, e *recording.Execution, relation, node string) int {
	i := slices.IndexFunc(e.Facts, func(f recording.Fact) bool { return f.Relation == relation && f.Args[0].Text() == node })
	require.GreaterOrEqual(t, i, 0, "%s %s", relation, node)
	return e.Facts[i].Round
}

// The checker starts when the client has ended, and behind the last fault, though that may be
// long after.
func TestChecker(t *testing.T) {
	s := checked(t, 60)
	e, violated := run(t, s, "")
	require.Empty(t, violated)
	require.Greater(t, round(t, e, "exit", "check"), round(t, e, "exit", "load"))
	e, violated = run(t, s, "pause n2@35..38")
	require.Empty(t, violated)
	require.Less(t, round(t, e, "exit", "load"), 20)
	require.Greater(t, round(t, e, "exit", "check"), 38)
}

// A server that comes back without what it had is what only a checker sees: the client found
// the value on the other one. The reason has what it printed.
func TestCheckerFails(t *testing.T) {
	s := checked(t, 60)
	_, violated := run(t, s, "crash n2@15; restart n2@16")
	require.Equal(t, map[string]string{"checker succeeds": "check ends with status 1: n1:8080 has 1, and n2:8080 has nothing"}, violated)
	_, violated = run(t, s, "crash n2@15")
	require.Empty(t, violated, "who is down is not asked")
}

// Faults of a search leave the last third of the rounds alone.
func TestCheckerHasCalmRounds(t *testing.T) {
	s := checked(t, 60)
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	b := target.DefaultBounds(rounds.Bounds{Crashes: 1})
	require.NoError(t, schedules.Within(parse(t, "crash n2@40"), b))
	require.EqualError(t, schedules.Within(parse(t, "crash n2@41"), b), "schedule: crash n2@41: nothing fails in the last 20 rounds of 60 (--last)")
	require.Error(t, schedules.Within(parse(t, "crash check@3"), b))
	b.EOT = 20
	require.ErrorContains(t, b.Validate(), "nothing fails in the last 20 rounds (--last), which leaves none for faults")
}

// Where nobody says what fails, two partitions do, with clients on one side, in phases of a
// quarter of the rounds that there are; and phases are as long where somebody does.
func TestDefaultFaults(t *testing.T) {
	c := process.Cluster{Rounds: 60, Nodes: []process.Node{{Name: "n1", File: built(t, "./testdata/ends")}}}
	in := func(eot int) rounds.Bounds {
		s, err := c.System()
		require.NoError(t, err)
		target, err := search.NewTarget(s, nil)
		require.NoError(t, err)
		return target.DefaultBounds(rounds.Bounds{EOT: eot})
	}
	bounds := func() rounds.Bounds { return in(0) }
	require.Equal(t, "1 process, 60 rounds, at most 2 isolations in phases of 15 rounds", bounds().String())
	c.Clients = []process.Node{{Name: "load", File: c.Nodes[0].File}}
	require.Equal(t, "2 processes, 60 rounds, at most 2 isolations in phases of 15 rounds", bounds().String(), "they cannot be parted otherwise")
	for _, name := range []string{"n2", "n3"} {
		c.Nodes = append(c.Nodes, process.Node{Name: name, File: c.Nodes[0].File})
	}
	require.Equal(t, "4 processes, 60 rounds, at most 2 partitions in phases of 15 rounds", bounds().String())
	c.Faults = rounds.Bounds{Isolations: 1}
	require.Equal(t, "4 processes, 60 rounds, at most 1 isolation in phases of 15 rounds", bounds().String())
	require.Equal(t, "4 processes, 200 rounds, at most 1 isolation in phases of 50 rounds", in(200).String(), "who searches other rounds")
	c.Faults = rounds.Bounds{Crashes: 1}
	require.Equal(t, "4 processes, 60 rounds, at most 1 crash (stop; what is not synced is lost, kept or torn) (never load)", bounds().String(), "servers have disks, also beside a client")
	c.Faults = rounds.Bounds{Isolations: 1, Period: 2}
	require.Equal(t, "4 processes, 60 rounds, at most 1 isolation in phases of 2 rounds", bounds().String())
	require.Equal(t, "4 processes, 200 rounds, at most 1 isolation in phases of 2 rounds", in(200).String())
	c.Faults = rounds.Bounds{}
	for i := range 13 {
		c.Nodes = append(c.Nodes, process.Node{Name: fmt.Sprint("more", i), File: c.Nodes[0].File})
	}
	require.Equal(t, "17 processes, 60 rounds, at most 2 isolations in phases of 15 rounds", bounds().String(), "so many are not parted")
}

// A checker that has not ended in the last round is late or stuck, as clients are: late if it
// ends well when the execution goes on, and not if it fails then.
func TestCheckerLate(t *testing.T) {
	s := checked(t, 18)
	target, err := search.NewTarget(s, nil)
	require.NoError(t, err)
	goesOn := func(schedule string) *search.Aftermath {
		e, err := s.Run(t.Context(), parse(t, schedule), system.RunOptions{})
		require.NoError(t, err)
		var all []result.Violation
		for _, p := range s.Properties {
			found, err := p.Check(e)
			require.NoError(t, err)
			all = append(all, found...)
		}
		require.Len(t, all, 1)
		require.Equal(t, "check has not ended", all[0].Text)
		after, err := target.GoOn(t.Context(), e, all)
		require.NoError(t, err)
		return after
	}
	require.Empty(t, goesOn("").Left)
	after := goesOn("crash n2@15; restart n2@16")
	require.Len(t, after.Left, 1)
	require.Equal(t, "checker ends", after.Left[0].Property)
}
