package ldfi_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/stretchr/testify/require"
)

func vet(t *testing.T, text string, strict bool) string {
	t.Helper()
	p, b := parse(t, text)
	warnings, err := model(t, p, b, ldfi.Options{}).Vet(t.Context(), strict)
	require.NoError(t, err)
	var all []string
	for _, w := range warnings {
		all = append(all, w.String())
	}
	return strings.Join(all, "\n")
}

func TestVet(t *testing.T) {
	require.Empty(t, vet(t, gossip, true))
	require.Equal(t, `test.ded: warning: the program promises nothing: it has no pre and post, violation or good
test.ded:4:1: warning: arithmetic in this rule has no value for some facts (division by zero, overflow, or a string): it gives nothing for them
    n(P, X / 0) :- m(P, X);
    ^
test.ded:4:1: warning: n is never used
    n(P, X / 0) :- m(P, X);
    ^
test.ded:4:1: warning: this rule fires in no scenario within the bounds
    n(P, X / 0) :- m(P, X);
    ^`, vet(t, `
// ldfi: processes=a,b eot=3
m("a", 1)@1;
n(P, X / 0) :- m(P, X);
`, false))
	require.Contains(t, vet(t, `
// ldfi: processes=a,b eot=3
m("a", 1)@1;
n(P) :- m(P, 2);
pre(P) :- n(P);
post(P) :- m(P, _);
`, false), "the promise is vacuous: pre has no fact at round 3 in any scenario within the bounds, so post is never asked for")
}

func TestVetOfEqualValues(t *testing.T) {
	const debts = `
// ldfi: processes=bank,a,b eot=2
owes("bank", "a", 10)@1; owes("bank", "b", 10)@1;
good(B, N) :- total(B, N);
`
	require.Contains(t, vet(t, debts+"total(B, sum<N>) :- owes(B, P, N);", false),
		"warning: sum<N> counts equal values of N once, and there are some without faults; sum<N; P> counts every row")
	require.NotContains(t, vet(t, debts+"total(B, sum<N; P>) :- owes(B, P, N);", false), "counts")
	require.NotContains(t, vet(t, debts+"total(B, count<N>) :- owes(B, P, N);", false), "counts")
}

func TestVacuity(t *testing.T) {
	for text, sentence := range map[string]string{
		`m("a")@1; pre(P) :- m(P); had(P) :- m(P); post(P) :- had(P);`:                                     "pre has no fact at round 3 in any scenario within the bounds, so post is never asked for",
		`m("a")@3; pre(P) :- m(P), crash(P, "b", 2); had(P) :- m(P); post(P) :- had(P);`:                   "",
		`m("a")@3; pre(P) :- m(P), crash(P, "b", 2), crash(P, "a", 2); had(P) :- m(P); post(P) :- had(P);`: "pre has no fact at round 3 in any scenario within the bounds, so post is never asked for",
		`m("a")@3; pre(P) :- m(P); had(P) :- m(P); post(P) :- had(P), crash(P, "b", 2);`:                   "post has no fact at round 3 even without faults",
		`m("a")@3; pre(P) :- m(P), crash(P, "b", 2); had(P) :- m(P); post(P) :- had(P), crash(P, "b", _);`: "",
		`m("a")@2; good(P) :- m(P);`:      "good has no fact at round 3 without faults, so nothing is asked for",
		`m("a")@2; violation(P) :- m(P);`: "",

		"// ldfi: never-crash=a\n" + `m("a")@3; pre(P) :- m(P); had(P) :- m(P); post(P) :- had(P);`:   "",
		"// ldfi: never-crash=a,b\n" + `m("a")@3; pre(P) :- m(P); had(P) :- m(P); post(P) :- had(P);`: "the assumptions leave no fault (never-crash=a,b), so ldfi asks only about the execution without faults",
	} {
		p, b := parse(t, "// ldfi: processes=a,b eot=3 crashes=1\n"+text)
		r, err := model(t, p, b, ldfi.Options{}).Check(t.Context())
		require.NoError(t, err)
		require.Equal(t, sentence, r.Vacuity, text)
		require.Equal(t, sentence != "", r.Vacuity != "")
	}
}
