package ldfi_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// twoWays sends a value to c directly, and by way of b. What nobody asks for,
// and what comes too late, supports nothing.
const twoWays = `
// ldfi: processes=a,b,c eot=3 eff=3 crashes=1
value("a", 1)@1;
value("a", 2)@3;
direct("a", "c")@1;  direct(P, Q)@next :- direct(P, Q);
relay("a", "b")@1;   relay("b", "c")@1;
noise(P, V)          :- value(P, V);
value(C, V)@async    :- value(A, V), direct(A, C);
copy(B, V)@async     :- value(A, V), relay(A, B)@1;
value(P, V)@next     :- value(P, V);
value(P, max<V>)     :- copy(P, V);
pre(1)               :- direct(A, C), value(A, 1);
post(V)              :- direct(A, C), value(C, V);
`

func supportOf(t *testing.T, program, faults string) []string {
	t.Helper()
	p, err := dedalus.ParseText("test.ded", program)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	s, err := rounds.ParseSchedule(faults)
	require.NoError(t, err)
	support, err := model(t, p, b, ldfi.Options{Goals: goals}).Support(t.Context(), s)
	require.NoError(t, err)
	var texts []string
	for _, f := range support.Facts {
		texts = append(texts, f.String())
	}
	for _, r := range support.Rules {
		texts = append(texts, r.Head.String()+r.Kind.String())
	}
	return texts
}

// Without faults all ways count; under faults that which is left does.
func TestSupport(t *testing.T) {
	given := []string{`value("a", 1)@1;`, `direct("a", "c")@1;`}
	require.Equal(t, append(given, "direct(P, Q)@next", "value(C, V)@async", "value(P, V)@next", "pre(1)", "post(V)"),
		supportOf(t, twoWays, "omit a>b@1; omit a>b@2"))
	all := supportOf(t, twoWays, "")
	require.NotContains(t, all, "noise(P, V)")
	require.NotContains(t, all, `value("a", 2)@3;`)
	for _, text := range []string{"value(C, V)@async", "copy(B, V)@async", "value(P, max<V>)", `relay("b", "c")@1;`} {
		require.Contains(t, all, text)
	}
}

// Where violations are forbidden, it is all that happens among what they depend
// on, but not what violates.
func TestSupportOfAForbiddenViolation(t *testing.T) {
	program := `
// ldfi: processes=a,b eot=2 eff=2
leader("a", 1)@1;
quiet("b", 2)@1;
leader(Q, V)@async :- leader(P, V), other(P, Q);
other("a", "b")@1;
never(P) :- leader(P, 7);
violation(P) :- leader(P, V), quiet(P, W)@1;
violation(P) :- never(P);
`
	require.Equal(t, []string{`leader("a", 1)@1;`, `quiet("b", 2)@1;`, `other("a", "b")@1;`, "leader(Q, V)@async"}, supportOf(t, program, ""))
	require.Equal(t, []string{`leader("a", 1)@1;`, `quiet("b", 2)@1;`, `other("a", "b")@1;`}, supportOf(t, program, "omit a>b@1"))
}

func TestSupportOfGoodFacts(t *testing.T) {
	program := `
// ldfi: processes=a,b eot=2
value("a", 1)@1;
value(P, V)@next :- value(P, V);
good(P, V) :- value(P, V);
`
	require.Equal(t, []string{`value("a", 1)@1;`, "value(P, V)@next", "good(P, V)"}, supportOf(t, program, ""))
}

func TestSupportOfWhatDoesNotFit(t *testing.T) {
	p, err := dedalus.ParseText("test.ded", twoWays)
	require.NoError(t, err)
	b, _, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	s, err := rounds.ParseSchedule("crash z@1")
	require.NoError(t, err)
	_, err = model(t, p, b, ldfi.Options{}).Support(t.Context(), s)
	require.ErrorContains(t, err, `there is no process "z"`)
	p, err = dedalus.ParseText("test.ded", "value(\"a\")@1;")
	require.NoError(t, err)
	_, err = model(t, p, b, ldfi.Options{}).Support(t.Context(), rounds.Schedule{})
	var none *ldfi.NoPromiseError
	require.ErrorAs(t, err, &none)
}
