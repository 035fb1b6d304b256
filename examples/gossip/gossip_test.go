package gossip_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/examples/gossip"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// upInTheEnd returns who takes whom for up in the last round.
func upInTheEnd(t *testing.T, s *system.System, text string) string {
	t.Helper()
	schedule, err := rounds.ParseSchedule(text)
	require.NoError(t, err)
	e, err := s.Run(t.Context(), schedule, system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	up := map[string]string{}
	for _, f := range e.Facts {
		if f.Relation == "up" && f.Round == s.Rounds {
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
			require.Equal(t, story.buggy, upInTheEnd(t, gossip.Buggy(), story.schedule))
			require.Equal(t, story.fixed, upInTheEnd(t, gossip.Fixed(), story.schedule))
		})
	}
}

// The search by default finds two crashes and a reboot, as published, and nothing where
// the bug is gone.
func TestSearch(t *testing.T) {
	find := func(s *system.System) *result.Answer {
		r, err := search.Run(t.Context(), s, search.Options{Bounds: s.Faults, Seed: 1})
		require.NoError(t, err)
		return r
	}
	r := find(gossip.Buggy())
	require.Equal(t, result.Violated, r.Verdict, r.Summary())
	require.Equal(t, 3, r.First().Size)
	require.Equal(t, result.Holds, find(gossip.Fixed()).Verdict)
}

func TestSelf(t *testing.T) {
	for _, s := range []*system.System{gossip.Buggy(), gossip.Fixed()} {
		require.NoError(t, s.CheckDeterminism(t.Context(), 50, 1))
		require.NoError(t, s.CheckState(t.Context(), 50, 1))
	}
}
