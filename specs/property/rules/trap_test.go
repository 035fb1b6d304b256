package rules

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// both evaluates rules as a Dedalus program and with Mangle, which have to
// agree, and returns what they derive, one a line.
func both(t *testing.T, e *recording.Execution, text string) string {
	t.Helper()
	fast := query(t, e, text)
	compiled, err := compile("rules", text)
	require.NoError(t, err)
	require.NoError(t, compiled.NoProgram)
	require.Equal(t, show(byMangle(t, e, text)), show(fast))
	return show(fast)
}

// query evaluates rules over an execution.
func query(t *testing.T, e *recording.Execution, text string) []recording.Fact {
	t.Helper()
	found, err := datalog.Query(t.Context(), table(t, e), text)
	require.NoError(t, err)
	return found
}

// table returns all facts of an execution.
func table(t *testing.T, e *recording.Execution) []recording.Fact {
	t.Helper()
	var tabulator datalog.Tabulator
	facts, err := tabulator.Table(e)
	require.NoError(t, err)
	return facts
}

// byMangle evaluates rules with Mangle.
func byMangle(t *testing.T, e *recording.Execution, text string) []recording.Fact {
	t.Helper()
	r, err := parseRules("rules", text)
	require.NoError(t, err)
	en, err := newEngine(r)
	require.NoError(t, err)
	derived, err := en.Run(t.Context(), table(t, e))
	require.NoError(t, err)
	var found []recording.Fact
	for name, rows := range derived {
		for _, args := range rows {
			found = append(found, recording.Fact{Relation: name, Args: args})
		}
	}
	x := &recording.Execution{Facts: found}
	x.Sort()
	return x.Facts
}

func show(facts []recording.Fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(recording.Display(f, []string{"a", "b", "c"}) + "\n")
	}
	return b.String()
}

func TestRecursionThatFindsTwoFactsAtOnce(t *testing.T) {
	e := oracle.Recorded(t, "edge a b @1", "edge b c @1", "edge c d @1", "edge d e @1", "edge e f @1")
	// reach joins itself: both of its atoms can be new in the same turn.
	got := both(t, e, `
		reach(X, Y) :- edge(X, Y, _).
		reach(X, Z) :- reach(X, Y), reach(Y, Z).
		count(N) :- reach(X, Y), X = "a" |> do fn:group_by(X), let N = fn:count().
		cut(X) :- reach(_, X), !reach(X, _).`)
	require.Equal(t, 1, strings.Count(got, "count("))
	require.Contains(t, got, "count(5)\ncut(\"f\")\n")
	require.Equal(t, 15, strings.Count(got, "reach("))
}

// Two relations that are each first derived in the same turn are what the
// engine loses facts with.
func TestMutualRecursionThatMangleLosesFactsOf(t *testing.T) {
	e := oracle.Recorded(t, "start a @1")
	require.Equal(t, "both(a)\nleft(a)\nright(a)\nseed(a)\n", both(t, e, `
		seed(X) :- start(X, _).
		seed(X) :- both(X).
		left(X) :- seed(X).
		right(X) :- seed(X).
		both(X) :- left(X), right(X).`))
}

// Without the rewriting, rules of one head whose bodies have equally many
// variables would count each other's rows.
func TestTwoAggregatesOfOneHead(t *testing.T) {
	e := oracle.Recorded(t, "p a 1 @1", "p a 2 @1", "p b 3 @1", "q a 7 @1", "q b 8 @1", "q b 9 @1")
	require.Equal(t, `h("p", a, 2)
h("p", b, 1)
h("q", a, 1)
h("q", b, 2)
`, both(t, e, `
		h("p", X, N) :- p(X, V, 1), process(X) |> do fn:group_by(X), let N = fn:count().
		h("q", X, N) :- q(X, V, 1), process(X) |> do fn:group_by(X), let N = fn:count().`))
}

func TestAbsenceOfAnything(t *testing.T) {
	e := oracle.Recorded(t, "vote a b @1", "vote c b @2")
	require.Equal(t, "idle(b)\nlate(a)\nlate(b)\n", both(t, e, `
		idle(P) :- process(P), !vote(P, _, _).
		late(P) :- process(P), !vote(P, _, 2).`))
}

func TestVariableTwiceInOneAtom(t *testing.T) {
	e := oracle.Recorded(t, "vote a b @1", "vote c c @2", "vote b b @3")
	require.Equal(t, "other(a, b)\nself(b)\nself(c)\n", both(t, e, `
		self(P) :- vote(P, P, _).
		other(P, Q) :- vote(P, Q, _), !vote(P, P, _).`))
}

func TestArithmeticAndOrder(t *testing.T) {
	e := oracle.Recorded(t, "n a 1 @1", "n a 2 @1", "n a 5 @1", "n a 7 @2")
	require.Equal(t, "big(5, 11)\nbig(7, 15)\ngap(2, 5)\nlast(7, 15)\nnext(1, 2)\n", both(t, e, `
		next(X, Y) :- n(_, X, _), Y = fn:plus(X, 1), n(_, Y, _).
		gap(X, Y) :- n(_, Y, R), fn:minus(Y, 3) = X, n(_, X, R).
		big(V, S) :- n(_, V, _), V >= 5 |> let S = fn:plus(fn:mult(V, 2), 1).
		last(M, S) :- big(V, _) |> do fn:group_by(), let M = fn:max(V), let N = fn:min(V), let S = fn:plus(M, fn:plus(N, 3)).`))
}
