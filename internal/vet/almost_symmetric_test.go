package vet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flooding tells b, c and d, which are one like the other, what a says.
const flooding = protocol + `
pre(P, M) :- log(_, M), node(P), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

const protocol = `
node("a")@1; node("b")@1; node("c")@1; node("d")@1;
node(P)@next :- node(P);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
log(Q, M)@async :- log(P, M), node(Q);
`

// TestAlmost adds to a symmetric program what tells some of its processes apart, or does
// not, and executes what is left of the symmetry.
func TestAlmost(t *testing.T) {
	for _, test := range []struct{ added, settings, orbits string }{
		{"", "", "b c d"},
		{"", "omissions=1 crashes=1 isolations=1 cuts=1 delays=1 duplicates=1", "b c d"},

		// Facts.
		{`up("b")@1; up("c")@1;`, "", "b c d"}, // nobody asks who is up
		{`up("b")@1; up("c")@1; up("d")@1; violation(P) :- up(P), log(P, _);`, "", "b c d"},
		{`up("b")@1; up("c")@1; violation(P) :- up(P), log(P, _);`, "", "b c"},
		{`up("b")@1; up("c")@1; up("d")@2; violation(P) :- up(P), log(P, _);`, "", "b c"},
		{`up("b")@9; violation(P) :- up(P);`, "", "b c d"}, // behind the last round
		{`link("b", "c")@1; link("c", "d")@1; link("d", "b")@1; violation(P, Q) :- link(P, Q), log(P, _), notin log(Q, _);`, "", "-"},
		{`link("b", "c")@1; link("c", "b")@1; violation(P, Q) :- link(P, Q), log(P, _), notin log(Q, _);`, "", "b c"},
		{`link("a", "b")@1; link("a", "c")@1; link("a", "d")@1; link("b", "a")@1; violation(P, Q) :- link(P, Q), log(Q, _);`, "", "c d"},
		{`note(1, "b")@1;`, "", "b c d"}, // nobody says that "b" is a process there
		{`note(1, "b")@1; violation(P) :- note(_, P), log(P, _);`, "", "c d"},
		{`note(1, "b")@1; violation(P) :- note(_, P), log(Q, _), Q == P;`, "", "c d"},
		{`note(1, "b")@1; kept(N, X)@next :- note(N, X); violation(P) :- kept(_, X), log(P, _), X != P;`, "", "c d"},

		// Rules.
		{`violation("b") :- log("b", _);`, "", "c d"},
		{`log("b", "x") :- log("b", M), node(P), notin acked(P, M); log("c", "x") :- node(Q), log("c", N), notin acked(Q, N);`, "", "-"},
		{`log("b", "x") :- log("b", M), node(P), notin acked(P, M); log("c", "x") :- log("c", N), notin acked(Q, N), node(Q);`, "", "b c"},
		{`violation(P) :- log(P, _), notin node("b");`, "", "c d"},
		{`violation(P) :- log(P, _), P != "b";`, "", "c d"},
		{`violation(P) :- log(P, M), M != "b";`, "", "b c d"},
		{`violation(P) :- log(P, _), notin crash("b", P, _);`, "", "c d"},
		{`violation(P) :- log(P, _), notin crash(_, P, 2);`, "", "b c d"},
		{`log("b", M)@async :- log(P, M);`, "", "c d"},
		{`ping("b", 1)@async :- log("a", _); violation(P) :- log(P, _), ping(_, 1);`, "omissions=1", "c d"},

		// Order, arithmetic and aggregates.
		{`id("a", 1)@1; id("b", 2)@1; id("c", 3)@1; id("d", 4)@1; violation(P) :- id(P, M)@1, id(Q, N)@1, M < N, log(P, _);`, "", "-"},
		{`id("a", 1)@1; id("b", 2)@1; id("c", 2)@1; id("d", 2)@1; violation(P) :- id(P, M)@1, id(Q, N)@1, M < N, log(P, _);`, "", "b c d"},
		{`violation(P) :- log(P, _), log(Q, _), P < Q;`, "", "-"},
		{`violation(P) :- log(P, _), "b" <= P;`, "", "-"},
		{`first(M, min<P>) :- log(P, M);`, "", "-"},
		{`first(M, max<P>) :- log(P, M);`, "", "-"},
		{`many(M, count<P>) :- log(P, M); violation(M) :- log(_, M), many(M, N), N > 2;`, "", "b c d"},
		{`load("b", 3)@1; load("c", 3)@1; load("d", 3)@1; total(sum<N; P>) :- load(P, N); violation(N) :- log(_, _), total(N), N > 5;`, "", "b c d"},
		{`load("b", 3)@1; load("c", 3)@1; load("d", 4)@1; total(sum<N; P>) :- load(P, N); violation(N) :- log(_, _), total(N), N > 5;`, "", "b c"},
		{`said(P, M, X) :- log(P, M), node(X); last(max<X>) :- said(_, _, X);`, "", "-"},

		// What only one of pre and post says.
		{`pre("b", "hello") :- log("a", _);`, "", "c d"},
		{`post("b", "hello") :- log("a", _);`, "", "c d"},

		// Bounds.
		{"", "omissions=1 reliable=a>b", "c d"},
		{"", "omissions=1 reliable=*>b", "c d"},
		{"", "omissions=1 reliable=b>c", "-"},
		{"", "omissions=1 reliable=b>c,c>b", "b c"},
		{"", "omissions=1 reliable=a>*", "b c d"},
		{"", "crashes=1 never-crash=b", "c d"},
		{"", "crashes=1 never-crash=b,c", "b c"},
		{"", "omissions=1 join=b@2", "c d"},
		{"", "omissions=1 join=b@2,c@2", "b c"},
		{"", "omissions=1 join=b@2,c@3", "-"},
		{"", "omissions=2 crashes=1 deliver=n-1 kernel=yes", "b c d"},
		{"", "partitions=1", "b c d"},
		{"", "crashes=1 crash=stop restarts=1 durable=log", "b c d"},
		{"", "crashes=1 crash=stop", "b c d"},
		{`tag("b", 1)@1; tag("c", 1)@1; tag("d", 1)@1;`, "", "b c d"},
		{`tag("x", "b")@1; kept(X, Y)@next :- tag(X, Y); violation(Y) :- kept(_, Y);`, "", "b c d"},
		{`tag("b", "x")@1; kept(X, Y)@next :- tag(X, Y); violation(Y) :- kept(_, Y);`, "crashes=1", "c d"},
		{`tag("b", "x")@1; violation(Y) :- tag(_, Y);`, "crashes=1 crash=stop restarts=1", "c d"},

		// Choices.
		{`choose maybe up(any)@1;`, "", "b c d"},
		{`choose some up(each)@1;`, "", "b c d"},
		{`choose one up(any)@1;`, "", "b c d"}, // a by default
		{`choose one owns(each, any)@1;`, "", "b c d"},
		{`choose maybe up("b" | "c")@1; violation(P) :- up(P), log(P, _);`, "", "b c"},
		{`choose one up("b" | "c")@1; violation(P) :- up(P), log(P, _);`, "", "-"},
		{`choose one up("b" | "c")@1; violation(P) :- up(P), log(P, _);`, "choices=0", "-"},
		{`choose maybe up("b" | "c" | "d")@1; violation(P) :- up(P), log(P, _);`, "", "b c d"},
		{`choose maybe up("b")@1; choose maybe up("c")@1; choose maybe up("d")@1; violation(P) :- up(P), log(P, _);`, "", "b c d"},
		{`choose maybe up("b")@1; choose one up("c")@1; choose some up("d")@1; violation(P) :- up(P), log(P, _);`, "", "-"},
		{`choose maybe up("b")@1; choose maybe up("c")@2; violation(P) :- up(P), log(P, _);`, "", "-"},
		{`choose maybe up("b" | "c")@1; choose maybe up("d")@1; violation(P) :- up(P), log(P, _);`, "", "b c"},
	} {
		c := caseOf(t, flooding+test.added, "processes=a,b,c,d eot=4 "+test.settings)
		assert.Equal(t, test.orbits, orbits(vet.SymmetryOf(c.Program, c.Bounds), c.Bounds.Processes), "%s %s", test.settings, test.added)
		_, err := renamedExecutions(t.Context(), c)
		require.NoError(t, err, "%s %s", test.settings, test.added)
	}
}

// TestPromise has a promise of which one part alone speaks of processes, as far as rules
// show it: what pre says is asked of post.
func TestPromise(t *testing.T) {
	for _, promise := range []string{
		`pre("b", "hello") :- log("a", _); post(P, M) :- log(P, M);`,
		`pre(P, M) :- log(P, M); post("b", "hello") :- log("a", _);`,
	} {
		c := caseOf(t, protocol+promise, "processes=a,b,c,d eot=4 omissions=1")
		require.Equal(t, "c d", orbits(vet.SymmetryOf(c.Program, c.Bounds), c.Bounds.Processes), promise)
	}
}

// TestNumbers has processes whose names are numbers: a number is a process only where
// processes are, and there rules must not compute.
func TestNumbers(t *testing.T) {
	numbered := strings.NewReplacer(`"a"`, "1", `"b"`, "2", `"c"`, "3", `"d"`, "4").Replace(flooding)
	for _, test := range []struct{ added, orbits string }{
		{"", "2 3 4"},
		{"clock(P, 1) :- node(P)@1; clock(P, N + 1)@next :- clock(P, N); violation(P) :- clock(P, 3), notin log(P, _);", "2 3 4"},
		{"clock(P, 1) :- node(P)@1; clock(P, N + 1)@next :- clock(P, N); violation(P) :- clock(_, P), notin log(P, _);", "-"},
		{"turn(2)@2; turn(3)@3; violation(P) :- turn(P), notin log(P, _);", "-"},
		{"violation(P) :- node(P), crash(_, _, P);", "-"},
		{"violation(P) :- node(P), P > 2;", "-"},
		{"violation(P) :- node(P), P - 1 == 2;", "-"},
		{"violation(P) :- node(P), P % 2 == 1, log(P, _);", "-"},
		{"size(P, count<Q>) :- node(P), log(Q, _); violation(P) :- size(P, 2), notin log(P, _);", "2 3 4"},
		{"size(P, count<Q>) :- node(P), log(Q, _); violation(P) :- size(_, P), notin log(P, _);", "-"},
	} {
		c := caseOf(t, numbered+test.added, "processes=1,2,3,4 eot=4 crashes=1 omissions=1")
		assert.Equal(t, test.orbits, orbits(vet.SymmetryOf(c.Program, c.Bounds), c.Bounds.Processes), test.added)
		_, err := renamedExecutions(t.Context(), c)
		require.NoError(t, err, test.added)
	}
}

func caseOf(t *testing.T, text, settings string) oracle.Case {
	t.Helper()
	p, err := dedalus.ParseText("almost.ded", fmt.Sprintf("// ldfi: %s\n%s", settings, text))
	require.NoError(t, err, text)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err, text)
	return oracle.Case{Program: p, Bounds: b, Goals: goals, Seed: 1}
}
