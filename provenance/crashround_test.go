package provenance_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// A program whose processes all know the round.
const timed = `
	process("a")@1;
	process("b")@1;
	process("c")@1;
	clock(P, 1) :- process(P);
	clock(P, N + 1)@next :- clock(P, N);
	says(Q, P, N)@async :- clock(P, N), notin tired(P);
	says(Q, P, N)@next :- says(Q, P, N);
	tired(P)@next :- clock(P, 3);
	tired(P)@next :- tired(P);
`

// TestTheRoundOfACrash compares steps with executions where rules compare rounds that processes
// remember with the rounds of crashes.
func TestTheRoundOfACrash(t *testing.T) {
	for name, rules := range map[string]string{
		"who has failed by now":       `failed(P, Q) :- clock(P, N), crash(P, Q, T), T <= N; gone(P, Q)@next :- failed(P, Q); gone(P, Q)@next :- gone(P, Q); violation(P) :- gone(P, Q), says(P, Q, N), N > 5;`,
		"who fails now":               `fails(P, Q) :- clock(P, N), crash(P, Q, T), T == N; violation(P) :- fails(P, Q), clock(P, 4);`,
		"what is said by the dead":    `late(P, Q, N) :- says(P, Q, N), crash(P, Q, T), N >= T; heard(P, Q) :- says(P, Q, N), notin late(P, Q, N); violation(P) :- heard(P, Q), notin tired(P);`,
		"nothing is said by the dead": `late(P, Q, N) :- says(P, Q, N), crash(P, Q, T), N > T; violation(P) :- late(P, _, _), clock(P, 2);`,
		"who will not fail":           `fails(P, Q) :- clock(P, N), crash(P, Q, T), N < T; violation(P) :- says(P, Q, _), notin fails(P, Q);`,
	} {
		for _, settings := range []string{"crashes=2", "crashes=2 crash=stop", "crashes=unlimited omissions=1", "crashes=0", "crashes=1 delays=1 max-delay=2"} {
			t.Run(name+", "+settings, func(t *testing.T) {
				outcome, err := stepAgrees(t.Context(), timedCase(t, rules, settings), campaign.Programs(80))
				require.NoError(t, err)
				require.Equal(t, agreed, outcome)
			})
		}
	}
}

// TestARoundOfACrashThatIsNone is refused, with the place.
func TestARoundOfACrashThatIsNone(t *testing.T) {
	for name, c := range map[string]struct{ rules, settings, why string }{
		"it is kept":                     {`failed(P, Q, T) :- clock(P, N), crash(P, Q, T), T <= N; violation(P) :- failed(P, _, _);`, "", "11:34: for any number of rounds the round of a crash can only be compared with the number of a clock that counts the rounds: it is kept"},
		"it is a number":                 {`violation(P) :- clock(P, N), crash(P, Q, 3);`, "", "it is compared with what is none"},
		"processes come back":            {`violation(P) :- clock(P, N), crash(P, Q, T), T < N;`, "crash=stop restarts=1", "here processes come back"},
		"it is compared with a count":    {`violation(P) :- tired(P), crash(P, Q, T), T < 4;`, "", "T < 4 is no such comparison"},
		"a later crash makes violations": {`violation(P) :- clock(P, N), crash(P, Q, T), T > N;`, "", "this can only excuse one"},
		"a later crash is acted on":      {`flees(P)@next :- clock(P, N), crash(P, Q, T), T > N; violation(P) :- flees(P);`, "", "flees is carried into the next round"},
		"a clock that can stop":          {`time("a", 1)@1; time(P, N + 1)@next :- time(P, N), notin tired(P); violation(P) :- time(P, N), crash(P, Q, T), T < N;`, "", "N + 1 of time is none"},
		"rounds are told apart":          {`late(P, N) :- says(P, _, N), crash(P, Q, T), T < N; violation(P) :- says(P, P, N), says(P, Q, N), late(P, N), P != Q;`, "", "N has to be equal in two places"},
	} {
		t.Run(name, func(t *testing.T) {
			of := timedCase(t, c.rules, "crashes=1 "+c.settings)
			g, err := provenance.Evaluate(t.Context(), of.Program, of.Bounds, provenance.Options{})
			require.NoError(t, err)
			_, err = provenance.EvaluateStep(t.Context(), of.Program, of.Bounds, provenance.Options{}, g.Carried())
			require.ErrorAs(t, err, new(*provenance.UntimedError))
			require.ErrorContains(t, err, c.why)
			require.ErrorContains(t, err, "timed.ded:")
		})
	}
}

func timedCase(t *testing.T, rules, settings string) oracle.Case {
	p, err := dedalus.ParseText("timed.ded", timed+"\t"+rules+"\n// ldfi: processes=a,b,c eot=6 "+settings)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	return oracle.Case{Name: "timed", Program: p, Bounds: b, Seed: 1}
}
