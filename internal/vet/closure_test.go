package vet_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

func find(t *testing.T, p *dedalus.Program, draws int) *vet.Unclosed {
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	found, err := vet.FindUnclosed(context.Background(), p, b.Normal(), vet.ClosureLimits{}, draws)
	require.NoError(t, err)
	return found
}

func parse(t *testing.T, text string) *dedalus.Program {
	p, err := dedalus.ParseText("p.ded", text)
	require.NoError(t, err, "%s", text)
	return p
}

// A program that takes what arrives when it arrives: a late order undoes what came
// after it, which no loss does.
const last = `// ldfi: processes=a,b eot=6 eff=6 omissions=2
order("a", "up")@1;
order("a", "down")@2;
set("b", V)@async :- order("a", V);
value("b", V)@next :- set("b", V);
value(P, V)@next :- value(P, V), notin set(P, _);
violation(P) :- value(P, "up"), value(P, "down");
`

func TestLateOrder(t *testing.T) {
	found := find(t, parse(t, last), 100)
	require.NotNil(t, found.Schedule)
	require.Equal(t, "delay a>b@1+1", found.Schedule.String())
	require.Equal(t, "b", found.Differs)
	require.Equal(t, `violation("b")@4 holds`, found.Broken)
	require.Equal(t, `{} {value("b", "down"), value("b", "up")}`, found.Histories["b"])
}

// A program that asks for the round of what arrives: what is late is lost.
func TestClosed(t *testing.T) {
	p, err := dedalus.Parse(filepath.Join("..", "..", "testdata", "protocols", "rounds", "last_voting.ded"))
	require.NoError(t, err)
	found := find(t, p, 200)
	require.Nil(t, found.Schedule)
	require.Equal(t, found.Tried, found.Lost)
	require.Greater(t, found.Tried, 200)
}

// Retries that say the same each time are closed although they ask for no round: what
// is late could as well have been sent later.
func TestRetries(t *testing.T) {
	found := find(t, parse(t, `// ldfi: processes=a,b eot=5 eff=5 omissions=2
news("a", "x")@1;
news(P, V)@next :- news(P, V);
told("b", V)@async :- news("a", V);
knows(P, V) :- told(P, V);
knows(P, V)@next :- knows(P, V);
violation(P) :- knows(P, "y");
`), 100)
	require.Nil(t, found.Schedule)
	require.NotZero(t, found.Tried)
}

// Where the rules show that rounds are closed, every delayed execution looks like the one
// in lock-step rounds in which what is late is lost, and breaks the promise if that one
// does. Find takes this one only if it does look the same.
func TestShownIsClosed(t *testing.T) {
	shown, broken, programs := 0, 0, campaign.Programs(300)
	for seed := range uint64(programs) {
		text := random(rand.New(rand.NewPCG(seed, 7)))
		p := parse(t, text)
		checked(t, p, text, &shown, &broken)
	}
	t.Logf("%d shown, %d broken by a delay", shown, broken)
	require.Greater(t, shown, programs/4)
	require.Greater(t, broken, programs/4)
}

// So it is of programs of any kind.
func TestRandomPrograms(t *testing.T) {
	shown, broken := 0, 0
	for seed := range uint64(campaign.Programs(300)) {
		c := generate.Random(seed)
		checked(t, c.Program, c.Text, &shown, &broken)
	}
	t.Logf("%d shown, %d broken by a delay", shown, broken)
}

func checked(t *testing.T, p *dedalus.Program, text string, shown, broken *int) {
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err, "%s", text)
	reach, err := vet.Reach(context.Background(), p, b.Normal())
	require.NoError(t, err, "%s", text)
	found, err := vet.FindUnclosed(context.Background(), p, b.Normal(), vet.ClosureLimits{MaxFacts: 20_000, MaxGates: 200_000}, 15)
	if !reach.Shown {
		if err == nil && found.Schedule != nil {
			*broken++
		}
		return
	}
	require.NoError(t, err, "%s", text)
	*shown++
	require.Nil(t, found.Schedule, "%v is shown to be closed:\n%s", found.Schedule, text)
	require.Equal(t, found.Tried, found.Lost, "%s", text)
	require.Equal(t, found.Tried, found.Agree, "%s", text)
}

// random returns a program in rounds, in which some rules may ask for no round.
func random(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("// ldfi: processes=a,b,c eot=6 eff=6 omissions=%d%s", 1+r.IntN(3), pick("", " crashes=1", " crashes=1 crash=stop"))
	for i, name := range []string{"a", "b", "c"} {
		line(`clock(%q, 1)@1; has(%q, %d)@1; node(%q)@1;`, name, name, 1+r.IntN(3)+i, name)
	}
	line("clock(P, R + 1)@next :- clock(P, R);")
	if r.IntN(4) == 0 {
		line("%s", pick("choose one coin(each, 1 | 2)@2;", "choose maybe coin(any, 5)@any;", "choose some coin(each, 7)@3..4;"))
		line("has(P, V)@next :- coin(P, V);")
	}
	kinds := 1 + r.IntN(3)
	for k := range kinds {
		tag := pick("R", "R", "R", "R % 2", "R + 1")
		from := pick("clock(P, R), has(P, V)", "has(P, V), clock(P, R)")
		when := pick("", "", fmt.Sprintf(", R == %d", 1+r.IntN(3)), fmt.Sprintf(", R %% 2 == %d", r.IntN(2)))
		to := pick("", "", `, Q == "a"`, ", V > 2")
		line("m%d(Q, P, V, %s)@async :- %s, node(Q)@1%s%s;", k, tag, from, when, to)
		guard := pick(", clock(P, R + 1)", ", clock(P, R + 1)", ", clock(P, S), R == S - 1", ", clock(P, S), S > R", "", ", clock(P, R)")
		if tag == "R + 1" {
			guard = pick(", clock(P, R)", guard)
		}
		switch r.IntN(5) {
		case 0:
			line("c%d(P, R, count<Q>) :- m%d(P, Q, V, R);", k, k)
			line("n%d(P, N)@next :- c%d(P, R, N)%s;", k, k, guard)
		case 1:
			line("n%d(P, V)@next :- m%d(P, Q, V, R)%s;", k, k, guard)
		case 2:
			line("b%d(P, R, max<V>) :- m%d(P, Q, V, R)%s;", k, k, guard)
			line("n%d(P, V)@next :- b%d(P, R, V);", k, k)
		case 3:
			line("m%d(P, Q, V, R)@next :- m%d(P, Q, V, R);", k, k)
			line("n%d(P, V)@next :- m%d(P, Q, V, R)%s;", k, k, guard)
		default:
			line("n%d(P, 0)@next :- clock(P, S), notin m%d(P, _, _, %s);", k, k, pick("S - 1", "S - 1", "_", "S"))
		}
		if r.IntN(2) == 0 {
			line("n%d(P, V)@next :- n%d(P, V);", k, k)
		}
		if r.IntN(3) == 0 {
			line("has(P, V)@next :- n%d(P, V);", k)
		}
	}
	line("has(P, V)@next :- has(P, V)%s;", pick("", ", notin n0(P, _)"))
	line("%s", pick(
		"violation(P, V, Q, W) :- n0(P, V), n0(Q, W), V < W;",
		"violation(P, V) :- n0(P, V), V > 2;",
		"pre(P, V) :- n0(P, V), notin crash(P, P, _); post(P, V) :- has(P, V);",
		"pre(P, V) :- n0(Q, V), node(P)@1; post(P, V) :- n0(P, V);",
	))
	return b.String()
}
