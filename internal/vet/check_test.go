package vet_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// closed meets every condition: in round 1 a asks, in round 2 all answer a, and in
// round 3 a tells them what it has decided. Each message tells its round.
const closed = `clock("a", 1)@1;
clock("b", 1)@1;
clock("c", 1)@1;
clock(P, R + 1)@next :- clock(P, R);
leader("a")@1;
ask(P, L, R)@async :- clock(L, R), leader(L)@1, R == 1;
answer(L, P, R)@async :- ask(P, L, S), clock(P, R), S == 1, R == 2, leader(L)@1;
answers(L, R, count<P>) :- answer(L, P, R);
decide(P, "go", R)@async :- answers(L, R - 1, N), clock(L, R), R == 3, N > 1, leader(L)@1;
decided(P, V) :- decide(P, V, R), clock(P, R + 1);
decided(P, V)@next :- decided(P, V);
violation(P, V, Q, W) :- decided(P, V), decided(Q, W), V < W;
`

// The conditions, by what they are called here.
var names = map[string]string{
	"counted": "the round of a process only grows",
	"(1)":     "(1) phase and round only grow",
	"alone":   "processes share nothing but messages",
	"tagged":  "each message tells its round",
	"used":    "a message is used only in its round",
	"leader":  "each round is one to all or all to one",
	"local":   "it is about local histories",
	"stutter": "it is insensitive to stuttering",
	"late":    "the bounds can lose any late message",
	"(2)":     "(2) what is sent carries the phase and round of its sender",
	"(3)":     "(3) no rule takes messages of earlier rounds",
	"(4)":     "(4) what is read of messages is of the current round",
}

