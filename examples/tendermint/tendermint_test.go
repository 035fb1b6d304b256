package tendermint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// ends returns the rounds of Tendermint in which the processes are in the end.
func ends(e *recording.Execution) string {
	var at []string
	for _, f := range e.Facts {
		if f.Relation == "at" && f.Round == e.Bounds.EOT {
			at = append(at, fmt.Sprint(f.Args[1]))
		}
	}
	return strings.Join(at, " ")
}

func TestStories(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string
	}{
		{"without faults all go on together", "", "5 5 5 5", "5 5 5 5"},
		{"who was cut off for long goes through all that it has missed", "isolate a@1..12", "2 5 5 5", "4 5 5 5"},
		{"who was cut off at the end has missed little", "isolate a@9..12", "4 5 5 5", "4 5 5 5"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, ends(systems.Run(t, tendermint.Lagging(), story.schedule)))
			require.Equal(t, story.fixed, ends(systems.Run(t, tendermint.Skipping(), story.schedule)))
		})
	}
}

// The search by default finds one isolation, and certifies the fix.
func TestSearch(t *testing.T) {
	systems.RequireLeast(t, tendermint.Lagging(), 1)
	systems.RequireLeast(t, tendermint.Skipping(), 0)
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, tendermint.Lagging(), tendermint.Skipping())
}
