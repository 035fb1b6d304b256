package rounds_test

import (
	"encoding/json"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Counts that are done by hand.
func TestScenariosOfLateMessages(t *testing.T) {
	for _, c := range []struct {
		tells  string
		bounds rounds.Bounds
		want   int64
	}{
		{"two links, rounds 1 and 2 of 3", rounds.Bounds{Processes: two, EOT: 3, Delays: 1}, 1 + 2*2},
		{"the last round has no later one", rounds.Bounds{Processes: two, EOT: 1, Delays: 1, Duplicates: rounds.Unlimited}, 1},
		{"two rounds later at most", rounds.Bounds{Processes: two, EOT: 4, Delays: 1, MaxDelay: 2}, 1 + 2*(2+2+1)},
		{"only what is sent before eff", rounds.Bounds{Processes: two, EOT: 4, EFF: 2, Delays: rounds.Unlimited, MaxDelay: 3}, 4 * 4},
		{"late, twice or both", rounds.Bounds{Processes: two, EOT: 2, Delays: 1, Duplicates: 1}, 1 + 2 + 2 + 4},
		{"lost, late, twice, or late and twice", rounds.Bounds{Processes: two, EOT: 2, EFF: 2, Omissions: rounds.Unlimited, Delays: rounds.Unlimited, Duplicates: rounds.Unlimited}, 5 * 5},
		{"one lost or one late, or both of different messages", rounds.Bounds{Processes: two, EOT: 2, EFF: 2, Omissions: 1, Delays: 1}, 1 + 2 + 2 + 2},
		{"reliable links", rounds.Bounds{Processes: two, EOT: 3, Delays: rounds.Unlimited, Reliable: []string{"a>b"}}, 4},
		{"another order of two senders", rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 2, Orders: 1}, 1 + 3*2},
		{"five other orders of three", rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 1, Orders: 2}, 1 + 4*5 + 6*25},
	} {
		require.NoError(t, c.bounds.Validate(), c.tells)
		require.Equal(t, c.want, schedules.Count(c.bounds).Int64(), c.tells)
	}
}

var two = []string{"a", "b"}

func TestScopeOfLateMessages(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 6, EFF: 4, Delays: 1, Duplicates: rounds.Unlimited, MaxDelay: 2, Orders: 3}
	require.Equal(t, "3 processes, 6 rounds, at most 1 delay of up to 2 rounds before round 4, duplicates up to 2 rounds later before round 4, at most 3 orders before round 4", b.String())
	text, err := json.Marshal(b)
	require.NoError(t, err)
	require.JSONEq(t, `{"processes":["a","b","c"],"eot":6,"eff":4,"crashes":0,"omissions":0,"isolations":0,"delays":1,"duplicates":"unlimited","max_delay":2,"orders":3,"period":1,"crash":"mute"}`, string(text))
	var again rounds.Bounds
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, b.Normal(), again)
}

// What does not go together, and what cannot be.
func TestCheckLateMessages(t *testing.T) {
	b := rounds.Bounds{Processes: []string{"a", "b", "c", "d"}, EOT: 4, Omissions: 1, Delays: 1, Duplicates: 1, Orders: 1}
	for text, want := range map[string]string{
		"delay a>b@2+2":                        "",
		"delay a>b@2+2; delay a>b@2+2":         "",
		"delay a>b@2+2; duplicate a>b@2+2":     "",
		"delay a>b@2+2; omit a>b@3":            "",
		"order b@1 c,a":                        "",
		"order b@1 d,c,a":                      "",
		"delay a>b@2+3":                        "schedule: delay a>b@2+3: there is no round 5 for it to arrive in, the rounds are 1 to 4 (eot=4): a message that does not arrive is lost, write omit a>b@2",
		"duplicate a>b@2+3":                    "schedule: duplicate a>b@2+3: there is no round 5 for it to arrive in, the rounds are 1 to 4 (eot=4): the latest is duplicate a>b@2+2",
		"duplicate a>b@4+1":                    "schedule: duplicate a>b@4+1: there is no round 5 for it to arrive in, the rounds are 1 to 4 (eot=4): leave it out",
		"delay a>a@1+1":                        "schedule: delay a>a@1+1: a message from a process to itself comes at once, and once",
		"omit a>b@2; delay a>b@2+1":            "schedule: omit a>b@2; delay a>b@2+1: what is lost comes neither late nor twice",
		"delay a>b@2+1; delay a>b@2+2":         "schedule: delay a>b@2+1; delay a>b@2+2: what a process sends another in a round comes late by one number of rounds",
		"duplicate a>b@2+1; duplicate a>b@2+2": "schedule: duplicate a>b@2+1; duplicate a>b@2+2: what a process sends another in a round comes once more, not several times",
		"order b@1 a,c":                        "schedule: order b@1 a,c: that is the usual order: name at least two processes in another order",
		"order b@1 a":                          "schedule: order b@1 a: that is the usual order: name at least two processes in another order",
		"order b@1 c,b":                        "schedule: order b@1 c,b: what b sends itself keeps its place: name other processes",
		"order b@1 e,a":                        `schedule: order b@1 e,a: there is no process "e": the processes are a, b, c, d`,
		"order b@1 c,a; order b@1 d,a":         "schedule: order b@1 c,a; order b@1 d,a: what reaches a process in a round comes in one order",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err, text)
		if err := s.Check(b); want == "" {
			require.NoError(t, err, text)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

func TestBoundsOfLateMessages(t *testing.T) {
	many := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for _, c := range []struct {
		bounds rounds.Bounds
		want   string
	}{
		{rounds.Bounds{Processes: two, EOT: 3, Delays: -2}, "bounds: delays=-2: it has to be 0 or more, or unlimited"},
		{rounds.Bounds{Processes: two, EOT: 3, Delays: 1, MaxDelay: -1}, "bounds: max-delay=-1: what comes late or twice does so by at least 1 and at most 1000000 rounds"},
		{rounds.Bounds{Processes: two, EOT: 20_000, Delays: 1, MaxDelay: 100}, "bounds: max-delay=100 with 2 processes and 20000 rounds is too large: processes × processes × rounds × delays is at most 1000000"},
		{rounds.Bounds{Processes: two, EOT: 3, Orders: 1}, "bounds: orders: with 2 processes nobody gets messages from two others: leave it out"},
		{rounds.Bounds{Processes: many, EOT: 3, Orders: 1}, "bounds: orders: what 7 processes send comes in 7! - 1 other orders, which is too many: orders go with at most 7 processes"},
	} {
		require.EqualError(t, c.bounds.Validate(), c.want)
	}
}