// Each case is the program that meets all conditions with something else in place of a
// part of it; which conditions are then not met, and where the first of these is not.
var cases = []struct {
	name, part, instead string
	bounds              string
	no, unknown         string // which conditions
	where               string // line:column of the first that is needed; "": none has a place
}{
	{name: "all are met"},
	{name: "isolations stand for late messages in a program with a leader", bounds: "isolations=2"},
	{
		name: "a rule reads facts of another process",
		part: `decided(P, V)@next :- decided(P, V);`, instead: `decided(P, V)@next :- clock(P, _), decided(Q, V);`,
		no: "alone local stutter", where: "11:36",
	},
	{
		name: "a rule writes facts of another process",
		part: `decided(P, V)@next :- decided(P, V);`, instead: `decided(P, V)@next :- decided(P, V); decided(Q, V) :- decided(P, V), clock(Q, _);`,
		no: "alone local stutter", where: "11:38",
	},
	{
		name: "a rule reads who crashes",
		part: `answers(L, R, count<P>) :- answer(L, P, R);`, instead: `answers(L, R, count<P>) :- answer(L, P, R), notin crash(L, P, _);`,
		no: "alone", where: "8:51",
	},
	{
		name: "a rule reads what a process has in a later round",
		part: `N > 1, leader(L)@1;`, instead: `N > 1, leader(L)@1, notin decided(L, "no")@5;`,
		no: "alone", where: "9:98",
	},
	{
		name: "a message is sent in every round, and does not say in which",
		part: `decided(P, V)@next :- decided(P, V);`, instead: `decided(P, V)@next :- decided(P, V); hello(Q, P)@async :- clock(P, _), clock(Q, _); greeted(P) :- hello(P, _), clock(P, 2); decided(P, "go") :- greeted(P);`,
		no: "tagged used leader (2) (4)", where: "11:38",
	},
	{
		name: "a message is used whenever it comes",
		part: `decided(P, V) :- decide(P, V, R), clock(P, R + 1);`, instead: `decided(P, V) :- decide(P, V, R);`,
		no: "used (3) (4)", where: "10:18",
	},
	{
		name: "an early message is used",
		part: `decided(P, V) :- decide(P, V, R), clock(P, R + 1);`, instead: `decided(P, V) :- decide(P, V, R), clock(P, S), S <= R + 1;`,
		unknown: "used (4)", where: "10:18",
	},
	{
		name: "a late message is used",
		part: `decided(P, V) :- decide(P, V, R), clock(P, R + 1);`, instead: `decided(P, V) :- decide(P, V, R), clock(P, S), S > R;`,
		unknown: "used (3) (4)", where: "10:18",
	},
	{
		name: "what a rule makes of a message is used whenever it comes",
		part: `R - 1, N), clock(L, R), R == 3`, instead: `_, N), clock(L, R)`,
		unknown: "used (3) (4)", where: "9:29",
	},
	{
		name: "the absence of a message counts, whenever it comes",
		part: `decided(P, V)@next :- decided(P, V);`, instead: `decided(P, V)@next :- decided(P, V); decided(P, "no")@next :- clock(P, 5), notin decide(P, _, _);`,
		no: "used (3) (4)", where: "11:82",
	},
	{
		name: "all send to all", bounds: "isolations=2",
		part: `ask(P, L, S), clock(P, R), S == 1, R == 2, leader(L)@1;`, instead: `ask(P, _, S), clock(P, R), S == 1, R == 2, clock(L, _);`,
		no: "leader late", where: "7:1",
	},
	{
		name: "a promise about several processes at the same time",
		part: `decided(P, V)@next :- decided(P, V);`, instead: `decided(P, V)@next :- decided(P, V), V != "gone";`,
		no: "local", where: "12:26",
	},
	{
		name: "a promise about what several processes do not have",
		part: `decided(Q, W), V < W;`, instead: `clock(Q, _), V < "z", W == 1, clock(Q, W), notin decided(Q, V);`,
		no: "local stutter", where: "12:90",
	},
	{
		name: "a promise about what several processes have in the end",
		part: `violation(P, V, Q, W) :- decided(P, V), decided(Q, W), V < W;`, instead: `pre(P, Q, V) :- decided(P, V), leader(Q)@1; post(P, Q, V) :- decided(P, V), decided(Q, V);`,
	},
	{
		name: "a promise about a message",
		part: `violation(P, V, Q, W) :-`, instead: `violation(P, V, P, V) :- decide(P, V, R), clock(P, R + 1), V == "no"; violation(P, V, Q, W) :-`,
		no: "local stutter", where: "12:26",
	},
	{
		name: "a promise that reads the time",
		part: `violation(P, V, Q, W) :-`, instead: `violation(P, "none", P, "none") :- clock(P, 6), notin decided(P, _), leader(P)@1; violation(P, V, Q, W) :-`,
		no: "local stutter", where: "12:55",
	},
	{
		name: "a promise that reads a round",
		part: `decided(Q, W), V < W;`, instead: `decided(Q, W)@4, V < W;`,
		no: "stutter", where: "12:41",
	},
	{
		name: "a promise that reads when a process crashed",
		part: `decided(Q, W), V < W;`, instead: `decided(Q, W), V < W, crash(Q, Q, T), T < 3;`,
		no: "stutter", where: "12:63",
	},
	{
		name: "a promise that reads whether a process crashed",
		part: `decided(Q, W), V < W;`, instead: `decided(Q, W), V < W, notin crash(Q, Q, _);`,
	},
	{
		name: "a promise that keeps what several processes had at the same time",
		part: `violation(P, V, Q, W) :-`, instead: `both(P, Q)@next :- decided(P, V), decided(Q, V); violation(P, V, Q, W) :- both(P, Q),`,
		no: "alone local", where: "12:35",
	},
	{
		name: "what the environment picks stays no longer than its round",
		part: `violation(P, V, Q, W) :- decided(P, V), decided(Q, W), V < W;`, instead: `choose maybe coin(any, "x")@any; violation(P, V, Q, W) :- coin(P, V), decided(Q, W), V < W;`,
		no: "local", where: "12:59",
	},
	{
		name: "what the environment picks is no time",
		part: `ask(P, L, R)@async :- clock(L, R), leader(L)@1, R == 1;`, instead: `choose maybe coin(any, 1)@any; ask(P, L, R)@async :- coin(L, R), leader(L)@1;`,
		unknown: "tagged used (2) (4)", where: "6:32",
	},
	{
		name: "a rule reads the clock of another process",
		part: `decided(P, V)@next :- decided(P, V);`, instead: `decided(P, V)@next :- decided(P, V); late(P, Q)@next :- clock(P, R), clock(Q, S), S < R; decided(P, "late")@next :- late(P, _);`,
		bounds: "omissions=2 eff=6 crashes=1 crash=stop", no: "alone", where: "11:70",
	},
	{
		name: "processes have something at different times, without messages",
		part: `violation(P, V, Q, W) :-`, instead: `early(P, Q) :- clock(P, 2), clock(Q, 3); violation(P, "early", Q, "late") :- early(P, Q); violation(P, V, Q, W) :-`,
		no: "stutter", where: "12:16",
	},
	{name: "processes come back", bounds: "omissions=2 eff=6 crashes=1 crash=stop restarts=1", unknown: "counted (1)"},
	{name: "a process joins later", bounds: "omissions=2 eff=6 join=b@3", unknown: "counted (1)"},
	{name: "no message is lost", bounds: "crashes=1", no: "late"},
	{name: "isolations last", bounds: "isolations=1 period=2", no: "late"},
}

