package lockstep_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUndefined(t *testing.T) {
	for _, c := range []struct{ tells, program, schedule, want string }{
		{"a fact that depends on its own absence",
			`p("a")@2; out(P) :- p(P), notin out(P);`, "",
			`out("a")@2 depends on its own absence without faults: out("a")@2 <- out("a")@2`},
		{"two facts that exclude each other",
			`p("b")@1; x(P) :- p(P), notin y(P); y(P) :- p(P), notin x(P);`, "",
			`x("b")@1 depends on its own absence without faults: x("b")@1 <- y("b")@1 <- x("b")@1`},
		{"a cycle of three, behind a fact that only depends on it",
			`p("b")@1; a(P) :- p(P), notin x(P); x(P) :- p(P), notin y(P); y(P) :- z(P); z(P) :- p(P), x(P);`, "",
			`x("b")@1 depends on its own absence without faults: x("b")@1 <- y("b")@1 <- z("b")@1 <- x("b")@1`},
		{"a cycle at some keys only",
			`move("a", "b")@1; move("b", "c")@1; move("b", "a")@1; move("c", "b")@1; move("c", "a")@1; win(P) :- move(P, Q), notin win(Q);`, "",
			`win("a")@1 depends on its own absence without faults: win("a")@1 <- win("b")@1 <- win("a")@1`},
		{"a cycle that a fault brings about",
			`p("a")@1; ok(Q)@async :- p(Q2), p(Q2); r("b")@2; out(P) :- r(P), notin ok(P), notin out(P);`, "omit a>b@1",
			`out("b")@2 depends on its own absence under omit a>b@1: out("b")@2 <- out("b")@2`},
		{"an aggregate that changes what it counts",
			`p("a", 1)@1; q(P, X) :- p(P, X); q(P, X + 1) :- n(P, X), X < 2; n(P, count<X>) :- q(P, X);`, "",
			`n("a", 1)@1 depends on its own absence without faults: n("a", 1)@1 <- q("a", 2)@1 <- n("a", 1)@1`},
		{"a cycle through a later round",
			`p("a")@1; p(P)@next :- p(P); x(P) :- p(P)@1, notin x(P)@3;`, "",
			`x("a")@3 depends on its own absence without faults: x("a")@3 <- x("a")@3`},
	} {
		t.Run(c.tells, func(t *testing.T) {
			_, _, err := execute(t, c.program, c.schedule, lockstep.Options{})
			var undefined *limits.UndefinedError
			require.ErrorAs(t, err, &undefined)
			require.Equal(t, c.want, undefined.Error())
		})
	}
}

func TestOnlyWhatIsAskedForIsComputed(t *testing.T) {
	program := `p("a")@1; out(P) :- p(P), notin other(P); other(P) :- p(P), notin other(P); right(P) :- p(P); wrong(P) :- right(P);`
	_, _, err := execute(t, program, "", lockstep.Options{Only: []string{"right"}})
	require.NoError(t, err)
	_, e, err := execute(t, program, "", lockstep.Options{Only: []string{"wrong"}})
	require.NoError(t, err)
	require.Len(t, e.Facts, 3)
	_, _, err = execute(t, program, "", lockstep.Options{Only: []string{"out"}})
	require.Error(t, err)
}

func TestRunaway(t *testing.T) {
	for _, program := range []string{
		`n("a", 1)@1; n(P, X + 1) :- n(P, X);`,
		`n("a", 1)@1; m(P, X) :- n(P, X); n(P, X + 1) :- m(P, X);`,
		`n("a", 1)@1; n(P, X + 1) :- n(P, X), notin stop(P); stop(P) :- n(P, X), X < 0;`,
		`n("a", 1)@1; n("a", 2)@1; n(P, count<X>) :- n(P, X); n(P, X + 1) :- n(P, X);`,
	} {
		_, _, err := execute(t, program, "", lockstep.Options{MaxFacts: 100_000})
		var runaway *limits.RunawayError
		require.ErrorAs(t, err, &runaway, program)
		require.Equal(t, "n", runaway.Relation)
		require.ErrorContains(t, err, "story.ded:1:")
	}
}

