package lockstep_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// story is a small program and what is to hold of its relation out: three
// processes, three rounds and any faults, unless the program says otherwise.
type story struct {
	tells    string
	program  string
	schedule string
	out      string // the facts of out, separated by spaces
}

var stories = []story{
	{"a stated fact holds in its round alone",
		`out("a")@2;`, "", `out("a")@2`},
	{"a fact beyond the last round is ignored",
		`out("a")@4; out("b")@3;`, "", `out("b")@3`},
	{"a @next rule keeps what it is given, until the last round",
		`out("a")@1; out(P)@next :- out(P);`, "", `out("a")@1 out("a")@2 out("a")@3`},
	{"a message arrives in the round after",
		`p("a", "b")@1; out(Q)@async :- p(P, Q);`, "", `out("b")@2`},
	{"a message that is lost does not arrive",
		`p("a", "b")@1; out(Q)@async :- p(P, Q);`, "omit a>b@1", ``},
	{"nor does one of an isolated process, in either direction",
		`p("a", "b")@1; p("b", "c")@1; p("c", "a")@1; out(Q)@async :- p(P, Q);`, "isolate b@1", `out("a")@2`},
	{"one of several messages of a relation has a number, by their arguments",
		`p("a", "b", 3)@1; p("a", "b", 2)@1; p("a", "c", 1)@1; p("a", "b", 2)@2; out(Q, X)@async :- p(P, Q, X);`, "omit a>b@1..2/out#1",
		`out("b",3)@2 out("c",1)@2`},
	{"and can come late alone",
		`p("a", "b", 3)@1; p("a", "b", 2)@1; out(Q, X)@async :- p(P, Q, X);`, "delay a>b@1/out#2+1", `out("b",2)@2 out("b",3)@3`},
	{"a number that no message has hits none",
		`p("a", "b", 3)@1; out(Q, X)@async :- p(P, Q, X);`, "omit a>b@1/out#2", `out("b",3)@2`},
	{"a message to oneself is never lost",
		`p("a", "a")@1; out(Q)@async :- p(P, Q);`, "isolate a@1; crash a@1", `out("a")@2`},
	{"what is sent in the last round is not seen",
		`p("a", "b")@3; out(Q)@async :- p(P, Q);`, "", ``},
	{"a destination that is no process receives nothing",
		`p("a", "z")@1; out(Q)@async :- p(P, Q);`, "", ``},
	{"a destination that the body does not bind is every process, in the whole rule",
		`p("a")@1; not("b", 1)@1; out(Q, Q)@async :- p(P), notin not(Q, _), Q != "c";`, "", `out("a","a")@2`},

	{"a crashed process sends nothing to others from its round on, but goes on computing and receiving",
		`p("a", "b")@1; p("b", "a")@1; p(P, Q)@next :- p(P, Q); out(Q)@async :- p(P, Q);`, "crash a@2",
		`out("a")@2 out("b")@2 out("a")@3`},
	{"a crash is known to everybody in every round",
		`out(O, P, T) :- crash(O, P, T), O != "c";`, "crash b@2",
		`out("a","b",2)@1 out("b","b",2)@1 out("a","b",2)@2 out("b","b",2)@2 out("a","b",2)@3 out("b","b",2)@3`},
	{"a process that stops keeps its state and receives nothing",
		`// ldfi: crash=stop
		out("a", 1)@1; q("a")@2; tick("b")@1; tick(P)@next :- tick(P);
		out(P, 2)@next :- q(P); out("a", 3)@async :- tick(P);`, "crash a@2",
		`out("a",1)@1 out("a",3)@2 out("a",3)@3`},
	{"a stopped process can still be reasoned about by deductive rules",
		`// ldfi: crash=stop
		p("a")@1; p(P)@next :- p(P); out(P) :- p(P);`, "crash a@1", `out("a")@1 out("a")@2 out("a")@3`},
	{"state that no rule carries on is lost all the same",
		`// ldfi: crash=stop
		out("a")@1; p("a")@next :- out(P);`, "crash a@1", `out("a")@1`},

	{"a rule fires at the process in column 0 of its first atom, and at no other",
		`p("z")@1; p("a")@1; out(P) :- p(P);`, "", `out("a")@1`},
	{"even if that atom is negated",
		`p("z")@1; p("a")@1; p("b")@1; q("b")@1; out(P) :- notin q(P), p(P);`, "", `out("a")@1`},
	{"a constant there that is no process never fires",
		`p("z")@1; out("a") :- p("z");`, "", ``},
	{"a wildcard there always fires",
		`p("z", 1)@1; out("a", X) :- p(_, X);`, "", `out("a",1)@1`},
	{"a wildcard there sends from nobody, so nothing is lost",
		`p("a", "b")@1; out(Q)@async :- p(_, Q);`, "crash a@1; isolate b@1; omit a>b@1", `out("b")@2`},
	{"a rule without atoms always fires",
		`out("a") :- 1 < 2; out("b") :- 2 < 1;`, "", `out("a")@1 out("a")@2 out("a")@3`},
	{"so does one whose first atom has no columns",
		`p()@1; q("z")@1; out(X) :- p(), q(X);`, "", `out("z")@1`},
	{"processes may be integers",
		`// ldfi: processes=1,2
		p(1, 2)@1; p(2, 3)@1; out(Q)@async :- p(P, Q);`, "", `out(2)@2`},
	{"or strings that look like integers, when the program quotes them",
		`// ldfi: processes=1,2
		p("1", "2")@1; out(Q)@async :- p(P, Q);`, "", `out("2")@2`},

	{"@N reads a relation as it was at round N",
		`p("a", 1)@1; p("a", 2)@2; out(P, X) :- q(P), p(P, X)@1; q("a")@3;`, "", `out("a",1)@3`},
	{"also before that round has come",
		`p("b")@1; p(P)@next :- p(P); late("a")@3; out(P) :- p(P), late("a")@3;`, "", `out("b")@1 out("b")@2 out("b")@3`},
	{"a round that does not come is empty",
		`p("a")@1; out(P) :- p(P), notin p("a")@9; out("b") :- p("a")@9;`, "", `out("a")@1`},
	{"a fact may wait for a later round that depends on it",
		`p("a")@1; p(P)@next :- p(P); end("a") :- p("a")@1; out(P) :- p(P), end(P)@3;`, "", `out("a")@1 out("a")@2 out("a")@3`},
	{"a recursion may go through rounds",
		`n("a", 1)@1; n(P, X)@next :- n(P, X); out(P, X) :- n(P, X); out(P, X + 1) :- out(P, X)@3, n(P, _), X < 3;`, "",
		`out("a",1)@1 out("a",1)@2 out("a",1)@3 out("a",2)@1 out("a",2)@2 out("a",2)@3 out("a",3)@1 out("a",3)@2 out("a",3)@3`},

	{"a variable that only negated atoms have is a wildcard in each of them",
		`p("a")@1; p("b")@1; q("a", 1)@1; r("b", 2)@1; out(P) :- p(P), notin q(P, X), notin r(P, X);
		p("c")@1;`, "", `out("c")@1`},
	{"within one negated atom it is equal to itself",
		`p("a")@1; p("b")@1; q("a", 1, 2)@1; q("b", 2, 2)@1; out(P) :- p(P), notin q(P, X, X);`, "", `out("a")@1`},
	{"a repeated variable of a positive atom is equal to itself",
		`p("a", 1, 2)@1; p("b", 2, 2)@1; out(P) :- p(P, X, X);`, "", `out("b")@1`},

	{"division truncates toward zero, and the remainder has the sign of the dividend",
		`p("a", -7)@1; out("a", X / 2, X % 2, X * 2, X - 1, X + 1) :- p("a", X);`, "", `out("a",-3,-1,-14,-8,-6)@1`},
	{"arithmetic without a value gives nothing",
		`p("a", 0, 9223372036854775807)@1; out("a", 1 / X) :- p("a", X, _); out("a", 1 % X) :- p("a", X, _);
		out("a", Y + 1) :- p("a", _, Y); out("a", 0 - Y - 2) :- p("a", _, Y); out("a", Y * 2) :- p("a", _, Y);`, "", ``},
	{"a comparison of what has no value does not hold, and neither does its opposite",
		`p("a", 0)@1; out("a", 1) :- p("a", X), 1 / X == 1; out("a", 2) :- p("a", X), 1 / X != 1; out("a", 3) :- p("a", X), 1 / X >= 1;`,
		"", ``},
	{"a negated atom of what has no value does not hold either",
		`p("a", 0)@1; q("a", 1)@1; out("a") :- p("a", X), notin q("a", 1 / X);`, "", ``},
	{"an argument of a body atom may be computed",
		`p("a", 1)@1; q("a", 2)@1; q("a", 3)@1; out("a", Y) :- q("a", Y), p("a", Y - 1); out("b", X) :- p("a", X), notin q("a", X + 3);`,
		"", `out("a",2)@1 out("b",1)@1`},
	{"wherever its variables are bound",
		`p("a", 1)@1; q("a", 2)@1; r("a", 3)@1; out(P, X) :- q(P, X + 1), p(P, X), r(P, X + X + 1); out(P, X) :- q(P, X + 5), p(P, X);`,
		"", `out("a",1)@1`},
	{"even by the destination of a message",
		`// ldfi: processes=1,2,3
		p(1, 2)@1; q(3)@1; out(D, X)@async :- p(P, D + 1), q(X), notin p(P, X - D + P);`, "", `out(1,3)@2`},
	{"arithmetic stays within 64 bits or has no value",
		`m("a", -9223372036854775808)@1; one("a", 1)@1; big("a", 4611686018427387904)@1;
		out(P, 2, X % (0 - Z)) :- m(P, X), one(P, Z);
		out(P, 3, X / (0 - Z)) :- m(P, X), one(P, Z); out(P, 4, X * (0 - Z)) :- m(P, X), one(P, Z);
		out(P, 5, (0 - Z) * X) :- m(P, X), one(P, Z); out(P, 6, X - Z) :- m(P, X), one(P, Z);
		out(P, 7, X + X) :- big(P, X); out(P, 8, X - Z + X) :- big(P, X), one(P, Z); out(P, 9, X * 0) :- m(P, X);`,
		"", `out("a",2,0)@1 out("a",8,9223372036854775807)@1 out("a",9,0)@1`},
	{"processes are strings, and there is no arithmetic on those",
		`// ldfi: processes=a,2
		p("a", 1)@1; p(2, 1)@1; out(P + X, X) :- p(P, X); out(P, X) :- p(P, X), P * 2 > X;`, "", `out(3,1)@1 out(2,1)@1`},
	{"strings compare by their bytes, and are never equal to integers",
		`// ldfi: processes=1,2
		p(1, "x", "y")@1; out(P, 1) :- p(P, X, Y), X < Y; out(P, 2) :- p(P, X, Y), X >= Y; out(P, 3) :- p(P, X, Y), P == X;
		out(P, 4) :- p(P, X, Y), P != X; out(P, 5) :- p(P, X, Y), P < X; out(P, 6) :- p(P, X, Y), P > X;`,
		"", `out(1,1)@1 out(1,4)@1`},

	{"aggregates are over distinct values, by the other columns",
		`p("a", 1, 5)@1; p("a", 2, 5)@1; p("a", 3, 8)@1; p("b", 1, 2)@1;
		out(P, count<X>, sum<X>, avg<X>, min<X>, max<X>) :- p(P, _, X);`, "", `out("a",2,13,6,5,8)@1 out("b",1,2,2,2,2)@1`},
	{"an empty group has no row",
		`p("a", 1)@1; q("a")@2; out(P, count<X>) :- q(P), p(P, X);`, "", ``},
	{"each rule has groups of its own",
		`p("a", 1)@1; q("a", 2)@1; q("a", 3)@1; out(P, count<X>) :- p(P, X); out(P, count<X>) :- q(P, X);`, "",
		`out("a",1)@1 out("a",2)@1`},
	{"the columns of a group may be computed",
		`p("a", 1)@1; p("a", 2)@1; p("a", 3)@1; out(P, X / 2, count<X>) :- p(P, X);`, "", `out("a",0,1)@1 out("a",1,2)@1`},
	{"minimum and maximum are of strings too",
		`p("a", "x")@1; p("a", "y")@1; out(P, min<X>, max<X>) :- p(P, X);`, "", `out("a","x","y")@1`},
	{"a sum that does not fit has no value, whatever the order",
		`p("a", 9223372036854775807)@1; p("a", 1)@1; p("a", -1)@1; p("b", 9223372036854775807)@1; p("b", 1)@1;
		out(P, sum<X>) :- p(P, X);`, "", `out("a",9223372036854775807)@1`},
	{"an aggregate may be for the next round",
		`p("a", 1)@1; p("a", 2)@1; out(P, count<X>)@next :- p(P, X);`, "", `out("a",2)@2`},
	{"in a message each sender has its own",
		`p("a", 1)@1; p("a", 2)@1; p("b", 4)@1; out("c", sum<X>)@async :- p(P, X);`, "", `out("c",3)@2 out("c",4)@2`},
	{"and it is lost with its sender",
		`p("a", 1)@1; p("a", 2)@1; p("b", 7)@1; out(Q, sum<X>)@async :- p(P, X);`, "omit a>b@1; crash b@1",
		`out("a",3)@2 out("b",7)@2 out("c",3)@2`},

	{"a recursion within a round is closed",
		`e("a", "b")@1; e("b", "c")@1; e("c", "a")@1; out(P, Q) :- e(P, Q); out(P, R) :- out(P, Q), out(Q, R);`, "",
		`out("a","a")@1 out("a","b")@1 out("a","c")@1 out("b","a")@1 out("b","b")@1 out("b","c")@1 out("c","a")@1 out("c","b")@1 out("c","c")@1`},
	{"a recursion may make values as long as it ends",
		`n("a", 1)@1; out(P, X) :- n(P, X); out(P, X + 1) :- out(P, X), X < 4;`, "", `out("a",1)@1 out("a",2)@1 out("a",3)@1 out("a",4)@1`},
	{"a cycle through negation does no harm where facts are not in it",
		`move("a", "b")@1; move("b", "c")@1; out(P) :- move(P, Q), notin out(Q);`, "", `out("b")@1`},
	{"a fact that follows anyway does not depend on its absence",
		`p("a")@1; out(P) :- p(P), notin out(P); out(P) :- p(P);`, "", `out("a")@1`},
	{"a chain of facts that depend on each other's absence may be long",
		`n("a", 1)@1; n(P, X + 1) :- n(P, X), X < 300; odd(P, X + 0) :- n(P, X), notin odd(P, X - 1); out(P, count<X>) :- odd(P, X);`, "",
		`out("a",150)@1`},
	{"a group may become certain without a fact that is new",
		`v("a", 1)@1; v("a", 2)@1; out("a", 2)@1; q(P) :- none(P), notin out(P, 1); out(P, max<X>) :- v(P, X), notin q(P);`, "",
		`out("a",2)@1`},
	{"a recursion through an aggregate is decided group by group",
		`part("a", "b")@1; part("a", "c")@1; part("b", "c")@1; cost("c", 3)@1;
		cost(P, sum<N>) :- part(P, Q), cost(Q, N); out(P, N) :- cost(P, N);`, "", `out("a",3)@1 out("b",3)@1 out("c",3)@1`},
}

// execute runs a program of a story.
func execute(t *testing.T, program, schedule string, o lockstep.Options) (*lockstep.Machine, *recording.Execution, error) {
	t.Helper()
	p, err := dedalus.ParseText("story.ded", program)
	require.NoError(t, err)
	p.Settings = append([]dedalus.Setting{
		{Key: "processes", Value: "a,b,c", Included: true}, {Key: "eot", Value: "3", Included: true},
	}, p.Settings...)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	s, err := rounds.ParseSchedule(schedule)
	require.NoError(t, err)
	m, err := lockstep.Compile(p, b, o)
	require.NoError(t, err)
	e, err := m.Execute(context.Background(), s)
	return m, e, err
}

func TestStories(t *testing.T) {
	for _, s := range stories {
		t.Run(s.tells, func(t *testing.T) {
			_, e, err := execute(t, s.program, s.schedule, lockstep.Options{})
			require.NoError(t, err)
			var have []string
			for _, f := range e.Facts {
				if f.Relation == "out" {
					have = append(have, strings.ReplaceAll(f.String(), " ", ""))
				}
			}
			require.ElementsMatch(t, strings.Fields(s.out), have)
		})
	}
}
