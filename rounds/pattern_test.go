package rounds

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatternText(t *testing.T) {
	for _, text := range []string{
		"crash a@2", "crash *", "crash a@1..3", "omit a>c", "omit *>c@1..3", "omit a>*@2", "isolate b@2", "isolate *@5..8",
		"cut *>c@1..3", "partition *", "partition *@2", "partition a,b|*", "partition a,b|c,d@5..8",
	} {
		p, err := ParsePattern(text)
		require.NoError(t, err, text)
		require.Equal(t, text, p.String())
	}
	late, err := ParsePattern("delay *>b@1..3+2")
	require.NoError(t, err)
	require.Equal(t, "delay *>b@1..3+2", late.String())
	require.True(t, late.Matches(Fault{Kind: Delay, Process: "a", To: "b", Round: 2, By: 2}, nil))
	require.False(t, late.Matches(Fault{Kind: Delay, Process: "a", To: "b", Round: 2, By: 1}, nil))
	require.False(t, late.Matches(Fault{Kind: Duplicate, Process: "a", To: "b", Round: 2, By: 2}, nil))
	p, err := ParsePattern("  omit   a>c@2..2 ")
	require.NoError(t, err)
	require.Equal(t, "omit a>c@2", p.String())
}

func TestPatternErrors(t *testing.T) {
	for text, wrong := range map[string]string{
		"":                              "column 1: expected a kind of fault: crash, isolate, omit, restart, partition, cut, delay, duplicate or choose, and found the end",
		"crash":                         "column 6: expected the name of a process after crash",
		"break a":                       `there is no fault "break"`,
		"pause a":                       `expected crash, isolate, omit, restart, partition, cut, delay, duplicate or choose, and found "pause"`,
		"partition a":                   `expected "|" and the other side`,
		"cut a":                         `expected ">" and the receiver, as in cut a>b@2`,
		"crash a; crash b":              `column 8: expected the end of the pattern, and found ";"`,
		"omit a":                        `expected ">" and the receiver`,
		"omit a>":                       "expected the name of the receiver after >",
		"omit >a":                       `expected the name of a process after omit, and found ">"`,
		"crash @2":                      "expected the name of a process after crash",
		"crash a@0":                     "0 is no round",
		"crash a@":                      "expected the number of a round, and found the end",
		"crash a@3..2":                  "the rounds 3..2 run backwards",
		"crash a@1..":                   "expected the number of a round",
		"isolate a b":                   `expected the end of the pattern, and found "b"`,
		"crash a@999999999999999999999": "is no round",
	} {
		_, err := ParsePattern(text)
		require.ErrorContains(t, err, wrong, text)
	}
}

func TestPatternMatches(t *testing.T) {
	for _, c := range []struct {
		pattern string
		fault   Fault
		want    bool
	}{
		{"crash a@2", Fault{Kind: Crash, Process: "a", Round: 2}, true},
		{"crash a@2", Fault{Kind: Crash, Process: "a", Round: 3}, false},
		{"crash a@2", Fault{Kind: Crash, Process: "b", Round: 2}, false},
		{"crash *", Fault{Kind: Crash, Process: "b", Round: 2}, true},
		{"crash *", Fault{Kind: Omit, Process: "b", To: "a", Round: 2}, false},
		{"omit *>c@1..3", Fault{Kind: Omit, Process: "b", To: "c", Round: 3}, true},
		{"omit *>c@1..3", Fault{Kind: Omit, Process: "b", To: "c", Round: 4}, false},
		{"omit *>c@1..3", Fault{Kind: Omit, Process: "c", To: "b", Round: 2}, false},
		{"isolate b@2", Fault{Kind: Isolate, Process: "b", Round: 1, Until: 4}, true},
		{"isolate b@2", Fault{Kind: Isolate, Process: "b", Round: 3, Until: 4}, false},
		{"isolate b@4..9", Fault{Kind: Isolate, Process: "b", Round: 1, Until: 4}, true},
		{"cut a>*@3", Fault{Kind: Cut, Process: "a", To: "c", Round: 1, Until: 4}, true},
		{"cut a>*@3", Fault{Kind: Omit, Process: "a", To: "c", Round: 3}, false},
		{"cut a>b", Fault{Kind: Cut, Process: "b", To: "a", Round: 1, Until: 4}, false},
		{"partition *@4", Fault{Kind: Partition, Detail: "a,b|*", Round: 1, Until: 4}, true},
		{"partition *@5", Fault{Kind: Partition, Detail: "a,b|*", Round: 1, Until: 4}, false},
		{"partition c,d|*", Fault{Kind: Partition, Detail: "a,b|*", Round: 1, Until: 4}, true},
		{"partition c,d|a,b", Fault{Kind: Partition, Detail: "a,b|*", Round: 1, Until: 4}, true},
		{"partition *|b,d", Fault{Kind: Partition, Detail: "a,b|*", Round: 1, Until: 4}, false},
		{"partition *", Fault{Kind: Isolate, Process: "a", Round: 1, Until: 4}, false},
	} {
		p, err := ParsePattern(c.pattern)
		require.NoError(t, err)
		require.Equal(t, c.want, p.Matches(c.fault, []string{"a", "b", "c", "d"}), "%s %+v", c.pattern, c.fault)
	}
}

func TestPatternCheck(t *testing.T) {
	p, err := ParsePattern("omit a>z@2")
	require.NoError(t, err)
	require.ErrorContains(t, p.Check([]string{"a", "b"}, 6), `there is no process "z": the processes are a, b`)
	require.NoError(t, p.Check([]string{"a", "z"}, 6))
	require.ErrorContains(t, p.Check([]string{"a", "z"}, 1), "round 2 is after the last round, 1")
	p, err = ParsePattern("partition a,b|z")
	require.NoError(t, err)
	require.EqualError(t, p.Check([]string{"a", "b", "c"}, 6), `fault pattern "partition a,b|z": there is no process "z": the processes are a, b, c`)
	require.ErrorContains(t, p.Check([]string{"a", "b", "z"}, 6), "one process against the rest is an isolation; write isolate z")
}

// Names of processes may have parentheses in them, and relations the names of faults.
func TestIsPattern(t *testing.T) {
	for text, want := range map[string]bool{
		"crash a@2": true, " crash a(1)@2": true, "omit a(1)>b": true, "isolate (x)": true, "partition a(1)|*": true, "choose submit(*, 3)@1": true, "crsh a": true, "crash": true, "": true,
		"log(b, _)@3": false, " log(b)": false, "crash(a, b, 2)": false, "choose(x)": false, "log (b)": false, "omit(x y)": false,
	} {
		require.Equal(t, want, IsPattern(text), "%q", text)
	}
}
