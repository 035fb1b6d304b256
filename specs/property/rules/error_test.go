package rules

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"

	"github.com/lineage-driven/ldfi/specs/property"

	"github.com/stretchr/testify/require"
)

func TestMistakesHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"# nothing": `mine: there are no rules`,
		"violation(P) :- leader(P, T, R)": `mine:1:31: the rule that ends here has no "." behind it
    violation(P) :- leader(P, T, R)
                                  ^`,
		"violation(P) :-\n  leader(P, T R).": `mine:2:15: no viable alternative at input 'T R'
      leader(P, T R).
                  ^`,
		"violation(Q) :-\n leader(P, T, R).": `mine:1:1: Q has no value in the head: no atom of the body mentions it
    violation(Q) :-
    ^`,
		"violation(P) :- leader(P, T, R), T < U.": `mine:1:34: U has no value: no atom of the rule mentions it
    violation(P) :- leader(P, T, R), T < U.
                                     ^`,
		"violation(P) :- process(P), !leader(P, T, _).": `mine:1:29: T has no value when its absence is asked for: only negated atoms mention it; write _ if any value is meant
    violation(P) :- process(P), !leader(P, T, _).
                                ^`,
		"violation(P) :- leader(P, T, R).\nviolation(P, T) :- leader(P, T, R).": `mine:2:1: violation has 2 columns here, and 1 column elsewhere
    violation(P, T) :- leader(P, T, R).
    ^`,
		"violation(P) :- leader(P, T, R), leader(P, T).": `mine:1:34: leader has 2 columns here, and 3 columns elsewhere
    violation(P) :- leader(P, T, R), leader(P, T).
                                     ^`,
		"violation(P) :- sent(P, Q, R).": `mine:1:17: sent has 3 columns here, and 5 columns elsewhere: sent(From, To, Kind, Text, Round); a relation of the system with this name is sent_
    violation(P) :- sent(P, Q, R).
                    ^`,
		"crashed(P, R) :- leader(P, _, R).": `mine:1:1: crashed is what the recording says of the environment; call this relation something else
    crashed(P, R) :- leader(P, _, R).
    ^`,
		"Decl leader(P, T, R).\nviolation(P) :- leadr(P, _, _).": `mine:2:17: there is no relation leadr (did you mean "leader"?): it has no Decl, and no rule derives it
    violation(P) :- leadr(P, _, _).
                    ^`,
		"violation(P) :- process(P), !odd(P).\nodd(P) :- process(P), !even(P).\neven(P) :- process(P), !odd(P).": `mine:2:23: odd depends here on the absence of even, which depends on odd
    odd(P) :- process(P), !even(P).
                          ^
mine:3:24: even depends here on the absence of odd, which depends on even
    even(P) :- process(P), !odd(P).
                           ^`,
		"violation(N) :- leader(P, _, R) |> do fn:group_by(R), let N = fn:count().": `mine:1:17: Mangle sometimes counts the values of _ in an aggregation and sometimes not: give it a name if different values count, or else leave it out by a rule of its own that derives the other columns
    violation(N) :- leader(P, _, R) |> do fn:group_by(R), let N = fn:count().
                    ^`,
		"violation(P, N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:count().": `mine:1:1: P has no value in the head: it is neither in the group nor an aggregate
    violation(P, N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:count().
    ^`,
		"violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:median(T).": `mine:1:55: there is no function fn:median of 1 argument that computes a value
    violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:median(T).
                                                          ^
mine:1:55: T has no value here: it is neither in the group nor an aggregate
    violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:median(T).
                                                          ^`,
		"violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:collect(T).": `mine:1:55: what fn:collect returns depends on the order of the rows, which is not fixed
    violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:collect(T).
                                                          ^`,
		"pre(P) :- process(P).": `mine: the rules of a property derive violation(..), or both pre(..) and post(..)`,
		"pre(P) :- process(P).\npost(P, Q) :- before(P, Q).": `mine:2:1: post has 2 columns and pre has 1 column: they must have the same, since post must hold for whatever pre holds for
    post(P, Q) :- before(P, Q).
    ^`,
		"pre(V) :- v(V, _).\npost(V) :- w(V, _).\nneeds(F, T, R) :- sent(F, T, _, _, R).": `mine:3:1: needs has 3 columns here, and needs 4: the 1 of post, then From, To and Round
    needs(F, T, R) :- sent(F, T, _, _, R).
    ^`,
		"violation(P) :- process(P).\nneeds_some(F, T, R) :- sent(F, T, _, _, R).": `mine:2:1: needs_some has 3 columns here, and needs 5: those of the outcome, then Group, N, From, To and Round
    needs_some(F, T, R) :- sent(F, T, _, _, R).
    ^`,
		"violation(P) :- process(P).\nneeds(F, T, R) :- sent(F, T, _, _, R).\nneeds_some(P, 1, 1, F, P, R) :- sent(F, P, _, _, R).": `mine:3:1: needs_some has 6 columns here, and needs 5: the 0 of needs's outcome, then Group, N, From, To and Round
    needs_some(P, 1, 1, F, P, R) :- sent(F, P, _, _, R).
    ^`,
		"violation(P) :- crash(P, R).": `mine:1:17: there is no relation crash here: that of a system with this name is crash_, and crashed(Process, Round) is a fault
    violation(P) :- crash(P, R).
                    ^`,
		"Package mine!\nviolation(P) :- process(P).": `mine:1:1: properties are in no package: leave Package out
    Package mine!
    ^`,
		"violation(P) :- process(P), !:lt(1, 2).": `mine:1:29: a comparison or built-in predicate cannot be negated: write its opposite, or negate a relation that a rule derives by it
    violation(P) :- process(P), !:lt(1, 2).
                                ^`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := property.Compile(New("mine", text))
			require.Error(t, err)
			require.Equal(t, want, err.Error())
		})
	}
}

