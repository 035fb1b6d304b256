package gossip_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// upInTheEnd returns who takes whom for up in the last round.
func upInTheEnd(e *recording.Execution) string {
	up := map[string]string{}
	for _, f := range e.Facts {
		if f.Relation == "up" && f.Round == e.Bounds.EOT {
			up[f.Args[0].Text()] += f.Args[1].Text()
		}
	}
	return fmt.Sprintf("a:%s b:%s c:%s", up["a"], up["b"], up["c"])
}

func TestStories(t *testing.T) {
	for _, story := range []struct {
		title, schedule string
		buggy, fixed    string
	}{
		{"without faults all are up", "", "a:bc b:ac c:ab", "a:bc b:ac c:ab"},
		{"who stops is taken for down", "crash c@3", "a:b b:a c:", "a:b b:a c:"},
		{"who comes back is up again", "crash c@3; restart c@8", "a:bc b:ac c:ab", "a:bc b:ac c:ab"},
		{"who comes back hears of one that is still up", "crash a@3; restart a@4; crash c@6", "a:b b:a c:", "a:b b:a c:"},
		{"who comes back hears of one that is down", "crash a@3; crash c@3; restart a@4", "a:bc b:a c:", "a:b b:a c:"},
	} {
		t.Run(story.title, func(t *testing.T) {
			require.Equal(t, story.buggy, upInTheEnd(systems.Run(t, gossip.Buggy(), story.schedule)))
			require.Equal(t, story.fixed, upInTheEnd(systems.Run(t, gossip.Fixed(), story.schedule)))
		})
	}
}

// The search by default finds two crashes and a reboot, as published, and certifies the fix.
func TestSearch(t *testing.T) {
	systems.RequireLeast(t, gossip.Buggy(), 3)
	systems.RequireLeast(t, gossip.Fixed(), 0)
}

func TestSelf(t *testing.T) {
	systems.RequireSelf(t, gossip.Buggy(), gossip.Fixed())
}
