package ldfi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// confused sends two messages on each link in a round: who gets the second without the first
// is confused. A whole link cannot lose one of them.
const confused = `// ldfi: processes=a,b,c eot=3
go("a")@1;
peer("a", "b")@1; peer("a", "c")@1;
begin(N)@async :- go(P), peer(P, N);
vote(N)@async :- go(P), peer(P, N);
violation(N) :- vote(N), notin begin(N);
`

func confusedWithin(t *testing.T, kinds ...string) *ldfi.Model {
	t.Helper()
	p, err := dedalus.ParseText("confused.ded", confused)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, map[string]string{"omissions": "2"})
	require.NoError(t, err)
	b.Kinds = kinds
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals, Max: 10})
	require.NoError(t, err)
	return m
}

// Without kinds the promise holds. With them the one message is found whose loss breaks it,
// explained, and confirmed by the executor.
func TestKindsOfMessages(t *testing.T) {
	held, err := confusedWithin(t).Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Holds, held.Verdict)

	m := confusedWithin(t, "vote", "begin")
	found, err := m.Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Violated, found.Verdict)
	require.Equal(t, "omit a>b@1/begin", found.Counterexamples[0].Schedule.String())
	require.Contains(t, strings.Join(found.Counterexamples[0].Because, "\n"), "omit a>b@1/begin")

	sets, err := m.Hypotheses(t.Context(), []string{"omit *>*@*/begin"}, []string{"omit *>b"})
	require.NoError(t, err)
	for _, f := range findings(sets) {
		require.NotContains(t, f, ">b@")
		require.Contains(t, f, "omit a>c@1/begin")
	}
	none, err := m.Hypotheses(t.Context(), nil, []string{"omit *>*@*/begin"})
	require.NoError(t, err)
	require.Empty(t, findings(none))

	for pattern, wrong := range map[string]string{
		"omit *>*@*/begn":   `fault pattern "omit *>*@*/begn": the bounds do not pick out begn (did you mean "begin"?): they do vote and begin`,
		"omit *>*@*/vote#2": `fault pattern "omit *>*@*/vote#2": faults within bounds hit all messages of a kind: leave #2 out`,
	} {
		_, err = m.Hypotheses(t.Context(), nil, []string{pattern})
		require.EqualError(t, err, wrong)
	}
	_, err = confusedWithin(t).Hypotheses(t.Context(), []string{"cut *>*@*/vote"}, nil)
	require.ErrorContains(t, err, "the bounds pick out no kinds of messages: say kinds=vote")
	ever, err := m.AnyRounds(t.Context())
	require.NoError(t, err)
	require.Equal(t, "omit a>b@1/begin", ever.Counterexamples[0].Schedule.String())

	_, err = ldfi.New(m.Program(), rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 3, Omissions: 1, Kinds: []string{"votes"}}, ldfi.Options{})
	require.EqualError(t, err, `bounds: kinds=votes: no message of the kind votes is ever sent (did you mean "vote"?): there are begin and vote`)
}

// Who injects the loss of messages that are never sent is told so.
func TestInjectedKindIsNeverSent(t *testing.T) {
	s, err := rounds.ParseSchedule("omit a>b@1/begn; omit a>b@2/vote; cut a>c@1..2/begn")
	require.NoError(t, err)
	in, err := confusedWithin(t).Inject(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, result.Holds, in.Verdict)
	var warned []string
	for _, w := range in.Warnings {
		if strings.Contains(w.Message, "never sent") || strings.Contains(w.Message, "ever sent") {
			warned = append(warned, w.Message)
		}
	}
	require.Equal(t, []string{`omit a>b@1/begn: no message of the kind begn is ever sent (did you mean "begin"?): there are begin and vote`}, warned)
	s, err = rounds.ParseSchedule("omit a>b@1/begin#1; omit a>b@1/begin#2")
	require.NoError(t, err)
	in, err = confusedWithin(t).Inject(t.Context(), s)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(in.Warnings), "omit a>b@1/begin#2: it hits no message: a sends b 1 of the kind begin then")
	_, err = confusedWithin(t).Diff(t.Context(), rounds.Schedule{}, s)
	require.ErrorContains(t, err, "omit a>b@1/begin#1: several schedules are evaluated together where faults hit all messages of a kind")
}