func TestProgramSaysWhatItCannot(t *testing.T) {
	for text, want := range map[string]string{
		`violation(T) :- sent(_, _, _, T, _), :string:contains(T, "x").`: `rules:1:38: a Dedalus program cannot say this: it has no :string:contains`,
		`violation(/a).`: `it has only integers and strings, and not /a`,
		`violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:count().`: `rules:1:55: a Dedalus program cannot say this: it counts the different values of one variable, and the rows here differ in P, T; derive a relation of what is counted first`,
		`violation(N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:sum(T).`:  `it adds up different values of T, and the rows here also differ in P; derive a relation of what is added first`,
	} {
		compiled, err := compile("rules", text)
		if err == nil {
			err = compiled.NoProgram
		}
		require.ErrorContains(t, err, want)
	}
}

// What no Dedalus program says, Mangle evaluates.
func TestRulesOnlyForMangle(t *testing.T) {
	e := oracle.Recorded(t, "leader a 1 @1", "leader b 1 @1", "leader b 2 @1", "leader c 2 @3", "word a hello @2", "word a world @2")
	found := query(t, e, `
		votes(R, N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:count().
		total(R, N) :- leader(P, T, R) |> do fn:group_by(R), let N = fn:sum(T).
		double(X, Y) :- votes(R, N), X = R, Y = fn:mult(N, 2).
		l(W, V) :- word(_, W, _), :string:contains(W, "llo"), V = fn:string:concat(W, "!").
		none(P) :- process(P), !leader(P, _, 3), !word(P, _, _)`)
	require.Equal(t, `double(1, 6)
double(3, 2)
l("hello", "hello!")
none(b)
total(1, 4)
total(3, 2)
votes(1, 3)
votes(3, 1)
`, show(found))
}

func TestRecordingsThatDoNotFitTheRules(t *testing.T) {
	_, err := New("mine", "violation(P) :- leader(P, T).").Check(oracle.Recorded(t, "leader a 1 @2"))
	require.EqualError(t, err, `mine: the rules read leader with 2 columns, and leader("a", 1)@2 has 3, with the round as the last`)
	leaders := table(t, oracle.Recorded(t, "leader a 1 @2"))
	_, err = datalog.Query(t.Context(), leaders, "x(P) :- leader(P, T).")
	require.EqualError(t, err, `rules: the rules read leader with 2 columns, and leader("a", 1, 2) has 3, with the round as the last`)
	_, err = New("mine", "violation(P) :- leader(P).\nleader(P) :- process(P).").Check(oracle.Recorded(t, "leader a 1 @2"))
	require.EqualError(t, err, `mine: the rules derive leader, and the recording has facts of it, as in leader("a", 1)@2: call the derived relation something else`)
	_, err = datalog.Query(t.Context(), leaders, "leader(P) :- process(P)")
	require.EqualError(t, err, `rules: the rules derive leader, and the recording has facts of it, as in leader("a", 1, 2): call the derived relation something else`)
	_, err = datalog.Query(t.Context(), table(t, oracle.Recorded(t)), "n(X) :- eot(X). n(Y) :- n(X), Y = fn:plus(X, 1).")
	require.ErrorContains(t, err, "rules:1:17")
	_, err = property.Compile(property.Property{Name: "empty"})
	require.EqualError(t, err, `property "empty": it needs either rules or a function`)
}

func TestRelationsAreCalledDifferentlyInRules(t *testing.T) {
	e := oracle.Recorded(t, "crashed a @2", "Log b 1 @3", "do? c @4", "crash c @4")
	require.Equal(t, "w(c)\nx(a)\ny(b, 1)\nz(c)\n", both(t, e, `
		x(P) :- crashed_(P, _), !crashed(P, _).
		y(P, V) :- log(P, V, _).
		z(P) :- do_(P, _).
		w(P) :- crash_(P, _).`))
}
