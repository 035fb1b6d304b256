package guide

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Each guide of the file is refused, with every mistake in its place.
func TestMistakesAreRefusedInTheirPlace(t *testing.T) {
	var out bytes.Buffer
	for _, text := range []string{
		"",
		strings.Repeat("crash(\"a\", 3).\n", 1002),
		`crash("a", R) :- ` + strings.Repeat("round(R), ", 60) + "round(R).",
		strings.Repeat(" ", 64<<10+1),
		`dorp(M) :- message(M, _, _, _, _, _).`,
		`drop(M, R) :- message(M, _, _, _, _, R).`,
		`drop(M) :- message(M, _, _, _, R).`,
		`drop(R) :- message(_, _, _, _, _, R).`,
		`drop(3).`,
		`drop(M) :- goto(_, M).`,
		`drop(M) :- message(M, _, _, 7, _, _), message(_, _, _, _, _, "x").`,
		`drop(M) :- message(M, K, _, K, _, R), message(_, _, _, K, _, _), leader(_, R, K).`,
		`drop(M) :- message(M, _, _, _, _, _), X > 3.`,
		`drop(M) :- message(M, _, _, _, T, _), fn:string:concat(T, "x") = "ax".`,
		`drop(M) :- h(M). h(M) :- message(M, _, _, _, _, _), !h(_).`,
		`message(M, A, B, C, D, E) :- message(M, A, B, C, D, E).`,
		`drop(M) :- message(M, _, _, _, _, _)`,
		`crash(P, R) :- leader(P, _, R).`,
		`crash(P, R) :- led(P, R). led(P, S) :- leader(P, _, R), S = fn:minus(R, 1).`,
		`crash(P, 3) :- leader(P, _, 7).`,
		`crash(P, R) :- leader(P, _, S), S >= R, round(R).`,
		`drop(M) :- message(M, P, _, _, _, R), !crashed(P, R).`,
		`drop(M) :- message(M, _, _, _, _, R), in("start", R). goto("start", "x") :- round(_).`,
		`hold(M) :- message(M, _, _, _, _, R), !drop(M).`,
		`waypoint(1, R) :- leader(_, _, S), S > R, round(R).`,
		`waypoint(2, R) :- leader(_, _, R). waypoint(0, R) :- leader(_, _, R).`,
		`goto("strat", "x") :- round(_). goto("start", X) :- leader(X, _, _). good("x").`,
		`goto("start", "led") :- !leader(_, _, _). good("ledd"). bad("led") :- round(_).`,
		`goto("start", "led") :- leader(_, _, _). drop(M) :- message(M, _, _, _, _, _), in("lead", _).`,
		`tick("a", 0, 3). crash("a", "b"). lie(M, 3) :- message(M, _, _, _, _, _).`,
		`hodl(M) :- mesage(M, _, _, _, _, _). drop(M) :- mesage(M, _, _, _, _, _).`,
		"drop(M) :- message(M, _, _, \"a\", _, R), R > 9. # may-never\ndeliver(M) :- message(M, _, _, _, _, _). # First\n\tdrop(M) :- message(M, _, _, \"b\", _, _). #firts, may never\n",
		"# may never\ndrop(M) :- message(M, _, _, _, _, _). # lost, first\nrestart(\"a\", 7). # first\nlie(M, \"x\") :- message(M, _, _, _, _, _).",
		`waypoint(1, R) :- leader(_, _, R). waypoint(9223372036854775807, R) :- leader(_, _, R).`,
		`waypoint(N, R) :- leader(_, N, R).`,
		`goto("start", "led") :- leader(_, _, _). good("led"). bad("led").`,
		`tick("a", 1000001, 3).`,
		`crash("a", 99999999999999999999).`,
		`drop(M) :- message(M, _, _, _, T, _), :string:contain(T, "x").`,
		`drop(M) :- message(M, _, _, _, _, R), R = fn:pluss(R, 1).`,
		"crash(\"a\x1b[31m\u202e\", \"::error::x\").",
	} {
		_, err := Parse("votes.mg", text)
		require.Error(t, err, text)
		fmt.Fprintf(&out, "%s\n\n", strings.TrimSpace(err.Error()))
		require.NotContains(t, err.Error(), "\x1b")
	}
	golden.Equal(t, "errors.txt", out.Bytes())
}

