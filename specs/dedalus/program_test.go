package dedalus_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func TestLocation(t *testing.T) {
	for body, want := range map[string]string{
		`p(X, Y)`:                   "X",
		`notin p(X, _), q(X)`:       "X",
		`X != "b", q(Y), p(X, _)`:   "Y",
		`p("a", Y), q(X)`:           `"a"`,
		`p(7, Y), q(X)`:             "7",
		`p(X + 1, Y), q(X)`:         "X + 1",
		`q(X)@2`:                    "X",
		`p(_, Y), q(X)`:             "",
		`notin p(Y, Y), q(X)`:       "",
		`go(), q(X)`:                "",
		`notin go(), q(X), p(X, _)`: "",
	} {
		p := parse(t, "r(1) :- "+body+";")
		got := ""
		if e := p.Rules[0].Location(); e != nil {
			got = e.String()
		}
		require.Equal(t, want, got, body)
	}
	require.Nil(t, parse(t, "r(1) :- 1 < 2;").Rules[0].Location())
}

func TestDestination(t *testing.T) {
	for rule, want := range map[string]string{
		`m(N)@async :- p(X);`:                     "N",
		`m(N, N)@async :- p(X), N != X;`:          "N",
		`m(N)@async :- p(X), notin p(N);`:         "N",
		`m(N)@async :- notin p(N);`:               "N",
		`m(X)@async :- p(X);`:                     "",
		`m("a")@async :- p(X);`:                   "",
		`m(X, 1)@next :- p(X);`:                   "",
		`m(min<X>)@async :- p(X);`:                "",
		`m(N, count<N>, count<X>)@async :- p(X);`: "N",
	} {
		got := ""
		if v := parse(t, rule).Rules[0].Destination(); v != nil {
			got = v.Name
		}
		require.Equal(t, want, got, rule)
	}
}

func TestProcessValue(t *testing.T) {
	p := parse(t, `p("a", "7", 8)@1; q(X) :- p(X, _, _), X != "9"; q(X) :- p(X, _, 10);`)
	for name, want := range map[string]specs.Value{
		"a": specs.String("a"), "7": specs.String("7"), "8": specs.Int(8), "9": specs.String("9"), "10": specs.Int(10),
		"11": specs.Int(11), "-3": specs.Int(-3), "007": specs.String("007"), "": specs.String(""), "+1": specs.String("+1"),
		"99999999999999999999": specs.String("99999999999999999999"),
	} {
		require.Equal(t, want, p.ProcessValue(name), name)
		require.Equal(t, want, p.Slice("p").ProcessValue(name), name)
	}

	// What stands where locations stand decides.
	p = parse(t, `m(1, "1")@1; k("2", 2)@1; n(3)@1; n("3")@1; q(X) :- n(X), m(4, "4"), m(_, "5");`)
	for name, want := range map[string]specs.Value{
		"1": specs.Int(1), "2": specs.String("2"), "3": specs.String("3"), "4": specs.Int(4), "5": specs.String("5"),
	} {
		require.Equal(t, want, p.ProcessValue(name), name)
	}
}

func TestSlice(t *testing.T) {
	p := parse(t, `
a("x")@1; b("x")@1; c("x")@1;
unrelated(X) :- post(X), c(X);
d(X)@next :- a(X);
e(X)@async :- d(X), notin b(X);
post(X) :- e(X), notin crash(X, X, _);
pre(X) :- a(X)@1;
`)
	require.Equal(t, `a("x")@1;
b("x")@1;
d(X)@next :- a(X);
e(X)@async :- d(X), notin b(X);
post(X) :- e(X), notin crash(X, X, _);
`, p.Slice("post", "none").String())
	s := p.Slice("pre")
	require.Equal(t, "a(\"x\")@1;\npre(X) :- a(X)@1;\n", s.String())
	require.Equal(t, 0, s.Rules[0].Index)
	require.Equal(t, 4, p.Rules[4].Index)
	require.Empty(t, p.Slice().Rules)
}

func TestRelations(t *testing.T) {
	p := parse(t, "b(X) :- a(X, Y), notin c();\na(\"x\", 1)@1;\n")
	at := func(line, column int) specs.Position {
		return specs.Position{File: "test.ded", Line: line, Column: column}
	}
	require.Equal(t, []dedalus.Relation{
		{Name: "a", Arity: 2, Position: at(2, 1)},
		{Name: "b", Arity: 1, Position: at(1, 1)},
		{Name: "c", Arity: 0, Position: at(1, 24)},
	}, p.Relations())
}

func TestParseQuery(t *testing.T) {
	q, err := dedalus.ParseQuery(`post(c, "hello", -1, _)@6`)
	require.NoError(t, err)
	require.Equal(t, syntax.Query{Relation: "post", Round: 6, Args: []syntax.QueryArg{
		{Value: specs.String("c")}, {Value: specs.String("hello")}, {Value: specs.Int(-1)}, {Wildcard: true},
	}}, q)
	require.Equal(t, `post("c", "hello", -1, _)@6`, q.String())
	q, err = dedalus.ParseQuery("p()")
	require.NoError(t, err)
	require.Equal(t, syntax.Query{Relation: "p"}, q)
	for text, want := range map[string]string{
		"":              "query:1:1: unexpected end of the text, expected the name of a relation",
		"p":             "expected '(' behind the name of a relation",
		"p(X + 1)":      "query:1:3: a query has only words, strings, integers and '_', and 'X + 1' is a computation",
		"p(X)@next":     "query:1:5: a query has a round such as '@6', not '@next'",
		"p(X)@0":        "rounds count from 1",
		"p(X)@6;":       "query:1:7: unexpected ';', expected the end of the query",
		"notin p(X)":    "no relation can be called 'notin'",
		"p(X), q(X)":    "query:1:5: unexpected ',', expected the end of the query",
		"p(\"a)":        "this string has no end",
		"p(count<X>)@1": "is an aggregate",
	} {
		_, err := dedalus.ParseQuery(text)
		require.ErrorContains(t, err, want, text)
	}
}
