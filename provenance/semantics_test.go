package provenance_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

const allPairs = `out("c", 0, 0)@2 out("c", 0, 1)@2 out("c", 1, 0)@2 out("c", 1, 1)@2`

// semantics has one program for each point of the language. Each says which
// facts of relation out there are under some schedules.
var semantics = []struct {
	name    string
	program string
	under   map[string]string // by schedule, the facts of out in all rounds
}{
	{
		name: "a given fact holds in its round alone",
		program: `// ldfi: processes=a eot=3
			out("a", 1)@2;`,
		under: map[string]string{"": `out("a", 1)@2`},
	},
	{
		name: "facts beyond the last round are ignored",
		program: `// ldfi: processes=a eot=2
			in("a")@2; in("a")@3;
			out(X)@next :- in(X);
			out(X) :- in(X);`,
		under: map[string]string{"": `out("a")@2`},
	},
	{
		name: "a message arrives in the next round unless it is lost",
		program: `// ldfi: processes=a,b eot=2 omissions=1 crashes=1
			in("a")@1;
			out("b")@async :- in(X);`,
		under: map[string]string{"": `out("b")@2`, "omit a>b@1": "", "omit b>a@1": `out("b")@2`, "crash a@1": "", "crash a@2": `out("b")@2`, "crash b@1": `out("b")@2`},
	},
	{
		name: "an isolated process neither sends nor receives until its phase ends",
		program: `// ldfi: processes=a,b eot=5 isolations=1 period=2
			in("a")@1; in(X)@next :- in(X);
			out("b")@async :- in(X);`,
		under: map[string]string{
			"":               `out("b")@2 out("b")@3 out("b")@4 out("b")@5`,
			"isolate a@1..2": `out("b")@4 out("b")@5`,
			"isolate b@2":    `out("b")@2 out("b")@4 out("b")@5`,
			"isolate b@4":    `out("b")@2 out("b")@3 out("b")@4`,
		},
	},
	{
		name: "a message to oneself is not lost",
		program: `// ldfi: processes=a,b eot=2 crashes=1
			in("a")@1;
			out("a")@async :- in(X);`,
		under: map[string]string{"crash a@1": `out("a")@2`},
	},
	{
		name: "a destination that is bound nowhere ranges over all processes",
		program: `// ldfi: processes=a,b,c eot=2 omissions=1
			in("a")@1; not("c")@1;
			out(P, P)@async :- in(X), notin not(P), P != X;`,
		under: map[string]string{"": `out("b", "b")@2`, "omit a>b@1": ""},
	},
	{
		name: "a destination that is no process receives nothing",
		program: `// ldfi: processes=a eot=2
			in("a", "z")@1;
			out(P)@async :- in(X, P);`,
		under: map[string]string{"": ""},
	},
	{
		name: "a rule fires only where its location is a process",
		program: `// ldfi: processes=a eot=1
			in("a", 1)@1; in("z", 2)@1;
			out(X) :- in(P, X);
			out(X) :- in(_, Y), X == Y + 10, in(_, X);
			out(Y) :- in(_, X), in(_, Y), X < Y;`,
		under: map[string]string{"": `out(1)@1 out(2)@1`},
	},
	{
		name: "processes named by numbers are numbers",
		program: `// ldfi: processes=1,2 eot=2 omissions=1
			in(1)@1;
			out(2)@async :- in(X);`,
		under: map[string]string{"": `out(2)@2`, "omit 1>2@1": ""},
	},
	{
		name: "messages of nobody are not lost",
		program: `// ldfi: processes=a,b eot=2 crashes=2 omissions=unlimited
			in("a")@1;
			out("b")@async :- in(_);`,
		under: map[string]string{"crash a@1; crash b@1; omit a>b@1": `out("b")@2`},
	},
	{
		name: "a wildcard variable of a negated atom is one of its own in each",
		program: `// ldfi: processes=a eot=1
			in("a", 1)@1; p("a", 1, 2)@1; q("a", 3)@1;
			out(X) :- in(X, _), notin p(X, Y, Y), notin r(Y);`,
		under: map[string]string{"": `out("a")@1`},
	},
	{
		name: "a negated atom that repeats a wildcard variable needs equal columns",
		program: `// ldfi: processes=a eot=1
			in("a")@1; p("a", 2, 2)@1; p("a", 1, 2)@1;
			out(X) :- in(X), notin p(X, Y, Y);`,
		under: map[string]string{"": ""},
	},
	{
		name: "an absence that depends on losses",
		program: `// ldfi: processes=a,b,c eot=2 omissions=2
			in("a")@1; in("b")@1;
			got("c", P)@async :- in(P);
			here("c")@2;
			out(X) :- here(X), notin got(X, _);`,
		under: map[string]string{"": "", "omit a>c@1": "", "omit a>c@1; omit b>c@1": `out("c")@2`},
	},
	{
		name: "@N reads a round from any other",
		program: `// ldfi: processes=a eot=3
			in("a", 7)@3; now("a")@1; now(X)@next :- now(X);
			out(X, Y) :- now(X), in(X, Y)@3;
			out(X, 0) :- now(X), notin in(X, _)@9, notin in(X, _)@2;`,
		under: map[string]string{"": `out("a", 0)@1 out("a", 7)@1 out("a", 0)@2 out("a", 7)@2 out("a", 0)@3 out("a", 7)@3`},
	},
	{
		name: "arithmetic without a value gives nothing, in either kind of comparison",
		program: `// ldfi: processes=a eot=1
			in("a", 0)@1; in("a", 4)@1; max("a", 9223372036854775807)@1;
			out(8 / N, "quotient") :- in(X, N);
			out(M + 1, "sum") :- max(X, M);
			out(N, "low") :- in(X, N), 8 / N < 100;
			out(N, "high") :- in(X, N), 8 / N >= 100;
			out(1, "word") :- in(X, _), X + 1 == X + 1;
			out(2, "less") :- in(X, _), X < 1;
			out(3, "more") :- in(X, _), X >= 1;
			out(4, "unlike") :- in(X, _), X != 1;
			out(N, "absent") :- in(X, N), notin p(1 / N);`,
		under: map[string]string{"": `out(2, "quotient")@1 out(4, "absent")@1 out(4, "low")@1 out(4, "unlike")@1`},
	},
	{
		name: "arithmetic in a body atom is a test",
		program: `// ldfi: processes=a eot=1
			p("a", 1, 2)@1; p("a", 2, 4)@1; q("a", 3)@1;
			out(X, N) :- p(X, N, N + 1);
			out(X, N) :- p(X, N, M + 1), q(X, M);`,
		under: map[string]string{"": `out("a", 1)@1 out("a", 2)@1`},
	},
	{
		name: "division truncates",
		program: `// ldfi: processes=a eot=1
			in("a", 7)@1;
			out((0 - N) / 2, (0 - N) % 2) :- in(X, N);`,
		under: map[string]string{"": `out(-3, -1)@1`},
	},
	{
		name: "crash is true in every round for every observer",
		program: `// ldfi: processes=a,b eot=2 crashes=1
			here("b")@1; here("b")@2;
			out(O, P, T) :- here(O), crash(O, P, T);`,
		under: map[string]string{"": "", "crash a@2": `out("b", "a", 2)@1 out("b", "a", 2)@2`},
	},
	{
		name: "a process that stops keeps its state and does nothing",
		program: `// ldfi: processes=a,b eot=4 crashes=1 crash=stop
			in("a", 1)@1; in("b", 1)@1;
			out(X, N + 1)@next :- in(X, N);
			in(X, N + 1)@next :- in(X, N);`,
		under: map[string]string{
			"":          `out("a", 2)@2 out("b", 2)@2 out("a", 3)@3 out("b", 3)@3 out("a", 4)@4 out("b", 4)@4`,
			"crash b@2": `out("a", 2)@2 out("b", 2)@2 out("a", 3)@3 out("b", 2)@3 out("a", 4)@4 out("b", 2)@4`,
		},
	},
	{
		name: "a process that stops receives nothing",
		program: `// ldfi: processes=a,b eot=3 crashes=1 crash=stop
			in("a")@1; in(X)@next :- in(X);
			out("b")@async :- in(X);`,
		under: map[string]string{"": `out("b")@2 out("b")@3`, "crash b@1": "", "crash b@2": `out("b")@2 out("b")@3`},
	},
	{
		name: "count, sum, avg, min and max of distinct values by group",
		program: `// ldfi: processes=a eot=1
			in("a", 1, 2)@1; in("a", 2, 2)@1; in("a", 3, 5)@1; in("b", 3, 9)@1;
			out(X, count<N>, sum<N>, avg<N>, min<N>, max<N>) :- in(_, K, N), in(X, K, N);`,
		under: map[string]string{"": `out("a", 2, 7, 3, 2, 5)@1 out("b", 1, 9, 9, 9, 9)@1`},
	},
	{
		name: "aggregates over rows that depend on losses",
		program: `// ldfi: processes=a,b,k eot=2 omissions=2
			in("a", 3)@1; in("b", 4)@1; in("k", 5)@1;
			got("k", N)@async :- in(X, N);
			out(X, count<N>, sum<N>, avg<N>, min<N>, max<N>) :- got(X, N);`,
		under: map[string]string{
			"":                       `out("k", 3, 12, 4, 3, 5)@2`,
			"omit a>k@1":             `out("k", 2, 9, 4, 4, 5)@2`,
			"omit b>k@1":             `out("k", 2, 8, 4, 3, 5)@2`,
			"omit a>k@1; omit b>k@1": `out("k", 1, 5, 5, 5, 5)@2`,
		},
	},
	{
		name: "an empty group has no row",
		program: `// ldfi: processes=a,k eot=2 omissions=1
			in("a", 3)@1;
			got("k", N)@async :- in(X, N);
			out(X, count<N>) :- got(X, N);`,
		under: map[string]string{"": `out("k", 1)@2`, "omit a>k@1": ""},
	},
	{
		name: "sums of strings and sums that overflow have no value",
		program: `// ldfi: processes=a eot=1
			w("x", 0)@1; w("a", 0)@1; n("a", 9223372036854775807)@1; n("a", 1)@1; n("a", -1)@1; m("a", 9223372036854775807)@1; m("a", 1)@1;
			out("max", max<W>) :- w(_, N), w(W, N);
			out("w", sum<W>) :- w(_, N), w(W, N);
			out("n", sum<N>) :- n(X, N);
			out("m", avg<M>) :- m(X, M);`,
		under: map[string]string{"": `out("max", "x")@1 out("n", 9223372036854775807)@1`},
	},
	{
		name: "an aggregated message comes from each location on its own",
		program: `// ldfi: processes=a,b,k eot=2 omissions=1
			in("a", 1)@1; in("a", 2)@1; in("b", 3)@1;
			out("k", count<N>)@async :- in(X, N);`,
		under: map[string]string{"": `out("k", 1)@2 out("k", 2)@2`, "omit a>k@1": `out("k", 1)@2`},
	},
	{
		name: "recursion over links that may be lost",
		program: `// ldfi: processes=a,b,c eot=2 omissions=1
			knows("a", "b")@1; knows("b", "c")@1; knows("c", "a")@1;
			link("a", P, Q)@async :- knows(P, Q);
			path(P, Q) :- link(_, P, Q);
			path(P, R) :- path(P, Q), path(Q, R);
			out(Q) :- path(P, Q), P == "a";`,
		under: map[string]string{"": `out("a")@2 out("b")@2 out("c")@2`, "omit b>a@1": `out("b")@2`, "omit c>a@1": `out("b")@2 out("c")@2`},
	},
	{
		name: "recursion through negation fact by fact",
		program: `// ldfi: processes=a,b eot=2 omissions=1
			move("a", 1, 2)@2; move("a", 2, 3)@2; knows("b", 3, 4)@1;
			move("a", X, Y)@async :- knows(P, X, Y);
			win(X) :- move(_, X, Y), notin win(Y);
			out(X) :- move(_, X, _), win(X);`,
		under: map[string]string{"": `out(1)@2 out(3)@2`, "omit b>a@1": `out(2)@2`},
	},
	{
		name: "recursion through an aggregate of smaller things",
		program: `// ldfi: processes=a,b eot=2 omissions=1
			part("a", 1, 20)@2; part("a", 2, 30)@2; extra("b", 1, 10)@1;
			part("a", X, Y)@async :- extra(P, X, Y);
			has(P, X, Y) :- part(P, X, Y);
			has(P, X, N + 100) :- part(P, X, _), size(P, Y, N), Y == X - 1;
			size(P, X, sum<Y>) :- has(P, X, Y);
			out(X, N) :- size(_, X, N);`,
		under: map[string]string{"": `out(1, 30)@2 out(2, 160)@2`, "omit b>a@1": `out(1, 20)@2 out(2, 150)@2`},
	},
	{
		name: "a negated atom of the recursion with all columns known, among many facts",
		program: `// ldfi: processes=a eot=1
			n("a", 0)@1;
			n(X, N + 1) :- n(X, N), N < 20;
			even(X, N) :- n(X, N), N == 0;
			even(X, N) :- n(X, N), n(X, M), N == M + 1, notin even(X, M);
			out(N) :- even(X, N), N > 15;`,
		under: map[string]string{"": `out(16)@1 out(18)@1 out(20)@1`},
	},
	{
		name: "what certainly holds bounds a recursion",
		program: `// ldfi: processes=a eot=1
			n("a", 0)@1; last("a", 5)@1;
			end(X, N) :- last(X, N);
			end(X, N) :- n(X, N), N > 100;
			n(X, N + 1) :- n(X, N), notin end(X, N);
			out(max<N>) :- n(X, N);`,
		under: map[string]string{"": `out(5)@1`},
	},
	{
		name: "rows of a group that turn out certain without making more facts certain",
		program: `// ldfi: processes=a,b,c eot=2
			node("a", "c")@1; node("b", "c")@1; node(L, P)@next :- node(L, P);
			last(P, max<Q>, 1) :- node(Q, P), notin total(_, 3);
			last(P, Q, N)@next :- last(P, Q, N);
			total(P, sum<N>) :- last(P, _, N);
			out(P, Q) :- last(P, Q, _);`,
		under: map[string]string{"": `out("c", "b")@1 out("c", "b")@2`},
	},
	{
		name: "the greatest of rows with equal values, in a recursion",
		program: `// ldfi: processes=a,b,c eot=2
			num("c", 0)@1; num("b", 1)@1;
			seen(L, X) :- num(L, X);
			seen(M, X)@async :- num(L, X);
			out(P, max<V; I>) :- sent(_, _, V)@2, seen(P, I);
			sent(P, P, "")@async :- seen(_, _);
			sent(P, Q, V) :- node(_, P), out(Q, V);`,
		under: map[string]string{"": `out("b", "")@1 out("c", "")@1 out("a", "")@2 out("b", "")@2 out("c", "")@2`},
	},
	{
		name: "the greatest of equal values, of which one comes from itself",
		program: `// ldfi: processes=b,c eot=1
			node("c", "b")@1;
			num("c")@1;
			out(P, P) :- num(P);
			out(P, max<Q; N>) :- out(P, N), node(_, Q);`,
		under: map[string]string{"": `out("c", "b")@1 out("c", "c")@1`},
	},
	{
		name: "the least of a group that has the least of itself, and a certain one",
		program: `// ldfi: processes=b,c eot=1
			in("b")@1; one("c")@1;
			out(P, min<N>) :- out(_, N), in(P);
			out(P, -1) :- in(P);
			out(P, count<P>) :- one(P);`,
		under: map[string]string{"": `out("b", -1)@1 out("c", 1)@1`},
	},
	{
		name: "a recursion that would not end if two things that exclude each other were possible",
		program: `// ldfi: processes=a,b eot=2 crashes=1 crash=stop
			in("b", 3)@1;
			out(P, N) :- in(P, N);
			out(P, N - 1)@next :- out(P, N)@2;`,
		under: map[string]string{"": `out("b", 3)@1`, "crash b@1": `out("b", 3)@1 out("b", 3)@2`},
	},
	{
		name: "counts that would not end if what is counted could be absent",
		program: `// ldfi: processes=c eot=1
			e("c", 0, 1)@1; e("c", 2, 1)@1;
			out(C, Y, X) :- e(C, Y, X);
			out(C, Z, count<X>) :- out(C, X, Z);`,
		under: map[string]string{"": `out("c", 0, 1)@1 out("c", 1, 2)@1 out("c", 2, 1)@1`},
	},
	{
		name: "a group whose rows turn out to be possible late",
		program: `// ldfi: processes=a,c eot=2 omissions=1
			s("a", 0, 0)@1; e("c", 0, 1)@2; e("c", 1, 1)@2; e("c", 1, 0)@2;
			e("c", X, Y)@async :- s(P, X, Y);
			out(C, Y, X) :- e(_, X, _), e(C, 0, Y);
			out(C, Y, min<X>) :- e(_, X, Y), out(C, Z, _), notin e(_, Y, Z);
			out(C, X, min<X>) :- e(_, X, _), out(C, _, _);`,
		under: map[string]string{"": allPairs, "omit a>c@1": allPairs},
	},
	{
		name: "a recursion through a later round",
		program: `// ldfi: processes=a,b eot=3 omissions=1
			in("b")@1;
			got("a")@async :- in(X);
			got(X)@next :- got(X);
			here("a")@1;
			out(X) :- here(X), got(X)@3;
			told(X)@next :- here(X), notin told(X)@2, in(_)@3;`,
		under: map[string]string{"": `out("a")@1`, "omit b>a@1": ""},
	},
}

