package rounds_test

import (
	"testing"

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
		{"// ldfi: durable=seen\n", "", "p.ded:5:10: durable=seen: no @next or @async rule gives seen, so that nothing carries it into another round: name relations that a process keeps"},
		{"// ldfi: durable=lg\n", "", `p.ded:5:10: durable=lg: there is no relation "lg" (did you mean "log"?)`},
		{"// ldfi: durable=log,log\n", "", "p.ded:5:10: durable=log,log: log is named twice"},
		{"// ldfi: durable=flag\nflag()@next :- flag();\n", "", "p.ded:5:10: durable=flag: flag has no columns, and so belongs to no process"},
		{"// ldfi: restarts=1\nbooted(P) :- log(P, _);\n", "", "p.ded:5:10: the program has a rule of its own for booted at p.ded:6:1, which where there are restarts holds at a process that is back: give it another name"},
		{"// ldfi: restarts=1\nbooted(\"a\")@1;\n", "", "the program has a fact of its own for booted at p.ded:6:1"},
		{"booted(P) :- log(P, _);\n", "", ""},
		{"// ldfi: restarts=1\nlog(P, X)@next :- booted(P, X);\n", "", "booted has 2 columns at p.ded:6:19; where there are restarts it has one, the process that is back"},
		{"log(P, X)@next :- booted(P, X);\n", "", ""},
	} {
		overrides := map[string]string{}
		want := test.want
		if test.flags != "" {
			overrides["crash"] = test.flags
			want = "p.ded:5:10: restarts go with crash=stop: a crashed process that is mute goes on receiving and computing, so that it has nothing to come back from"
		}
		_, _, err := rounds.BoundsOf(parsed(t, keeper+test.text), overrides)
		if want == "" {
			require.NoError(t, err, test.text)
			continue
		}
		require.ErrorContains(t, err, want, test.text)
	}
}
