package hints_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// answers returns the columns that reads return, in rounds 8 to 12.
func answers(t *testing.T, s *system.System, text string) string {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	columns := map[int]string{}
	for _, f := range e.Facts {
		if f.Relation == "answer" {
			columns[f.Round] += f.Args[1].Text()
		}
	}
	return fmt.Sprintf("%s %s %s %s %s", columns[8], columns[9], columns[10], columns[11], columns[12])
}

func TestStories(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string
	}{
		{"without faults all have the new column", "", "2 2 2 2 2", "2 2 2 2 2"},
		{"who is down does not matter to a majority", "crash c@3", "2 2 2 2 2", "2 2 2 2 2"},
		{"who is back before the reads gets its hint in time", "crash c@3; restart c@4", "2 2 2 2 2", "2 2 2 2 2"},
		{"who is back during the reads answers before it gets its hint", "crash c@3; restart c@8", "2 2 12 2 2", "2 2 2 2 2"},
		{"the same where it was cut off", "isolate c@3..8", "2 2 2 12 2", "2 2 2 2 2"},
		{"the coordinator keeps its hints on its disk", "crash c@3; crash a@7; restart c@7; restart a@8", "  12 2 2", "  2 2 2"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, answers(t, hints.Buggy(), story.schedule))
			require.Equal(t, story.fixed, answers(t, hints.Fixed(), story.schedule))
		})
	}
}

// The search by default finds a crash and a reboot, as published, and nothing where the bug
// is gone.
func TestSearch(t *testing.T) {
	find := func(s *system.System) *result.Answer {
		r, err := search.Run(t.Context(), s, search.Options{Bounds: s.Faults, Seed: 1})
		require.NoError(t, err)
		return r
	}
	r := find(hints.Buggy())
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.Equal(t, 2, r.First().Size)
	require.Equal(t, result.Holds, find(hints.Fixed()).Verdict)
}

func TestSelf(t *testing.T) {
	for _, s := range []*system.System{hints.Buggy(), hints.Fixed()} {
		require.NoError(t, s.CheckDeterminism(t.Context(), 50, 1))
		require.NoError(t, s.CheckState(t.Context(), 50, 1))
	}
}
