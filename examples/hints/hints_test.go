package hints_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/examples/hints"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// answers returns the columns that reads return, in rounds 8 to 12.
func answers(e *recording.Execution) string {
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
			require.Equal(t, story.buggy, answers(systems.Run(t, hints.Buggy(), story.schedule)))
			require.Equal(t, story.fixed, answers(systems.Run(t, hints.Fixed(), story.schedule)))
		})
	}
}

// The search by default finds a crash and a reboot, as published, and certifies the fix.
func TestSearch(t *testing.T) {
	systems.RequireLeast(t, hints.Buggy(), 2)
	systems.RequireLeast(t, hints.Fixed(), 0)
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, hints.Buggy(), hints.Fixed())
}
