package zookeeper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/zookeeper"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

func run(t *testing.T, s *system.System, text string) *recording.Execution {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	return e
}

// states returns k0 and k1 of each server in the end.
func states(e *recording.Execution) string {
	var texts []string
	for _, f := range e.Facts {
		if f.Relation == "state" {
			texts = append(texts, fmt.Sprintf("%s %s", f.Args[1].Text(), f.Args[2].Text()))
		}
	}
	return strings.Join(texts, ", ")
}

func TestDivergence(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string
	}{
		{"without faults both requests are there", "",
			"101 302, 101 302, 101 302", "101 302, 101 302, 101 302"},
		{"what a majority has is not lost with its leader", "isolate s2@9..12",
			"101 302, 101 302, 101 302", "101 302, 101 302, 101 302"},
		{"what nobody else has got comes to all with the one that has it", "isolate s2@7..8",
			"101 302, 101 302, 101 302", "101 302, 101 302, 101 302"},
		{"the steps of the report", "isolate s2@1..4; isolate s0@5..8; isolate s1@9..12; isolate s0@13..16",
			"0 302, 101 302, 0 302", "0 302, 0 302, 0 302"},
		{"the last of them is not needed", "isolate s2@1..4; isolate s0@5..8; isolate s1@9..12",
			"0 302, 101 302, 0 302", "0 302, 0 302, 0 302"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, states(run(t, zookeeper.Diverging(), story.schedule)))
			require.Equal(t, story.fixed, states(run(t, zookeeper.Converging(), story.schedule)))
		})
	}
}

func TestSequentialConsistency(t *testing.T) {
	const steps = "isolate s2@1..4; isolate s0@5..8; isolate s2@9..12; isolate s1@13..16"
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string
	}{
		{"without faults k1 is set, and then k0", "", "200 101, 200 101, 200 101", "200 101, 200 101, 200 101"},
		{"the steps of the report, all by logs", steps, "200 101, 200 101, 200 101", "200 101, 200 101, 200 101"},
		{"and with a snapshot", steps + `; choose snapshot_2("s1")@11`, "200 301, 200 301, 200 301", "200 101, 200 101, 200 101"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, states(run(t, zookeeper.Inconsistent(), story.schedule)))
			require.Equal(t, story.fixed, states(run(t, zookeeper.Consistent(), story.schedule)))
		})
	}
}

// The search by default finds the smallest faults that show either bug, and nothing where
// the first is gone.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		system *system.System
		faults int // -1: there are none
	}{
		{zookeeper.Diverging(), 2},
		{zookeeper.Converging(), -1},
		{zookeeper.Inconsistent(), 3},
		{zookeeper.Both(), 3},
	} {
		t.Run(c.system.Name, func(t *testing.T) {
			r, err := search.Run(t.Context(), c.system, search.Options{Bounds: c.system.Faults, Seed: 1, Executions: 10_000})
			require.NoError(t, err)
			if c.faults < 0 {
				require.Equal(t, result.Holds, r.Verdict, r.Summary())
				return
			}
			require.Equal(t, result.Violated, r.Verdict, r.Summary())
			require.Equal(t, c.faults, r.First().Size)
		})
	}
}

func TestSelf(t *testing.T) {
	for _, s := range []*system.System{zookeeper.Diverging(), zookeeper.Converging(), zookeeper.Inconsistent(), zookeeper.Consistent()} {
		require.NoError(t, s.CheckDeterminism(t.Context(), 50, 1))
		require.NoError(t, s.CheckState(t.Context(), 50, 1))
	}
}

// Where servers stop and start between steps alone, a schedule that is made smaller still
// has them do so.
func TestBetweenSteps(t *testing.T) {
	for _, strategy := range []string{"", "uniform", "spread"} {
		s := zookeeper.Diverging()
		bounds := s.Faults
		bounds.At = "phase"
		r, err := search.Run(t.Context(), s, search.Options{Strategy: strategy, Bounds: bounds, Seed: 1, Executions: 10_000})
		require.NoError(t, err)
		require.Equal(t, result.Violated, r.Verdict, r.Summary())
		require.Equal(t, 3, r.First().Size)
		for _, f := range r.First().Schedule.Faults {
			require.Equal(t, 1, f.Round%4, "%s begins within a step", f)
		}
	}
}
