package rules

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/stretchr/testify/require"
)

// Rules that make values without end are stopped before these fill the memory.
func TestValuesThatGrow(t *testing.T) {
	facts := table(t, oracle.Recorded(t, "word a hello @2"))
	const each = "x(W) :- word(_, W, _). x(V) :- x(W), V = "
	for text, want := range map[string]string{
		each + "fn:string:concat(W, W).":                      "the rules derive a fact of x with a value of more than 4096 bytes; bound the values that they make",
		each + "fn:list(W, W).":                               "a value of more than 4096 bytes",
		each + "fn:pair(W, W).":                               "a value of more than 4096 bytes",
		each + "fn:map(W, W, \"other\", W).":                  "a value of more than 4096 bytes",
		each + "{/left: W, /right: W}.":                       "a value of more than 4096 bytes",
		each + "fn:string:replace(W, \"l\", \"lll\", -1).":    "a value of more than 4096 bytes",
		each + "fn:string:replace(W, \"l\", W, -1).":          "puts a value together of more than 16 others: derive a relation in between",
		each + "fn:list(W" + strings.Repeat(", W", 16) + ").": "puts a value together of more than 16 others: derive a relation in between",
		"x(D) :- word(_, W, _), A = fn:list(W, W), B = fn:list(A, A), C = fn:list(B, B), D = fn:list(C, C, C).": "puts a value together of more than 16 others",
	} {
		_, err := datalog.Query(t.Context(), facts, text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := datalog.Query(t.Context(), facts, "x(N) :- word(_, W, N), A = fn:plus(N, N, N, N, N), B = fn:plus(A, A, A, A), :string:contains(W, \"e\"), N = fn:plus(N, 0), B > 0.")
	require.NoError(t, err)
	long := strings.Repeat("long", 2_000)
	found, err := datalog.Query(t.Context(), table(t, oracle.Recorded(t, "word a "+long+" @2")), `x(W) :- word(_, W, _), :string:contains(W, "lo").`)
	require.NoError(t, err)
	require.Equal(t, long, found[0].Args[0].Text())
}

// Whoever asks may stop the evaluation.
func TestEvaluationEndsWithItsContext(t *testing.T) {
	facts := table(t, oracle.Recorded(t, "word a hello @2"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := datalog.Query(ctx, facts, `n(X) :- word(_, W, X), :string:contains(W, "e"). n(Y) :- n(X), X < 1000000000, Y = fn:plus(X, 1).`)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}
