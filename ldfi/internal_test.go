package ldfi

import (
	"context"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

const lossy = `
// ldfi: processes=a,b,c eot=6 eff=3 crashes=1
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
send("a", "hello")@1;
log(Q, M)@async :- send(P, M), node(Q);
pre(P, M) :- log(Q, M), node(P), notin crash(Q, Q, _), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

// sturdy is lossy with a sender that is believed to be heard at once.
const sturdy = `
// ldfi: processes=a,b,c eot=6 eff=3 crashes=1
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
log(P, "hello")@next :- node(P);
log("a", "hello")@1;
pre(P, M) :- log(Q, M), node(P), notin crash(Q, Q, _), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

func asked(t *testing.T, text string, o Options) *question {
	t.Helper()
	p, err := dedalus.ParseText("test.ded", text)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := New(p, b, o)
	require.NoError(t, err)
	tr, err := newQuestion(t.Context(), m)
	require.NoError(t, err)
	return tr
}

// TestADisagreementIsAnInternalError executes another program than the one
// that was evaluated.
func TestADisagreementIsAnInternalError(t *testing.T) {
	for _, most := range []int{1, 10} {
		tr := asked(t, lossy, Options{Max: most})
		tr.executor = asked(t, sturdy, Options{}).executor
		a, err := tr.search(t.Context(), tr.race)
		require.Empty(t, a.found)
		var internal *internalError
		require.ErrorAs(t, err, &internal)
		require.Equal(t, "omit a>b@1", internal.Schedule.String())
		require.EqualError(t, err, `internal error: two evaluators disagree about the schedule "omit a>b@1"
  over all schedules at once: post(b, "hello") is missing at round 6 while pre(b, "hello") holds
  executed:                   the promise holds
please report this as a bug of ldfi, with the program and its bounds`)
	}
}

// TestTheSolverFindsWhatEnumerationFinds compares the two ways to a smallest set.
func TestTheSolverFindsWhatEnumerationFinds(t *testing.T) {
	tr := asked(t, lossy, Options{})
	v, err := tr.whole(t.Context(), effort{}, &circuitProgress{}, nil)
	require.NoError(t, err)
	units, found, _ := v.batch.smallest(nil)
	require.True(t, found)
	var first finding
	_, err = v.enumerate(t.Context(), 1, nil, func(f finding) { first = f })
	require.NoError(t, err)
	require.Equal(t, finding{units, true}, first)
	require.Positive(t, v.calls)
}

func checkOf(t *testing.T, text string, tell func(string)) *Model {
	t.Helper()
	p, err := dedalus.ParseText("test.ded", text)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	return &Model{program: p, bounds: b.Normal(), options: Options{Progress: tell}.normal()}
}

func TestDeepeningDecidesFewerRounds(t *testing.T) {
	d, err := checkOf(t, sturdy, nil).deepenLater(t.Context()).result()
	require.NoError(t, err)
	require.Nil(t, d.found)
	require.Len(t, d.horizons, 5)
	for i, h := range d.horizons {
		require.Equal(t, i+1, h.EOT)
	}
	require.Equal(t, result.Violated, d.horizons[0].Verdict)
	require.Empty(t, d.horizons[0].Schedule)
	require.Equal(t, result.Holds, d.horizons[4].Verdict)
}

func TestDeepeningBesideAllRounds(t *testing.T) {
	c := checkOf(t, sturdy, nil)
	c.options.Progress = oneAtATime(func(string) {})
	l := c.deepenLater(t.Context())
	close(l.now)
	r := &result.Answer{}
	_, err := c.full(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, result.Holds, r.Verdict)
	<-l.done
	require.NoError(t, l.err)
	require.Len(t, l.deepened.horizons, 5)
}

func TestDeepeningStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := checkOf(t, sturdy, nil).deepen(ctx)
	require.NoError(t, err)
	require.Empty(t, d.horizons)
	require.Nil(t, d.found)
}

func TestDeepeningMeetsAViolation(t *testing.T) {
	d, err := checkOf(t, lossy, nil).deepen(t.Context())
	require.NoError(t, err)
	require.Len(t, d.horizons, 1)
	require.Equal(t, "omit a>b@1", d.found.Schedule.String())
	require.True(t, d.found.Minimal) // without faults it holds
	require.True(t, d.found.Confirmed)
	require.NotNil(t, d.found.Execution)
}

func TestAViolationOverFewerRoundsIsLifted(t *testing.T) {
	tr := asked(t, lossy, Options{})
	c, err := tr.lift(t.Context(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Omit, Process: "a", To: "c", Round: 1}}})
	require.NoError(t, err)
	require.Equal(t, "omit a>c@1", c.Schedule.String())
	c, err = tr.lift(t.Context(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Isolate, Process: "a", Round: 1, Until: 1}}})
	require.NoError(t, err)
	require.Nil(t, c)
}

func TestIsolationsAreLiftedToTheirWholePhase(t *testing.T) {
	tr := asked(t, `
// ldfi: processes=a,b,c eot=6 isolations=1 period=4
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
send("a", "hello")@1;
send(P, M)@next :- send(P, M);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
log(Q, M)@async :- send(P, M), node(Q);
pre(P, M) :- log(_, M)@4, node(P);
post(P, M) :- log(P, M)@4;
`, Options{})
	c, err := tr.lift(t.Context(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Isolate, Process: "b", Round: 1, Until: 2}}})
	require.NoError(t, err)
	require.Equal(t, "isolate b@1..4", c.Schedule.String())
}

// What is there without faults is no matter of one of the cases.
func TestCasesKnowWhatIsThereWithoutFaults(t *testing.T) {
	q := asked(t, `
// ldfi: processes=a,b eot=1
choose one in(any, "y")@1;
post(X, Y, Z) :- ack(X, Y, Z);
`, Options{}.Only("cases"))
	d, err := q.search(t.Context(), q.race)
	require.NoError(t, err)
	text, err := q.vacuity(t.Context(), nil, d.views)
	require.NoError(t, err)
	require.Equal(t, "pre has no fact at round 1 in any scenario within the bounds, so post is never asked for", text)
}

// A way that comes to its end just when it is to stop has decided the question.
func TestAWayDecidesWhenItIsToStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	q := asked(t, lossy, Options{})
	d, err := q.lanes(ctx, []try{{circuitWay, func(context.Context) (decided, error) {
		cancel()
		return decided{complete: true}, nil
	}}}, []try{{tablesWay, func(ctx context.Context) (decided, error) {
		<-ctx.Done()
		return decided{}, ctx.Err()
	}}})
	require.NoError(t, err)
	require.True(t, d.complete)
}
