package replog_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// outputs returns all that was output, as "p1 ab".
func outputs(e *recording.Execution) []string {
	var texts []string
	for _, f := range e.Facts { // by process and round, in the order of the indexes
		if f.Relation == "output" && f.Args[1].Int() == 1 {
			texts = append(texts, f.Args[0].Text()+" ")
		}
		if f.Relation == "output" {
			texts[len(texts)-1] += f.Args[2].Text()
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func TestStories(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string // what is output
	}{
		{"without faults each phase adds a command everywhere", "",
			"p1 a, p1 ab, p1 abc, p1 abcd, p2 a, p2 ab, p2 abc, p2 abcd, p3 a, p3 ab, p3 abc, p3 abcd",
			"p1 a, p1 ab, p1 abc, p1 abcd, p2 a, p2 ab, p2 abc, p2 abcd, p3 a, p3 ab, p3 abc, p3 abcd"},
		{"who was away learns the log in the next phase", "isolate p3@1..4; isolate p1@13..16; isolate p2@13..16",
			"p1 a, p1 ab, p1 abc, p2 a, p2 ab, p2 abc, p3 ab, p3 abc", "p1 a, p1 ab, p1 abc, p2 a, p2 ab, p2 abc, p3 ab, p3 abc"},
		{"two phases without p2, and the buggy leader takes its empty log for the latest", "isolate p2@1..4; isolate p2@5..8; isolate p1@13..16; isolate p2@13..16",
			"p1 a, p1 c, p2 c, p3 a, p3 c", "p1 a, p1 ac, p2 ac, p3 a, p3 ac"},
		{"alone nobody outputs anything", "isolate p1@1..16; isolate p2@1..16; isolate p3@1..16", "", ""},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, strings.Join(outputs(systems.Run(t, replog.Buggy(), story.schedule)), ", "))
			require.Equal(t, story.fixed, strings.Join(outputs(systems.Run(t, replog.Fixed(), story.schedule)), ", "))
			require.Empty(t, systems.Violations(t, replog.Fixed(), story.schedule))
		})
	}
	found := systems.Violations(t, replog.Buggy(), "isolate p2@1..4; isolate p2@5..8")
	require.NotEmpty(t, found)
	require.Contains(t, found[0], `violation(1, p1, "a", p1, "c")`)
}

// The Go processes output what the Dedalus program outputs, under any schedule.
func TestAgreesWithDedalus(t *testing.T) {
	for name, s := range map[string]*system.System{"buggy": replog.Buggy(), "fixed": replog.Fixed()} {
		p, err := dedalus.Parse(filepath.Join("..", "..", "testdata", "protocols", "replog", name+".ded"))
		require.NoError(t, err)
		bounds, _, err := rounds.BoundsOf(p, nil)
		require.NoError(t, err)
		machine, err := lockstep.Compile(p, bounds, lockstep.Options{Only: []string{"output"}})
		require.NoError(t, err)
		bounds.Omissions = 6
		universe := schedules.New(bounds)
		random := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			schedule := universe.Random(random)
			want, err := machine.Run(context.Background(), schedule)
			require.NoError(t, err)
			var expected []string
			for _, row := range want.Facts("output", bounds.EOT) {
				expected = append(expected, row[0].Text()+" "+strings.NewReplacer("1", "a", "2", "b", "3", "c", "4", "d").Replace(row[1].Text()))
			}
			slices.Sort(expected)
			require.Equal(t, expected, outputs(systems.Run(t, s, schedule.String())), "%s under %s", name, schedule)
		}
	}
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, replog.Buggy(), replog.Fixed())
}
