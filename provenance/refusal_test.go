package provenance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// evaluate evaluates the text of a program within the bounds that it states.
func evaluate(ctx context.Context, t *testing.T, text string, o provenance.Options) (*provenance.Graph, error) {
	t.Helper()
	p, err := dedalus.ParseText("p.ded", text)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	return provenance.Evaluate(ctx, p, b, o)
}

func TestUndefined(t *testing.T) {
	for _, story := range []struct{ name, program, want string }{
		{
			name: "always",
			program: `// ldfi: processes=a eot=1
				in("a")@1;
				p(X) :- in(X), notin p(X);`,
			want: `p("a")@1 depends on its own absence without faults: p("a")@1 <- p("a")@1`,
		},
		{
			name: "only where a message is lost",
			program: `// ldfi: processes=a,b eot=2 omissions=1
				in("a")@1; here("b")@2;
				got("b")@async :- in(X);
				p(X) :- here(X), notin got(X), notin q(X);
				q(X) :- here(X), notin p(X);`,
			want: `p("b")@2 depends on its own absence under omit a>b@1: p("b")@2 <- q("b")@2 <- p("b")@2`,
		},
		{
			name: "through an aggregate",
			program: `// ldfi: processes=a eot=1
				in("a", 1)@1;
				n(X, count<M>) :- in(X, M), notin n(X, 1);`,
			want: `n("a", 1)@1 depends on its own absence without faults: n("a", 1)@1 <- n("a", 1)@1`,
		},
	} {
		t.Run(story.name, func(t *testing.T) {
			_, err := evaluate(t.Context(), t, story.program, provenance.Options{})
			require.ErrorAs(t, err, new(*limits.UndefinedError))
			require.EqualError(t, err, story.want)
		})
	}
}

func TestUndefinedOutOfBoundsIsFine(t *testing.T) {
	_, err := evaluate(t.Context(), t, `// ldfi: processes=a,b,c eot=2 omissions=1
		in("a")@1; in("b")@1; here("c")@2;
		got("c", X)@async :- in(X);
		p(X) :- here(X), notin got(X, "a"), notin got(X, "b"), notin q(X);
		q(X) :- here(X), notin got(X, "a"), notin got(X, "b"), notin p(X);`, provenance.Options{})
	require.NoError(t, err, "both messages would have to be lost, and one may be")
}

func TestUndefinedElsewhereIsFine(t *testing.T) {
	_, err := evaluate(t.Context(), t, `// ldfi: processes=a eot=1
		in("a")@1; good(X) :- in(X);
		p(X) :- in(X), notin p(X);`, provenance.Options{Only: []string{"good"}})
	require.NoError(t, err)
}

func TestRunaway(t *testing.T) {
	for _, text := range []string{
		`// ldfi: processes=a eot=1
n("a", 1)@1;
n(X, N + 1) :- n(X, N);`,
		`// ldfi: processes=a eot=1
n("a", 1)@1;
n(X, N + 1) :- n(X, N), notin m(X, N);
m(X, N) :- n(X, N), N < 0;`,
		`// ldfi: processes=a eot=1
n("a", 1)@1;
n(X, N + 1) :- m(X, N);
m(X, max<N>) :- n(X, N);`,
	} {
		_, err := evaluate(t.Context(), t, text, provenance.Options{})
		require.ErrorAs(t, err, new(*limits.RunawayError))
		require.ErrorContains(t, err, "p.ded:3:1: the rule for n still makes new facts in one round after ")
	}
}

const manyFacts = `// ldfi: processes=a eot=1
	n("a", 1)@1;
	n(X, N + 1) :- n(X, N), N < 30;
	cube(X, K, L, M) :- n(X, K), n(X, L), n(X, M);`

func TestLimitOfFacts(t *testing.T) {
	_, err := evaluate(t.Context(), t, manyFacts, provenance.Options{MaxFacts: 100})
	require.EqualError(t, err, "stopped in round 1 with 101 facts at relation cube")

	_, err = evaluate(t.Context(), t, manyFacts+`none(X) :- n(X, K), n(X, L), n(X, M);`, provenance.Options{MaxFacts: 30_000, Only: []string{"none"}})
	require.NoError(t, err)
	_, err = evaluate(t.Context(), t, manyFacts+`none(X) :- n(X, K), n(X, L), n(X, M);`, provenance.Options{MaxFacts: 1000, Only: []string{"none"}})
	require.EqualError(t, err, "stopped in round 1 with 3001 rule firings at relation none")
}

