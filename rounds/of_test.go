package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// Beside a fault that hits more messages one that hits fewer says nothing, if it does the
// same to them.
func TestFaultsOfFewerMessages(t *testing.T) {
	for text, normal := range map[string]string{
		"omit a>b@2/Vote; omit a>b@2":                   "omit a>b@2",
		"omit a>b@2/Vote#2; omit a>b@2/Vote":            "omit a>b@2/Vote",
		"omit a>b@2/Vote#2; omit a>b@2/App":             "omit a>b@2/App; omit a>b@2/Vote#2",
		"omit a>b@2/Vote; omit b>a@2; omit a>b@3":       "omit a>b@2/Vote; omit b>a@2; omit a>b@3",
		"delay a>b@2/Vote+1; delay a>b@2+1":             "delay a>b@2+1",
		"delay a>b@2/Vote+1; duplicate a>b@2+1":         "delay a>b@2/Vote+1; duplicate a>b@2+1",
		"cut a>b@2..3/Vote; cut a>b@3..5/Vote":          "cut a>b@2..5/Vote",
		"cut a>b@2..3/Vote; cut a>b@3..5/App":           "cut a>b@2..3/Vote; cut a>b@3..5/App",
		"cut a>b@2..3/Vote; cut a>b@1; cut a>b@2..5":    "cut a>b@1; cut a>b@2..5",
		"cut a>b@2..6/Vote; cut a>b@2..5":               "cut a>b@2..5; cut a>b@2..6/Vote",
		"cut a>b@3..4/Vote#1; cut a>b@1..5/Vote":        "cut a>b@1..5/Vote",
		"cut a>b@3..4/Vote; cut a>b@1..3; cut a>b@3..9": "cut a>b@1..9",
		"omit a>b@2/Vote; cut a>b@2; omit a>b@2/Vote":   "omit a>b@2/Vote; cut a>b@2",
		"omit a>b@2/B; omit a>b@2/A#2; omit a>b@2/A#1":  "omit a>b@2/A#1; omit a>b@2/A#2; omit a>b@2/B",
		`omit a>b@2/"x y"; omit a>b@2/"x y"; crash a@1`: `crash a@1; omit a>b@2/"x y"`,
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		require.Equal(t, normal, s.Normal().String(), text)
		require.Equal(t, s.Normal(), s.Normal().Normal())
	}
}

// What two faults do to the same messages has to go together.
func TestFaultsOfTheSameMessages(t *testing.T) {
	three := rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 9}
	const once, either = "comes late by one number of rounds", "what is lost comes neither late nor twice"
	for text, wrong := range map[string]string{
		"omit a>b@2/Vote; delay a>b@2/App+1":                          "",
		"omit a>b@2/Vote#1; delay a>b@2/Vote#2+1":                     "",
		"delay a>b@2/Vote+1; delay a>b@2/App+2":                       "",
		"delay a>b@2/Vote+1; duplicate a>b@2+2; delay a>b@2/Vote#3+1": "",
		"omit a>b@2/Vote; omit a>b@2; omit a>b@2/Vote#1":              "",
		"omit a>b@2; delay a>b@2/Vote+1":                              either,
		"delay a>b@2+1; omit a>b@2/Vote#7":                            either,
		"duplicate a>b@2/Vote+1; omit a>b@2/Vote#7":                   either,
		"duplicate a>b@2/Vote#7+1; omit a>b@2/Vote":                   either,
		"delay a>b@2/Vote+1; delay a>b@2+2":                           once,
		"delay a>b@2/Vote#2+1; delay a>b@2/Vote+2":                    once,
		"delay a>b@2/Vote#2+1; delay a>b@2/App+1; delay a>b@2/App+2":  once,
		"duplicate a>b@2/Vote#2+1; duplicate a>b@2+2":                 "comes once more, not several times",
		"omit a>a@2/Vote":                                             "a message from a process to itself is never lost",
		"delay a>b@8/Vote+2":                                          "write omit a>b@8/Vote",
		"duplicate a>b@8/Vote+2":                                      "the latest is duplicate a>b@8/Vote+1",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		if err = s.Check(three); wrong == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, wrong, text)
		}
	}
	for _, f := range []rounds.Fault{
		{Kind: rounds.Crash, Process: "a", Round: 1, Of: "Vote"},
		{Kind: rounds.Omit, Process: "a", To: "b", Round: 1, Nth: 2},
		{Kind: rounds.Omit, Process: "a", To: "b", Round: 1, Of: "Vote", Nth: -1},
	} {
		require.Error(t, rounds.Schedule{Faults: []rounds.Fault{f}}.Check(three))
	}
}

func TestPatternsOfKinds(t *testing.T) {
	all, err := rounds.ParseSchedule("omit a>b@2; omit a>b@2/Vote; omit a>b@3/Vote#2; delay c>b@3/App+2; cut a>c@3..5/Vote")
	require.NoError(t, err)
	for text, matched := range map[string]string{
		"omit *>*@*/Vote":     "omit a>b@2/Vote; omit a>b@3/Vote#2",
		"omit a>b":            "omit a>b@2; omit a>b@2/Vote; omit a>b@3/Vote#2",
		"omit *>b@3..4/Vote":  "omit a>b@3/Vote#2",
		"omit *>b@*/Vote#2":   "omit a>b@3/Vote#2",
		"delay *>*@*/App+2":   "delay c>b@3/App+2",
		"delay *>*@*+1":       "",
		`delay *>*@3/"A p p"`: "",
		"cut *>c@4/Vote":      "cut a>c@3..5/Vote",
	} {
		p, err := rounds.ParsePattern(text)
		require.NoError(t, err, text)
		require.Equal(t, text, p.String())
		var found rounds.Schedule
		for _, f := range all.Faults {
			if p.Matches(f, []string{"a", "b", "c"}) {
				found.Faults = append(found.Faults, f)
			}
		}
		require.Equal(t, matched, found.String(), text)
	}
	for _, text := range []string{"omit a>b@*/", "crash a@2/Vote", "omit a>b@2/*", "omit a>b@*/Vote+1"} {
		_, err := rounds.ParsePattern(text)
		require.Error(t, err, text)
	}
	star, err := rounds.ParsePattern("crash a@*")
	require.NoError(t, err)
	require.Equal(t, "crash a", star.String())
}

// A kind of message is any text; what is no plain name is written in quotes.
func FuzzKindOfMessage(f *testing.F) {
	for _, kind := range []string{"Vote", "PUT /kv", "a\"b", "\x1b[31m", "\xff", "x#2", "Vote+1", "..", "\u202e", "参"} {
		f.Add(kind, 2, 1)
	}
	f.Fuzz(func(t *testing.T, kind string, nth, by int) {
		fault := rounds.Fault{Kind: rounds.Delay, Process: "a", To: "b", Round: 3, Of: kind, Nth: nth, By: by}
		s := rounds.Schedule{Faults: []rounds.Fault{fault}}
		if kind == "" || s.Check(rounds.Bounds{Processes: three, EOT: 9}) != nil {
			return
		}
		again, err := rounds.ParseSchedule(s.String() + "; crash a@1")
		require.NoError(t, err, s)
		require.Equal(t, fault, again.Faults[0])
	})
}
