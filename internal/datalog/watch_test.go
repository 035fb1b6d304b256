package datalog_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/stretchr/testify/require"
)

// A property of a system can be one that nothing breaks, too: a process is nowhere named.
func TestPropertyWhosePostFollowsFromPre(t *testing.T) {
	for text, follows := range map[string]bool{
		`pre(X) :- acked(P, X); post(X) :- pre(X);`:                                          true,
		`pre(X) :- acked(P, X), stored(_, X); post(X) :- stored(_, X);`:                      true,
		`pre(X) :- acked(P, X); post(X) :- stored(_, X);`:                                    false,
		`pre(X) :- acked(P, X); pre(X) :- asked(P, X); post(X) :- acked(_, X);`:              false,
		`pre(X) :- acked(P, X), notin lost(X); post(X) :- acked(_, X), notin lost(_);`:       false,
		`violation(X) :- acked(P, X), notin stored(_, X);`:                                   false,
		`pre(X) :- acked(P, X), notin lost(_, X); post(X) :- acked(_, X), notin lost(1, X);`: true,
	} {
		c, err := datalog.Dedalus("test", text).Compile()
		require.NoError(t, err, text)
		require.Equal(t, follows, datalog.NewWatch(c).Follows() != nil, text)
	}
}
