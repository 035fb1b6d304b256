package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

const keeper = `// ldfi: processes=a,b eot=6 crashes=2 crash=stop
log(P, X)@next :- log(P, X);
seen(P, X) :- log(P, X);
log("a", "x")@1;
`

func parsed(t *testing.T, text string) *dedalus.Program {
	t.Helper()
	p, err := dedalus.ParseText("p.ded", text)
	require.NoError(t, err)
	return p
}

func TestRestartsOfPrograms(t *testing.T) {
	b, _, err := rounds.BoundsOf(parsed(t, keeper+"// ldfi: restarts=1 durable=log\n"), nil)
	require.NoError(t, err)
	require.Equal(t, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 6, Crashes: 2, Restarts: 1, CrashStop: true, Durable: []string{"log"}}, b)
	require.Equal(t, "2 processes, 6 rounds, at most 2 crashes (stop), at most 1 restart (durable log)", b.String())

	data, err := b.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(data), `"durable":["log"]`)
	var again rounds.Bounds
	require.NoError(t, again.UnmarshalJSON(data))
	b.Period = 1
	require.Equal(t, b, again)

	b, _, err = rounds.BoundsOf(parsed(t, keeper+"// ldfi: restarts=1 durable=log\n"), map[string]string{"durable": "none"})
	require.NoError(t, err)
	require.Nil(t, b.Durable)
}

func TestRestartsThatDoNotGoWithAProgram(t *testing.T) {
	for _, test := range []struct{ text, flags, want string }{
		{"// ldfi: restarts=1\n", "mute", "--crash: restarts"},
		{"// ldfi: restarts=1\n", "", ""},
		{"// ldfi: durable=log restarts=1\n", "", ""},
		{"// ldfi: durable=seen\n", "", "p.ded:5:10: durable=seen: no @next or @async rule gives seen, so no process keeps it: name relations that a process keeps"},
		{"// ldfi: durable=lg\n", "", `p.ded:5:10: durable=lg: there is no relation "lg" (did you mean "log"?)`},
		{"// ldfi: durable=log,log\n", "", "p.ded:5:10: durable=log,log: log is named twice"},
		{"// ldfi: durable=flag\nflag()@next :- flag();\n", "", "p.ded:5:10: durable=flag: flag has no columns, and so belongs to no process"},
		{"// ldfi: restarts=1\nbooted(P) :- log(P, _);\n", "", "p.ded:5:10: the program has a rule of its own for booted at p.ded:6:1, but with restarts it says that a process is back: give it another name"},
		{"// ldfi: restarts=1\nbooted(\"a\")@1;\n", "", "the program has a fact of its own for booted at p.ded:6:1"},
		{"booted(P) :- log(P, _);\n", "", ""},
		{"// ldfi: restarts=1\nlog(P, X)@next :- booted(P, X);\n", "", "booted has 2 columns at p.ded:6:19; where there are restarts it has one, the process that is back"},
		{"log(P, X)@next :- booted(P, X);\n", "", ""},
	} {
		overrides := map[string]string{}
		want := test.want
		if test.flags != "" {
			overrides["crash"] = test.flags
			want = "p.ded:5:10: restarts need crash=stop: a crashed process that is mute goes on receiving and computing, so it cannot restart"
		}
		_, _, err := rounds.BoundsOf(parsed(t, keeper+test.text), overrides)
		if want == "" {
			require.NoError(t, err, test.text)
			continue
		}
		require.ErrorContains(t, err, want, test.text)
	}
}

func TestJoins(t *testing.T) {
	b, _, err := rounds.BoundsOf(parsed(t, "// ldfi: processes=a,b eot=4 crashes=1 omissions=unlimited join=b@3\nx(\"a\")@1;\n"), nil)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"b": 3}, b.Joins)
	require.Equal(t, "2 processes, 4 rounds, b joins in round 3, omissions, at most 1 crash", b.String())
	require.Equal(t, "112", schedules.Count(b).String()) // two links in two rounds; no crash, four of a and two of b
	data, err := b.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(data), `"join":{"b":3}`)
	var again rounds.Bounds
	require.NoError(t, again.UnmarshalJSON(data))
	require.Equal(t, b.Joins, again.Joins)

	for text, want := range map[string]string{
		"crash b@2":       "schedule: crash b@2: b joins in round 3: nothing strikes it before (join=b@3)",
		"omit a>b@1":      "schedule: omit a>b@1: b joins in round 3: nothing strikes it before (join=b@3)",
		"isolate b@2..3":  "schedule: isolate b@2..3: b joins in round 3: nothing strikes it before (join=b@3)",
		"omit a>b@3":      "",
		"crash a@1":       "",
		"isolate a@1..4":  "",
		"cut b>a@1..2":    "schedule: cut b>a@1..2: b joins in round 3: nothing strikes it before (join=b@3)",
		"crash b@3":       "",
		"isolate b@3..4 ": "",
	} {
		s, err := rounds.ParseSchedule(text)
		require.NoError(t, err)
		if err := s.Check(b); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
	for value, want := range map[string]string{
		"b@0": "there is no round 0", "b@5": "there is no round 5", "c@2": `there is no process "c"`, "b": "expected a process and the round in which it joins",
		"b@2,b@3": "b is named twice", "none": "", "@2": "expected a process",
	} {
		_, _, err := rounds.BoundsOf(parsed(t, "// ldfi: processes=a,b eot=4 crashes=1 join=b@3\nx(\"a\")@1;\n"), map[string]string{"join": value})
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// What each round takes for granted speaks of all processes.
func TestJoinsThatDoNotGoWithOthers(t *testing.T) {
	for _, other := range []string{"deliver=n-1", "deliver=1", "kernel=yes"} {
		_, _, err := rounds.BoundsOf(parsed(t, "// ldfi: processes=a,b,c eot=4 omissions=1 join=b@3 "+other+"\nx(\"a\")@1;\n"), nil)
		require.ErrorContains(t, err, "join does not go with deliver and kernel", other)
	}
}