func TestLimitOfSteps(t *testing.T) {
	_, err := evaluate(t.Context(), t, `// ldfi: processes=a eot=1
		n("a", 1)@1;
		n(X, N + 1) :- n(X, N), N < 250;
		never(X) :- n(X, K), n(X, L), n(X, M), K + L + M < 0;`, provenance.Options{MaxFacts: 1000})
	require.ErrorAs(t, err, new(*limits.LimitError))
	require.ErrorContains(t, err, "steps of matching rules")
}

func TestLimitOfRounds(t *testing.T) {
	text := "// ldfi: processes=a eot=100000\nin(\"a\")@1;\n"
	for i := range 100 {
		text += fmt.Sprintf("out%d(X)@next :- in(X);\n", i)
	}
	_, err := evaluate(t.Context(), t, text, provenance.Options{})
	require.ErrorAs(t, err, new(*limits.LimitError))
}

func TestLimitOfGates(t *testing.T) {
	_, err := evaluate(t.Context(), t, `// ldfi: processes=a,b,c eot=5 omissions=unlimited
		in("a")@1; in(X)@next :- in(X);
		in(P)@async :- in(X);
		all(count<P>) :- in(P);`, provenance.Options{MaxGates: 20})
	require.ErrorAs(t, err, new(*solver.LimitError))
}

func TestLimitOfSums(t *testing.T) {
	_, err := evaluate(t.Context(), t, `// ldfi: processes=a,b eot=20 omissions=unlimited
		n("a", 1)@1;
		n(X, N * 2)@next :- n(X, N);
		got("b", N)@async :- n(X, N);
		got(X, N)@next :- got(X, N);
		total(X, sum<N>) :- got(X, N);`, provenance.Options{})
	require.ErrorAs(t, err, new(*limits.LimitError))
	require.ErrorContains(t, err, "aggregate over fewer rows that depend on faults")
}

// TestLimitOfSumsRises: where there may be more facts there may be more sums.
func TestLimitOfSumsRises(t *testing.T) {
	text := `// ldfi: processes=a,b eot=15 omissions=unlimited
		n("a", 1)@1;
		n(X, N * 2)@next :- n(X, N);
		got("b", N)@async :- n(X, N);
		got(X, N)@next :- got(X, N);
		total(X, sum<N>) :- got(X, N);`
	_, err := evaluate(t.Context(), t, text, provenance.Options{MaxFacts: 1_000_000})
	require.ErrorContains(t, err, provenance.PossibleValues)
	_, err = evaluate(t.Context(), t, text, provenance.Options{MaxFacts: 16384 * 256})
	require.NoError(t, err)
}

func TestAggregatesThatFeedEachOtherEnd(t *testing.T) {
	for _, text := range []string{
		`// ldfi: processes=a,b eot=4 omissions=unlimited
			in("a", 1)@1; in("a", 2)@1; in("a", 3)@1; in(X, N)@next :- in(X, N);
			got(P, N)@async :- in(X, N);
			x(P, count<N>) :- y(P, N);
			y(P, sum<N>) :- x(P, N);
			x(P, N) :- got(P, N);
			y(P, N) :- got(P, N);`,
		`// ldfi: processes=a,b eot=4 omissions=unlimited
			in("a", 1)@1; in("a", 2)@1; in("a", 3)@1; in(X, N)@next :- in(X, N);
			got(P, N)@async :- in(X, N);
			x(P, count<N>, max<M>) :- y(P, N, M);
			y(P, N + M, N) :- x(P, N, M);
			y(P, N, N) :- got(P, N);`,
	} {
		_, err := evaluate(t.Context(), t, text, provenance.Options{MaxFacts: 100_000, MaxGates: 1_000_000})
		require.Error(t, err)
	}
}

// impatient is a context that ends after it was asked so many times.
type impatient struct {
	context.Context
	left int
}

func (p *impatient) Err() error {
	p.left--
	if p.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCanceled(t *testing.T) {
	for left := range 20 {
		_, err := evaluate(&impatient{context.Background(), left}, t, manyFacts, provenance.Options{})
		require.ErrorIs(t, err, context.Canceled)
		require.EqualError(t, err, "evaluating the program: context canceled")
	}
}

func TestInvalidBounds(t *testing.T) {
	p, err := dedalus.ParseText("p.ded", `in("a")@1;`)
	require.NoError(t, err)
	_, err = provenance.Evaluate(t.Context(), p, rounds.Bounds{EOT: 3}, provenance.Options{})
	require.ErrorContains(t, err, "no processes")
}

func TestProgress(t *testing.T) {
	var seen []int
	_, err := evaluate(t.Context(), t, `// ldfi: processes=a eot=3
		in("a")@1; in(X)@next :- in(X);`, provenance.Options{Progress: func(round int) { seen = append(seen, round) }})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3}, seen)
}