func TestOfSystems(t *testing.T) {
	p, err := dedalus.ParseText("p.ded", `q("a")@1;`)
	require.NoError(t, err)
	m, err := lockstep.Compile(p, rounds.Bounds{Processes: []string{"a", "b"}, EOT: 2}, lockstep.Options{})
	require.NoError(t, err)
	oracle.RefusesOfSystems(t, func(s rounds.Schedule) error {
		_, err := m.Execute(t.Context(), s)
		return err
	})
}

func TestLimits(t *testing.T) {
	for _, c := range []struct{ tells, program, want string }{
		{"too many facts",
			`n("a", 1)@1; n(P, X + 1) :- n(P, X), X < 5000;`, "stopped in round 1 with 1001 facts at relation n"},
		{"joins that give nothing new",
			`n("a", 1)@1; n(P, X + 1) :- n(P, X), X < 100; m("a") :- n("a", X), n("a", Y), n("a", Z);`,
			"stopped in round 1 with 3001 rule firings at relation m"},
		{"sums that feed each other",
			`n("a", 1)@1; n("a", 2)@1; n("a", 4)@1; n("a", sum<X>) :- n("a", X); n("a", avg<X>) :- n("a", X);`,
			"stopped in round 1 with"},
		{"counts that feed each other",
			`n("a", 1)@1; n("a", X + 1) :- m("a", X); m("a", count<X>) :- n("a", X); n("a", sum<X>) :- m("a", X); m("a", max<X>) :- n("a", X);`,
			""},
	} {
		t.Run(c.tells, func(t *testing.T) {
			_, _, err := execute(t, c.program, "", lockstep.Options{MaxFacts: 1000})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestCancelled(t *testing.T) {
	p, err := dedalus.ParseText("long.ded", `n("a", 1)@1; n(P, X + 1) :- n(P, X), X < 9000;
		m("a") :- n("a", X), n("a", Y), n("a", Z), X + Y == Z * 3 + 1, X != Y;`)
	require.NoError(t, err)
	m, err := lockstep.Compile(p, rounds.Bounds{Processes: []string{"a"}, EOT: 2}, lockstep.Options{})
	require.NoError(t, err)
	ctx := &counting{Context: context.Background(), left: 20}
	_, err = m.Run(ctx, rounds.Schedule{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = m.Execute(ctx, rounds.Schedule{})
	require.ErrorIs(t, err, context.Canceled)
}

// counting is a context that ends when it has been looked at a few times.
type counting struct {
	context.Context
	left int
}

func (c *counting) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestMachine(t *testing.T) {
	m, _, err := execute(t, `p("a", 1)@1; p("a", 4000000000)@1; out(Q, X * 2)@async :- p(P, X); div("a", X / 0) :- p(_, X);
		log(P, X)@next :- p(P, X);`, "", lockstep.Options{})
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule("omit a>b@1")
	require.NoError(t, err)
	big, small := specs.Int(8_000_000_000), specs.Int(2)
	clone := m.Clone()
	for range 2 {
		for _, m := range []*lockstep.Machine{m, clone} {
			run, err := m.Run(context.Background(), schedule)
			require.NoError(t, err)
			require.Equal(t, [][]specs.Value{
				{specs.String("a"), small}, {specs.String("a"), big}, {specs.String("c"), small}, {specs.String("c"), big},
			}, run.Facts("out", 2))
			require.Empty(t, run.Facts("out", 1))
			require.Empty(t, run.Facts("out", 9))
			require.Empty(t, run.Facts("nothing", 1))
			require.True(t, run.Has("out", []specs.Value{specs.String("c"), big}, 2))
			require.False(t, run.Has("out", []specs.Value{specs.String("b"), big}, 2))
			require.False(t, run.Has("out", []specs.Value{specs.String("c")}, 2))
			require.False(t, run.Has("out", []specs.Value{specs.String("never"), big}, 2))
			require.False(t, run.Has("nothing", nil, 2))
			require.Len(t, run.NoValue(), 1)
			require.Equal(t, "div", run.NoValue()[0].Head.Relation)
		}
	}
	wrong, err := rounds.ParseSchedule("crash z@1")
	require.NoError(t, err)
	_, err = m.Run(context.Background(), wrong)
	require.Error(t, err)
}

func TestClonesRunAtTheSameTime(t *testing.T) {
	c := oracle.Protocols(t)[0]
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{})
	require.NoError(t, err)
	schedules := c.Schedules(20)
	alone := make([]*recording.Execution, len(schedules))
	for i, s := range schedules {
		alone[i], err = m.Execute(t.Context(), s)
		require.NoError(t, err)
	}
	var group sync.WaitGroup
	for range 4 {
		clone := m.Clone()
		group.Go(func() {
			for i := len(schedules) - 1; i >= 0; i-- {
				e, err := clone.Execute(t.Context(), schedules[i])
				assert.NoError(t, err)
				assert.Equal(t, alone[i], e)
			}
		})
	}
	group.Wait()
}

func TestCompileRefuses(t *testing.T) {
	p, err := dedalus.ParseText("p.ded", `p("a")@1;`)
	require.NoError(t, err)
	_, err = lockstep.Compile(p, rounds.Bounds{EOT: 2}, lockstep.Options{})
	require.ErrorContains(t, err, "no processes")
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "p%d(\"a\")@1;", i)
	}
	p, err = dedalus.ParseText("p.ded", many.String())
	require.NoError(t, err)
	_, err = lockstep.Compile(p, rounds.Bounds{Processes: []string{"a"}, EOT: 100_000}, lockstep.Options{})
	require.ErrorContains(t, err, "in each of the rounds")
	v := func(name string) syntax.Expr { return &syntax.Variable{Name: name} }
	atom := func(name string, args ...syntax.Expr) syntax.Atom { return syntax.Atom{Relation: name, Args: args} }
	p1, q1 := atom("p", v("X")), atom("q", v("X"), v("Y"))
	for want, rule := range map[string]syntax.Rule{
		"variable Y is bound by no positive atom": {Head: atom("out", v("Y")), Body: []syntax.Term{{Atom: &p1}}},
		"needs a variable that no positive atom":  {Head: atom("out"), Body: []syntax.Term{{Test: &syntax.Binary{Op: "<", Left: v("X"), Right: v("Y")}}}},
		"has 1 columns here and 2 elsewhere":      {Head: atom("q", v("X")), Body: []syntax.Term{{Atom: &q1}}},
		"an @async head needs a destination":      {Head: atom("out"), Kind: syntax.Async, Body: []syntax.Term{{Atom: &p1}}},
		"crash is built in and cannot be a head":  {Head: atom("crash", v("X"), v("X"), v("X")), Body: []syntax.Term{{Atom: &p1}}},
		"_ cannot stand here":                     {Head: atom("out", &syntax.Wildcard{}), Body: []syntax.Term{{Atom: &p1}}},
		"X is no comparison":                      {Head: atom("out"), Body: []syntax.Term{{Atom: &p1}, {Test: v("X")}}},
		"there is no aggregate middle":            {Head: atom("out", &syntax.Aggregate{Func: "middle", Variable: &syntax.Variable{Name: "X"}}), Body: []syntax.Term{{Atom: &p1}}},
		`operator "^" is not known`:               {Head: atom("out", &syntax.Binary{Op: "^", Left: v("X"), Right: v("X")}), Body: []syntax.Term{{Atom: &p1}}},
		"the comparison X < X is no value":        {Head: atom("out", &syntax.Binary{Op: "<", Left: v("X"), Right: v("X")}), Body: []syntax.Term{{Atom: &p1}}},
	} {
		_, err := lockstep.Compile(&dedalus.Program{Rules: []*syntax.Rule{&rule}}, rounds.Bounds{Processes: []string{"a"}, EOT: 2}, lockstep.Options{})
		require.ErrorContains(t, err, want)
	}
}
