package ldfi_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func inject(t *testing.T, text, schedule string) *result.Injection {
	t.Helper()
	p, b := parse(t, text)
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	in, err := model(t, p, b, ldfi.Options{}).Inject(t.Context(), s)
	require.NoError(t, err)
	return in
}

func TestInject(t *testing.T) {
	in := inject(t, retry, "omit a>c@1; crash a@2")
	require.Equal(t, result.Violated, in.Verdict)
	require.Equal(t, "crash a@2; omit a>c@1", in.Schedule.String())
	require.True(t, in.Within)
	require.Len(t, in.Violations, 1)
	require.Equal(t, `post(c, "hello") is missing at round 6 while pre(c, "hello") holds`, in.Violations[0].Text)
	require.NotEmpty(t, in.Because)
	require.NotEmpty(t, in.Execution.Messages)

	in = inject(t, retry, "")
	require.Equal(t, result.Holds, in.Verdict)
	require.Empty(t, in.Violations)
	require.Empty(t, in.Because)
}

// A loss after eff lets the first phase last longer, so that an isolation of what was that phase is one of a single round.
func TestInjectWidensPhases(t *testing.T) {
	in := inject(t, `// ldfi: processes=a,b eot=3 eff=2 isolations=1 period=2
node("b")@1;
in("b", "")@1;
node(M)@next :- node(M);
in(B, V)@next :- in(B, V);
log(M, V)@async :- in(_, V), node(M);
log("a", V)@async :- in(_, V);
pre(X) :- log(X, _);
post(X) :- log(X, "q");
`, "isolate a@1; omit b>a@2")
	require.Equal(t, result.Violated, in.Verdict)
	require.NotEmpty(t, in.Because)
}

func TestInjectOutsideTheBounds(t *testing.T) {
	in := inject(t, retry, "crash a@2; omit a>c@1; omit b>c@4")
	require.False(t, in.Within)
	require.Equal(t, result.Violated, in.Verdict)
	require.NotEmpty(t, in.Because)
	require.Len(t, in.Warnings, 1)
	require.Contains(t, in.Warnings[0].String(), "schedule: warning: this lies outside the bounds: ")

	p, b := parse(t, retry)
	m := model(t, p, b, ldfi.Options{})
	_, err := m.Inject(t.Context(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "z", Round: 1}}})
	require.ErrorContains(t, err, `there is no process "z"`)
	oracle.RefusesOfSystems(t, func(s rounds.Schedule) error {
		_, err := m.Inject(t.Context(), s)
		return err
	})
}

func TestInjectWithoutAPromise(t *testing.T) {
	in := inject(t, `
// ldfi: processes=a,b eot=3
m("a", 1)@1;
m(P, X)@next :- m(P, X);
`, "")
	require.Empty(t, in.Verdict)
	require.Len(t, in.Execution.Facts, 3)
}

// TestInjectJudgesOnlyWhatIsPromised has a relation that depends on its own
// absence, which the promise has nothing to do with.
func TestInjectJudgesOnlyWhatIsPromised(t *testing.T) {
	text := retry + `odd(P) :- node(P), notin odd(P);`
	in := inject(t, text, "omit a>c@1; crash a@2")
	require.Equal(t, result.Violated, in.Verdict)
	require.Contains(t, in.Warnings[len(in.Warnings)-1].String(), "only what the promise depends on is shown")
	require.NotEmpty(t, in.Execution.Facts)
	require.NotContains(t, strings.Join(in.Because, "\n"), "no rule and no fact")

	p, b := parse(t, text)
	r, err := model(t, p, b, ldfi.Options{}).Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, r.Verdict)
}