// Editors of Windows begin files with a mark, and end lines with two characters.
func TestGuidesOfWindows(t *testing.T) {
	g, err := Parse("x.mg", "\ufeff# Votes get lost.\r\ndrop(M) :- message(M, _, _, \"vote\", _, _).\r\n")
	require.NoError(t, err)
	require.Equal(t, specs.Position{File: "x.mg", Line: 2, Column: 1}, g.Rules()[0].Position)
	_, err = Parse("x.mg", "\ufeffdropp(M) :- message(M, _, _, \"vote\", _, _).\r\n")
	require.ErrorContains(t, err, "x.mg:1:1: dropp decides nothing")
}

// A guide is read or refused, whatever is in it, and what is read can be evaluated.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		twenty, `drop(M) :- message(M, _, _, _, _, _). # first`, `goto("start", "x") :- round(_). # may never`, `crash("a", 3).`, `# first`, "drop(`#`).", `p("\"#") :- "`,
		`waypoint(999999999999, 1).`, `crash(P, R) :- crash(P, S), R = fn:plus(S, 9223372036854775807).`, `drop(M) :- message(M, _, _, K, K, _), K = fn:mult(2, 3).`,
		`tick(P, N, R) :- process(P), round(R) |> do fn:group_by(P), let R = fn:max(R), let N = fn:count().`, `in(S, R) :- in(S, R).`, `release(M, R) :- hold(M), round(R).`,
		`ask("a", fn:plus(1, 2), 3).`, `part(P, P, R) :- round(R), process(P).`, `h(R) :- h(S), R = fn:plus(S, 1). h(1). pause("a", R) :- h(R).`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return
		}
		g, err := Parse("fuzz.mg", text)
		if err != nil {
			require.NotContains(t, err.Error(), "\x1b")
			return
		}
		r, err := g.NewRun(boundsOf(4), nil)
		if err != nil {
			return // such as a recursion without an end
		}
		before := Past{}
		sends, past := executionOf(3, 4)
		for i := range sends {
			if _, err := r.Decide(t.Context(), before, sends[i]); err != nil {
				return
			}
			before = past[i]
		}
		if o, err := r.End(t.Context(), before); err == nil {
			tally := g.NewTally()
			tally.Add(o)
			_, _ = tally.nearest(), tally.Vacuous()
		}
	})
}

// What a guide says twice, or in a rule that takes too much work, is told at the rule.
func TestWhatShowsWhileAGuideIsEvaluated(t *testing.T) {
	defer func(facts, steps int) { maxFacts, maxSteps = facts, steps }(maxFacts, maxSteps)
	maxFacts, maxSteps = 10_000, 1_000_000
	digits := strings.ReplaceAll("d(0). d(1). d(2). d(3). d(4). d(5). d(6). d(7). d(8). d(9).\n", " ", "\n")
	for text, wrong := range map[string]string{
		"n(1).\nn(M) :- n(N), M = fn:plus(N, 1).\ncrash(\"a\", R) :- n(R).":                                                                                   "x.mg:2:1: round 1: the rule for n still makes new facts in one round after 10001 steps, perhaps without end; bound the values that it makes\n    n(M) :- n(N), M = fn:plus(N, 1).\n    ^",
		digits + "c(A, B, C, D, E, F, G) :- d(A), d(B), d(C), d(D), d(E), d(F), d(G).\ncrash(\"a\", R) :- c(R, _, _, _, _, _, _).":                            "x.mg:11:1: round 1: there are more than 10000 facts, the most that a guide may have, when c is derived: bound what its rules derive\n    c(A, B, C, D, E, F, G) :- d(A), d(B), d(C), d(D), d(E), d(F), d(G).\n    ^",
		digits + "crash(\"a\", N) :- d(A), d(B), d(C), d(D), d(E), d(F), d(G), d(H), d(I), d(J), fn:plus(A, J) > 30 |> do fn:group_by(), let N = fn:count().": "x.mg:11:1: round 1: the rule for crash is evaluated when all rules have taken 1000000 steps, the most that they may: let its body have fewer relations that do not share a variable\n    crash(\"a\", N) :- d(A)",
	} {
		g, err := Parse("x.mg", text)
		require.NoError(t, err)
		r, err := g.NewRun(boundsOf(4), nil)
		require.NoError(t, err)
		_, err = r.Decide(t.Context(), Past{}, nil)
		require.ErrorContains(t, err, wrong)
	}
	g, err := Parse("x.mg", "crash(\"a\", 3).\ncrash(  \"a\",3 ).")
	require.NoError(t, err)
	require.Equal(t, "x.mg:2:1: warning: this rule stands in line 1 already\n    crash(  \"a\",3 ).\n    ^", g.NewTally().Vacuous()[1].String())
}
