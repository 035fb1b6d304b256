package lockstep_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// tangled returns a program whose relations depend on each other within a round
// in every way: through negation, aggregates, and rounds that are still to come.
func tangled(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("// ldfi: processes=a,b eot=2 eff=2\n")
	relations := []string{"r", "s", "t", "u"}[:2+r.IntN(3)]
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	for range 2 + r.IntN(6) {
		fmt.Fprintf(&b, "e(%q, %d)@%d;\n", pick("a", "b"), r.IntN(3), 1+r.IntN(2))
	}
	b.WriteString("e(P, X)@next :- e(P, X);\n")
	for range 2 + r.IntN(6) {
		var body []string
		for i := range 1 + r.IntN(3) {
			atom := fmt.Sprintf("%s(%s, %s)", pick(append(relations, "e")...), pick("P", "P", "P", "Q"), pick("X", "X", "Y"))
			if r.IntN(4) == 0 {
				atom += fmt.Sprintf("@%d", 1+r.IntN(2))
			}
			if i > 0 && r.IntN(2) == 0 {
				atom = "notin " + atom
			}
			body = append(body, atom)
		}
		body = append(body, "e(P, X)"+pick("", "", "@1", "@2"))
		if r.IntN(4) == 0 {
			body = append(body, "X "+pick("<", "!=", ">=")+fmt.Sprintf(" %d", r.IntN(4)))
		}
		head := pick("P, X", "P, X", "P, X", "P, X", "P, X", "P, X + 1", "P, count<X>", "P, min<X>", "P, max<X>", "P, sum<X>", "P, avg<X>")
		fmt.Fprintf(&b, "%s(%s)%s :- %s;\n", pick(relations...), head, pick("", "", "", "", "@next", "@async"), strings.Join(body, ", "))
	}
	return b.String()
}

func TestTangledRecursionAgreesWithTheReference(t *testing.T) {
	outcomes := map[string]int{}
	for seed := range uint64(150) {
		text := tangled(rand.New(rand.NewPCG(seed, 1)))
		p, err := dedalus.ParseText("tangled.ded", text)
		require.NoError(t, err, text)
		b, _, err := rounds.BoundsOf(p, nil)
		require.NoError(t, err)
		outcome, err := agreement(2)(t.Context(), oracle.Case{Program: p, Bounds: b, Seed: seed})
		require.NoError(t, err, "seed %d:\n%s", seed, text)
		outcomes[outcome]++
	}
	t.Log(outcomes)
	for _, outcome := range []string{agreed, undefined} {
		require.NotZero(t, outcomes[outcome], "no program of this outcome: %s", outcome)
	}
}