func TestConditions(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, closed, c.part)
			met, conditions := conditionsOf(t, strings.Replace(closed, c.part, c.instead, 1), c.bounds)
			for _, name := range strings.Fields("alone counted tagged used (1) (2) (3) (4) local stutter late leader") {
				want := result.MetYes
				switch {
				case has(c.no, name):
					want = result.MetNo
				case has(c.unknown, name):
					want = result.MetUnknown
				}
				if name == "leader" && want == result.MetYes && c.bounds == "" {
					continue
				}
				found := met[names[name]]
				require.Equal(t, want, found.Met, "%s: %s", name, found.Where())
			}
			reach := vet.ReachOf(conditions)
			require.Equal(t, strings.TrimSpace(c.no+c.unknown) == "", reach.Shown, reach.Text)
			if c.where != "" {
				require.Contains(t, reach.Text, "(p.ded:"+c.where+")")
			}
		})
	}
}

func has(list, name string) bool {
	for _, s := range strings.Fields(list) {
		if s == name {
			return true
		}
	}
	return false
}

// conditionsOf returns what is found of a program, by the names of the conditions.
func conditionsOf(t *testing.T, text, settings string) (map[string]result.Condition, []result.Condition) {
	if settings == "" {
		settings = "omissions=2 eff=6"
	}
	p, err := dedalus.ParseText("p.ded", text+"// ldfi: processes=a,b,c eot=6 "+settings)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	conditions, err := vet.Conditions(context.Background(), p, b.Normal())
	require.NoError(t, err)
	met := map[string]result.Condition{}
	for _, c := range conditions {
		met[c.Name] = c
	}
	return met, conditions
}

// That facts of crashed processes count is said once of rules that never look at crashes: not
// where there are none, where a rule looks, or where the program says that it is meant.
func TestCrashesThatNobodyLooksAt(t *testing.T) {
	const rule = `value("a", 1)@1; value("b", 2)@1; violation(P, V) :- value(P, V), V > 1`
	for text, said := range map[string]int{
		rule + ";":                               1,
		rule + ", notin crash(_, P, _);":         0,
		"// ldfi: crashed=counts\n" + rule + ";": 0,
	} {
		p, err := dedalus.ParseText("crashes.ded", text)
		require.NoError(t, err)
		require.Len(t, vet.Crashes(p, true), said, text)
		require.Empty(t, vet.Crashes(p, false), text)
	}
}
