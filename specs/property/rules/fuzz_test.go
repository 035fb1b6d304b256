package rules

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"

	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// FuzzRules reads rules, which must not panic, and evaluates them.
func FuzzRules(f *testing.F) {
	for _, text := range []string{
		``, `.`, `violation(P) :- leader(P, T, R).`, property.Agreement("d").Rules.Text, property.PrefixOrder("d").Rules.Text, property.Durable("a", "b").Rules.Text,
		`h(X, N) :- p(X, Y, R) |> do fn:group_by(X), let N = fn:count().`, `p(X) :- !q(_), X = fn:plus(1, 2), X < 4.`,
		`Decl p(X). q(X) :- p(X).`, `Package a! p(1).`, "p(\"\xff\").", `p(b"\x00", 1.5, /a, [1, 2], {/a: 1}).`, `p(X) ⟸ q(X), :string:contains(X, "a").`,
		`p(X, X) :- p(X, X), !q(X, X).`, "p(`long`).", `p(fn:div(1, 0)).`, strings.Repeat("[", 200), `p(99999999999999999999).`, `p() :- q(), .`, `:- p(1).`, `.Foo<`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return
		}
		_, err := parseRules("rules", text)
		if err != nil {
			var errs specs.Errors
			require.ErrorAs(t, err, &errs)
			return
		}
		if strings.Contains(text, "fn:") && strings.Count(text, ":-") > 1 {
			return // may count for ever, up to the limit on facts
		}
		_, err = compile("rules", text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		_, _ = datalog.Query(t.Context(), table(t, oracle.Recorded(t, "leader a 1 @1", "p a 2 @1", "q b 3 @2")), text)
	})
}