func TestSemantics(t *testing.T) {
	for _, story := range semantics {
		t.Run(story.name, func(t *testing.T) {
			p, err := dedalus.ParseText("story.ded", story.program)
			require.NoError(t, err)
			b, _, err := rounds.BoundsOf(p, nil)
			require.NoError(t, err)
			g, err := provenance.Evaluate(t.Context(), p, b, provenance.Options{})
			require.NoError(t, err)
			for faults, want := range story.under {
				s, err := rounds.ParseSchedule(faults)
				require.NoError(t, err)
				require.Equal(t, want, outUnder(t, g, s), "under %q", faults)
			}
		})
	}
}

// outUnder returns the facts of relation out that hold under a schedule.
func outUnder(t *testing.T, g *provenance.Graph, s rounds.Schedule) string {
	units, err := g.Universe.Units(s)
	require.NoError(t, err)
	inputs := make([]uint64, g.Universe.Len())
	for _, unit := range units {
		inputs[unit] = 1
	}
	var facts []*provenance.Fact
	var conds []solver.Lit
	for round := 1; round <= g.Bounds.EOT; round++ {
		for _, f := range g.Facts("out", round) {
			facts = append(facts, f)
			conds = append(conds, f.Cond())
		}
	}
	w := solver.NewWords(g.Circuit, conds...)
	w.Eval(inputs)
	var hold []string
	for i, f := range facts {
		if w.Value(conds[i])&1 == 1 {
			hold = append(hold, f.String())
		}
	}
	return strings.Join(hold, " ")
}
