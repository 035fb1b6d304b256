package rounds_test

import (
	"encoding/json"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Faults can begin late, which the scope says, and the count and the JSON know.
func TestFirstRoundForFaults(t *testing.T) {
	b, _, err := rounds.BoundsOf(parsed(t, "// ldfi: processes=a,b,c eot=6 eff=3 crashes=1 from=2\nx(\"a\")@1;\n"), nil)
	require.NoError(t, err)
	require.Equal(t, 2, b.From)
	require.Equal(t, "3 processes, 6 rounds, faults from round 2 on, omissions before round 3 (implied by eff=3), at most 1 crash", b.String())
	require.Equal(t, "1024", schedules.Count(b).String()) // 2^6 sets of losses in round 2, and a crash of one of three in one of five rounds or none

	data, err := json.Marshal(b)
	require.NoError(t, err)
	require.Contains(t, string(data), `"from":2`)
	var again rounds.Bounds
	require.NoError(t, json.Unmarshal(data, &again))
	require.Equal(t, 2, again.From)

	b, _, err = rounds.BoundsOf(parsed(t, "// ldfi: processes=a,b eot=4 crashes=1 from=3\nx(\"a\")@1;\n"), map[string]string{"from": "1"})
	require.NoError(t, err)
	require.Equal(t, "2 processes, 4 rounds, at most 1 crash", b.String())
}

// Counts that are known otherwise.
func TestScenariosFromARoundOn(t *testing.T) {
	two, three := []string{"a", "b"}, []string{"a", "b", "c"}
	for _, c := range []struct {
		want string
		b    rounds.Bounds
	}{
		{"16", rounds.Bounds{Processes: three, EOT: 6, From: 2, Crashes: 1}},
		{"7", rounds.Bounds{Processes: two, EOT: 8, From: 6, EFF: 9, Isolations: 1, Period: 4}},  // one of two from 6, 7 or 8 on
		{"3", rounds.Bounds{Processes: two, EOT: 8, From: 4, Pauses: 1, Period: 4, At: "phase"}}, // from round 5 on
		{"9", rounds.Bounds{Processes: two, EOT: 4, From: 4, Jumps: 1, MaxJump: 4}},
		{"8", rounds.Bounds{Processes: three, EOT: 4, From: 2, Joins: map[string]int{"b": 4, "c": 1}, Crashes: 1}},
		{"1", rounds.Bounds{Processes: two, EOT: 3, From: 3, Delays: 1}}, // there is no later round to arrive in
		{"4", rounds.Bounds{Processes: two, EOT: 3, From: 3, Crashes: rounds.Unlimited}},
		{"4", rounds.Bounds{Processes: three, EOT: 3, From: 3, Crashes: 1, EFF: 2}}, // which crashes have nothing to do with
	} {
		require.NoError(t, c.b.Validate(), "%v", c.b)
		require.Equal(t, c.want, schedules.Count(c.b).String(), "%v", c.b)
	}
}

// What contradicts a first round is refused in a sentence.
func TestFirstRoundThatDoesNotGoWithOthers(t *testing.T) {
	for settings, want := range map[string]string{
		"crashes=1 from=5":                            "from=5: there is no round 5, the rounds are 1 to 4 (eot=4)",
		"crashes=1 from=0":                            "from=0: faults begin in round 1 or later",
		"crashes=1 from=soon":                         "from=soon: expected a whole number, 0 or more",
		"isolations=1 eff=3 from=3":                   "from=3: messages are lost only in rounds before 3 (eff=3), so no fault can lose one: name an earlier round, or a later eff",
		"eff=3 from=4":                                "from=4: messages are lost only in rounds before 3 (eff=3)",
		"isolations=1 at=phase period=2 from=4":       "from=4: at=phase lets faults begin in the first round of a phase, and of these none comes then (period=2, eot=4): name an earlier round",
		"isolations=1 at=phase period=2 from=2 eff=3": "of these none comes then (period=2, eff=3)",
	} {
		_, _, err := rounds.BoundsOf(parsed(t, "// ldfi: processes=a,b eot=4 "+settings+"\nx(\"a\")@1;\n"), nil)
		require.ErrorContains(t, err, want, settings)
	}
	require.EqualError(t, rounds.Bounds{Processes: []string{"a"}, EOT: 4, From: -1}.Validate(), "bounds: from=-1: it has to be a round, as in from=20")
}
