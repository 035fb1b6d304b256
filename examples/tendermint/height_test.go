package tendermint_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// told returns the facts of a relation as text, in the order of rounds and processes.
func told(e *recording.Execution, relation string) string {
	var facts []string
	for _, f := range e.Facts {
		if f.Relation == relation {
			facts = append(facts, strings.Trim(fmt.Sprint(f.Args), "[]"))
		}
	}
	return strings.ReplaceAll(strings.Join(facts, "; "), `"`, "")
}

var heights = []struct{ title, schedule, locked, decided string }{
	{"without faults all decide what the first proposer proposes", "",
		"a a0 0; b a0 0; c a0 0; d a0 0", "a a0 0; b a0 0; c a0 0; d a0 0"},
	{"without its proposal the others go on to the next round", "isolate a@1..12",
		"b b1 1; c b1 1; d b1 1", "b b1 1; c b1 1; d b1 1"},
	{"three are enough", "crash d@1",
		"a a0 0; b a0 0; c a0 0", "a a0 0; b a0 0; c a0 0"},
	{"a lock gives way to a later one", "omit a>d@1; omit c>a@2; omit c>b@2",
		"c a0 0; a b1 1; b b1 1; c b1 1; d b1 1", "a b1 1; b b1 1; c b1 1; d b1 1"},
	{"a value that got a quorum is proposed again, and accepted for that quorum", "delay a>d@1+6; omit c>a@2",
		"b a0 0; c a0 0; b a0 1; c a0 1; d a0 1", "a a0 1; b a0 1; c a0 1; d a0 1"},
	{"who is told another value than the others decides nothing", "lie a>d@1/Proposal ToTwin",
		"a a0 0; b a0 0; c a0 0", "a a0 0; b a0 0; c a0 0"},
	{"who is behind goes to the round of the others", "isolate d@1..9; delay a>b@1+4",
		"a b1 1; b b1 1; c b1 1", "a b1 1; b b1 1; c b1 1"},
}

func TestHeights(t *testing.T) {
	for _, story := range heights {
		t.Run(story.title, func(t *testing.T) {
			e := systems.Run(t, tendermint.Height(tendermint.NoBug), story.schedule)
			require.Equal(t, story.locked, told(e, "locked"))
			require.Equal(t, story.decided, told(e, "decided"))
		})
	}
}

// Each rule of Algorithm 1 is followed in one of these executions.
func TestRules(t *testing.T) {
	lines := map[string]bool{}
	for _, story := range heights {
		for _, f := range systems.Run(t, tendermint.Height(tendermint.NoBug), story.schedule).Facts {
			if f.Relation == "upon" {
				lines[fmt.Sprint(f.Args[1])] = true
			}
		}
	}
	require.Equal(t, []string{"22", "28", "34", "36", "44", "47", "49", "55", "57", "61", "65"}, slices.Sorted(maps.Keys(lines)))
}

// sample draws schedules of lost messages and crashes.
func sample(t *testing.T, s *system.System, executions int) *result.Answer {
	bounds := rounds.Bounds{Omissions: 12, EFF: 16, Crashes: 1}
	answer, err := search.Run(t.Context(), s, search.Options{Bounds: bounds, Strategy: "sample", Seed: 1, Executions: executions})
	require.NoError(t, err)
	return answer
}

// Lost messages and crashes break nothing, and show four of the five mistakes.
func TestSamples(t *testing.T) {
	require.NotEqual(t, result.Violated, sample(t, tendermint.Height(tendermint.NoBug), 1_000).Verdict)
	for bug, property := range map[tendermint.Bug]string{
		tendermint.ExpectUnlock: "locks", tendermint.Relocked: "answers", tendermint.LockedCommit: "answers",
		tendermint.ForeverLaggingReplica: "skips",
	} {
		answer := sample(t, tendermint.Height(bug), 1_000)
		require.Equal(t, result.Violated, answer.Verdict, bug)
		require.Equal(t, property, answer.First().Violations[0].Property, bug)
	}
}

// A lock that a quorum for nil clears does not keep the others from another value.
func TestUnlocked(t *testing.T) {
	lost := "omit a>b@1; omit d>a@3; omit d>b@3; omit d>c@3"
	require.Equal(t, "d a0 0", told(systems.Run(t, tendermint.Height(tendermint.NoBug), lost), "decided"))
	require.Equal(t, "d a0 0; a b5 5; b b5 5; c b5 5", told(systems.Run(t, tendermint.Height(tendermint.ExpectUnlock), lost), "decided"))
}

// Without proposals the others go from round to round. Who was cut off for three of these goes
// to theirs at once, or by one round at a time.
func TestLagging(t *testing.T) {
	lost := func(to string, round int, m system.Message) any {
		if _, proposal := m.Payload.(tendermint.Proposal); proposal || round < 20 && (to == "c" || m.From == "c") {
			return nil
		}
		return m.Payload
	}
	require.Empty(t, systems.Violations(t, through(tendermint.Height(tendermint.NoBug), lost), ""))
	behind := systems.Violations(t, through(tendermint.Height(tendermint.LaggingReplica), lost), "")
	require.Equal(t, []string{"skips violation(c, 1, 3)", "skips violation(c, 2, 3)"}, behind)
}

// Few faults at the beginning break nothing: all schedules of them.
func TestAllSchedules(t *testing.T) {
	answer, err := search.Run(t.Context(), tendermint.Height(tendermint.NoBug), search.Options{Bounds: rounds.Bounds{Omissions: 2, EFF: 8}})
	require.NoError(t, err)
	require.Equal(t, result.Holds, answer.Verdict, answer.Summary())
}

// A process that lies as it likes, to each process something else, breaks nothing either.
func TestLiars(t *testing.T) {
	names := slices.Sorted(maps.Keys(tendermint.Lies))
	for seed := range uint64(150) {
		lies := func(to string, round int, m system.Message) any {
			hash := fnv.New64a()
			fmt.Fprint(hash, m.From, to, round, m.Payload)
			random := rand.New(rand.NewPCG(seed, hash.Sum64()))
			switch {
			case m.From == "d" && random.IntN(3) > 0:
				return tendermint.Lies[names[random.IntN(len(names))]](m, random)
			case random.IntN(40) == 0:
				return nil
			}
			return m.Payload
		}
		s := through(tendermint.Height(tendermint.NoBug), lies)
		require.Empty(t, systems.Violations(t, s, ""), seed)
	}
}

func TestHeightsThemselves(t *testing.T) {
	systems.RequireSelf(t, tendermint.Height(tendermint.NoBug), tendermint.Height(tendermint.ExpectUnlock), tendermint.Height(tendermint.LaggingReplica))
}
