package oracle

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// Arithmetic and comparisons are exact in 64 bits, and have no value where there is
// none.
func TestArithmetic(t *testing.T) {
	if !Installed() {
		t.Skip("there is no clingo here: apt-get install gringo")
	}
	r := rand.New(rand.NewPCG(1, 2))
	number := func() int64 {
		edges := []int64{0, 1, -1, 2, -2, small, small + 1, -small - 1, math.MaxInt64, math.MinInt64, math.MaxInt64 / 2, math.MinInt32, 1 << 22, 1 << 44}
		n := edges[r.IntN(len(edges))]
		if r.IntN(2) == 0 {
			n = int64(r.Uint64()) >> r.IntN(64)
		}
		return n
	}
	var text strings.Builder
	text.WriteString("#script (lua)\n" + functions + "#end.\n#show on/1.\n")
	for op, f := range operations {
		fmt.Fprintf(&text, "%s(A,B,V) :- %s(A,B,_), V = @%s(A,B).\n", "is_"+f, "case_"+f, f)
		fmt.Fprintf(&text, ":- %s(A,B,V), V != none, not %s(A,B,V).\n", "case_"+f, "is_"+f)
		fmt.Fprintf(&text, ":- %s(A,B,none), %s(A,B,_).\n", "case_"+f, "is_"+f)
		for range 2000 {
			a, b := number(), number()
			want, ok := exact(op, a, b)
			if !ok {
				want = "none"
			}
			fmt.Fprintf(&text, "case_%s(%s,%s,%s).\n", f, term(specs.Int(a)), term(specs.Int(b)), want)
		}
	}
	fmt.Fprintf(&text, `:- 1 = @less("b","a"). :- 1 = @less(1,"a"). :- 1 = @more("a",1). :- V = @plus("a",1). :- #count{ 1 : 1 = @less("B","a") } = 0.`)
	_, ok, err := Solve(t.Context(), text.String())
	require.NoError(t, err)
	require.True(t, ok)
}

// exact is the value of an operation as a term, computed without a limit of bits.
func exact(op string, a, b int64) (string, bool) {
	x, y, z := big.NewInt(a), big.NewInt(b), new(big.Int)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "/", "%":
		if b == 0 {
			return "", false
		}
		if z.Quo(x, y); op == "%" {
			z.Rem(x, y)
		}
	default:
		return "1", map[string]bool{"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
	}
	return term(specs.Int(z.Int64())), z.IsInt64()
}
