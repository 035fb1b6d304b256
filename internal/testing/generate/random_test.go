package generate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

func TestRandomIsDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		require.Equal(t, Random(seed), Random(seed))
	}
	require.NotEqual(t, Random(1).Text, Random(2).Text)
}

func TestRandomProgramsAreValid(t *testing.T) {
	invalid := 0
	for seed := range uint64(200) {
		require.NotEmpty(t, Random(seed).Text)
		text := newGenerator(rand.New(rand.NewPCG(seed, 0))).program()
		if _, err := dedalus.ParseText("random.ded", text); err != nil {
			invalid++
		}
	}
	require.Less(t, invalid, 5, "the generator mostly gets it right at once")
}

// Everything that the language has turns up.
func TestRandomProgramsHaveEverything(t *testing.T) {
	const programs = 250
	seen := map[string]int{}
	for seed := range uint64(programs) {
		text := Random(seed).Text
		for _, feature := range []string{
			"@next", "@async", "notin ", "notin crash(", "count<", "min<", "max<", "sum<", "avg<", " + 1", " % 2", " / 2", "(Q", "@1 ", "@2,",
			"_", "==", "!=", "<=", ">=", "pre(", "post(", "violation(", "good(", "win(", "reach(", "() ", "processes=1", "processes=a",
			"eff=", "omissions=", "isolations=", "period=", "crashes=", "crash=stop", "goals=witnessed",
		} {
			if strings.Contains(text, feature) {
				seen[feature]++
			}
		}
	}
	for feature, n := range seen {
		require.GreaterOrEqual(t, n, 3, feature)
	}
	require.Len(t, seen, 35)
}

func TestShrink(t *testing.T) {
	fails := func(text string) bool {
		p, err := dedalus.ParseText("test.ded", text)
		require.NoError(t, err)
		for _, r := range p.Rules {
			if r.Kind == syntax.Async && r.Destination() != nil {
				return true
			}
		}
		return false
	}
	shrunk := 0
	for seed := range uint64(40) {
		text := Random(seed).Text
		small := Shrink(text, fails)
		if !fails(text) {
			require.Equal(t, text, small)
			continue
		}
		shrunk++
		require.True(t, fails(small))
		require.LessOrEqual(t, strings.Count(small, "\n"), 1, small)
		require.NotContains(t, small, "ldfi:")
	}
	require.Positive(t, shrunk)
}

func TestShrinkKeepsSettingsThatMatter(t *testing.T) {
	text := "// ldfi: processes=a,b,c eot=6 eff=3\np(\"a\")@1;\n\nq(X) :- p(X), p(_), X != \"b\";\n"
	got := Shrink(text, func(text string) bool {
		return strings.Contains(text, "eot=") && strings.Contains(text, "q(")
	})
	require.Equal(t, "// ldfi: eot=1\nq(X) :- p(X);\n", got)
}
