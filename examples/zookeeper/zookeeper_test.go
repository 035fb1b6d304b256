package zookeeper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/zookeeper"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

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
			require.Equal(t, story.buggy, states(systems.Run(t, zookeeper.Diverging(), story.schedule)))
			require.Equal(t, story.fixed, states(systems.Run(t, zookeeper.Converging(), story.schedule)))
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
			require.Equal(t, story.buggy, states(systems.Run(t, zookeeper.Inconsistent(), story.schedule)))
			require.Equal(t, story.fixed, states(systems.Run(t, zookeeper.Consistent(), story.schedule)))
		})
	}
}

// The search by default finds the smallest faults that show a bug, also where there are
// both, and certifies the fix of the first.
func TestSearch(t *testing.T) {
	for _, c := range []struct {
		system *system.System
		faults int // 0: there are none
	}{
		{zookeeper.Diverging(), 2},
		{zookeeper.Converging(), 0},
		{zookeeper.Inconsistent(), 3},
		{zookeeper.Both(), 3},
	} {
		t.Run(c.system.Name, func(t *testing.T) {
			systems.RequireLeast(t, c.system, c.faults)
		})
	}
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, zookeeper.Diverging(), zookeeper.Converging(), zookeeper.Inconsistent(), zookeeper.Consistent(), zookeeper.Both())
}

// Where servers stop and start between steps alone, a schedule that is made smaller still
// has them do so.
func TestBetweenSteps(t *testing.T) {
	for _, strategy := range []string{"", "uniform", "spread"} {
		s := zookeeper.Diverging()
		s.Faults.At = "phase"
		r := systems.Search(t, s, strategy)
		require.Equal(t, result.Violated, r.Verdict, r.Summary())
		require.Equal(t, 3, r.First().Size)
		for _, f := range r.First().Schedule.Faults {
			require.Equal(t, 1, f.Round%4, "%s begins within a step", f)
		}
	}
}
