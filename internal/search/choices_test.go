package search

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

type silent struct{}

func (silent) Send(*system.Step)                      {}
func (silent) Receive(*system.Step, []system.Message) {}

func asking(faults rounds.Bounds) Description {
	return Describe(&system.System{
		Name: "asking", Processes: []string{"a"}, Rounds: 3, Faults: faults,
		New:     func(string, *rand.Rand) system.Process { return silent{} },
		Choices: []system.Choice{{Kind: "put", Values: [][]any{{1, 2}}}},
	})
}

// How many requests may be chosen the bounds say, or else the system, or nobody.
func TestDefaultChoices(t *testing.T) {
	none := []rounds.Choice{}
	from := func(settings map[string]string) rounds.Bounds {
		settings["processes"], settings["eot"] = "a", "3"
		b, err := rounds.BoundsFrom(settings)
		require.NoError(t, err)
		return b
	}
	for _, c := range []struct {
		said, asked rounds.Bounds
		choices     int
	}{
		{rounds.Bounds{}, rounds.Bounds{}, rounds.Unlimited},
		{rounds.Bounds{Choices: 3}, rounds.Bounds{}, 3},
		{rounds.Bounds{Choices: 3, Crashes: 1}, rounds.Bounds{Pauses: 1}, 3},
		{rounds.Bounds{Choices: 3}, rounds.Bounds{Choices: 1}, 1},
		{rounds.Bounds{Choices: 3}, rounds.Bounds{Choose: none}, 0},
		{rounds.Bounds{Choose: none}, rounds.Bounds{}, 0},
		{rounds.Bounds{Choose: none, Crashes: 1}, rounds.Bounds{Pauses: 1}, 0},
		{rounds.Bounds{Choose: none}, rounds.Bounds{Choices: 2}, 2},
		{rounds.Bounds{Choices: 3}, from(map[string]string{"choices": "0"}), 0},
		{rounds.Bounds{Choices: 3}, from(map[string]string{"choices": "unlimited"}), rounds.Unlimited},
		{rounds.Bounds{Choices: 3}, from(map[string]string{"pauses": "1"}), 3},
	} {
		d := asking(c.said)
		b := d.DefaultBounds(c.asked)
		for range 2 { // what a host is sent means the same to it
			require.Equal(t, c.choices, b.Choices, "%+v", c)
			require.Len(t, b.Choose, 1)
			require.Len(t, b.Choose[0].Of, 6)
			if c.choices == 0 {
				require.Contains(t, b.String(), "no choices of put")
			}
			sent, err := json.Marshal(b)
			require.NoError(t, err)
			var received rounds.Bounds
			require.NoError(t, json.Unmarshal(sent, &received))
			sent, err = json.Marshal(d)
			require.NoError(t, err)
			d = Description{}
			require.NoError(t, json.Unmarshal(sent, &d))
			b = d.DefaultBounds(received)
		}
	}
}

// A system without choices cannot be searched with some.
func TestNoChoices(t *testing.T) {
	s := &system.System{Name: "mute", Processes: []string{"a"}, Rounds: 3, New: func(string, *rand.Rand) system.Process { return silent{} }}
	target, err := NewTarget(s, nil)
	require.NoError(t, err)
	require.ErrorContains(t, target.choices(rounds.Bounds{Choices: 1}), `system "mute" lets a schedule choose no requests`)
	require.NoError(t, target.choices(rounds.Bounds{Crashes: 1}))
}
