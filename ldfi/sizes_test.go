package ldfi_test

import (
	"context"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Processes vote once for somebody, and who has so many votes as are enough leads.
const (
	settings = "// ldfi: processes=a,b,c eot=4 omissions=unlimited\n"
	each     = "choose one member(each)@1;"
	voting   = `
member(P)@next :- member(P);
choose maybe stands(any)@each;
size(count<P>) :- member(P)@1;
asked(Q, P)@async :- stands(P), member(Q)@1;
asked(P, P)@next :- stands(P);
first(P, min<Q>) :- asked(P, Q), notin voted(P, _);
voted(P, Q)@next :- first(P, Q);
voted(P, Q)@next :- voted(P, Q);
vote(Q, P)@async :- first(P, Q);
votes(Q, P)@next :- vote(Q, P);
votes(Q, P)@next :- votes(Q, P);
tally(Q, count<P>) :- votes(Q, P);
leads(Q) :- tally(Q, N), enough(Q, M), N >= M;
violation(P, Q) :- leads(P), leads(Q), P < Q;
`
	majority = "enough(P, N / 2 + 1) :- member(P), size(N);"
	two      = "enough(P, 2) :- member(P);"
)

func sizesOf(t *testing.T, text string, from, to int) (*result.Answer, error) {
	t.Helper()
	p, err := dedalus.ParseText("voting.ded", text)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals})
	require.NoError(t, err)
	return m.AnyRoundsOfSizes(t.Context(), from, to)
}

// With a majority there is one leader, however many processes there are, and the same sentences prove it for
// two and three of them. Two votes are no majority of four, which is found.
func TestSizes(t *testing.T) {
	a, err := sizesOf(t, settings+each+voting+majority, 2, 3)
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
	require.Len(t, a.Rounds.Sizes.Each, 2)
	require.Equal(t, 3, a.Rounds.Sizes.Same)
	require.NotEmpty(t, a.Rounds.Sizes.Sentences)

	a, err = sizesOf(t, settings+each+voting+two, 3, 4)
	require.NoError(t, err)
	require.Equal(t, result.Violated, a.Verdict)
	require.Equal(t, []string{"a", "b", "c", "d"}, a.Scope.Bounds.Processes)
	require.Equal(t, result.Holds, a.Rounds.Sizes.Each[0].Verdict)
	require.Equal(t, result.Violated, a.Rounds.Sizes.Each[1].Verdict)
}

// Without time the sizes are not decided, and that is no error.
func TestSizesWithoutTime(t *testing.T) {
	p, err := dedalus.ParseText("voting.ded", settings+each+voting+majority)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{})
	require.NoError(t, err)
	for _, limit := range []time.Duration{0, 5 * time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		a, err := m.AnyRoundsOfSizes(ctx, 2, 3)
		cancel()
		require.NoError(t, err)
		require.Len(t, a.Rounds.Sizes.Each, 2)
		require.NotEqual(t, result.Violated, a.Verdict)
	}
}

// Facts that all processes have are given to each, however many there are. A program that names one has one size,
// and the error says where and what to write.
func TestSizesOfProgramsThatNameProcesses(t *testing.T) {
	a, err := sizesOf(t, settings+`member("a")@1; member("b")@1; member("c")@1;`+voting+majority, 2, 3)
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)

	for _, c := range []struct{ program, says string }{
		{settings + `member("a")@1; member("b")@1;` + voting + two, "voting.ded:2:1: the process a is named, so that the program has one size: write choose one member(each)@1 for what all"},
		{settings + each + voting + `enough(P, 2) :- member(P), P != "b";`, "voting.ded:17:33: the process b is named"},
		{settings + each + voting + two + "\n// ldfi: crashes=1 never-crash=a\n", "never-crash, reliable and join name processes"},
	} {
		_, err := sizesOf(t, c.program, 3, 4)
		require.ErrorAs(t, err, new(*provenance.UntimedError))
		require.ErrorContains(t, err, c.says)
	}
}
