package provenance_test

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// Whether an equality finds the facts of an atom or is only checked, the facts and
// firings are the same, in the same order.
func TestEqualitiesFindWhatTheyAllow(t *testing.T) {
	for _, c := range []struct{ equal, checked string }{
		{`X == Y / 10`, `X <= Y / 10, X >= Y / 10`},
		{`Y / 10 == X`, `X <= Y / 10, X >= Y / 10`},
		{`10 / X == Y`, `10 / X <= Y, 10 / X >= Y`},
		{`X == Y`, `X <= Y, X >= Y`},
		{`X * 9223372036854775807 == Y`, `X * 9223372036854775807 <= Y, X * 9223372036854775807 >= Y`},
		{`X % 3 == Y % 3`, `X % 3 <= Y % 3, X % 3 >= Y % 3`},
		{`X == 120`, `X <= 120, X >= 120`},
		{`Q == P`, `Q <= P, Q >= P`},
	} {
		t.Run(c.equal, func(t *testing.T) {
			evaluated := func(test string) (lines []string) {
				program := ""
				for i := range 30 {
					program += fmt.Sprintf("n(\"a\", %d)@%d; n(\"b\", %d)@1;\n", i*i/3, 1+i%2, i*7)
				}
				p, err := dedalus.ParseText("equal.ded", program+`
					n(P, X)@next :- n(P, X);
					got(Q, X)@async :- n(P, X), n(Q, 7)@1;
					both(P, X, Y) :- got(P, X), n(Q, Y), `+test+`;
					over(X) :- both(P, X, Y);
				`)
				require.NoError(t, err)
				b := rounds.Bounds{Processes: []string{"a", "b"}, EOT: 3, Omissions: rounds.Unlimited}
				g, err := provenance.Evaluate(t.Context(), p, b, provenance.Options{})
				require.NoError(t, err)
				for _, name := range []string{"both", "over"} {
					for round := 1; round <= 3; round++ {
						for _, f := range g.Facts(name, round) {
							line := fmt.Sprint(f, f.Round(), " if ", f.Cond())
							for _, firing := range f.Firings() {
								line += fmt.Sprint(firing.Positive(), firing.Bindings())
							}
							lines = append(lines, line)
						}
					}
				}
				return lines
			}
			require.Equal(t, evaluated(c.checked), evaluated(c.equal))
		})
	}
}
