package answertext_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A conflict is one sentence: what leaves nothing, and what would leave something.
func TestConflict(t *testing.T) {
	for _, c := range []struct {
		conflict    *result.Conflict
		assumptions int
		text        string
	}{
		{nil, 0, ""},
		{&result.Conflict{}, 2, "no schedule within the bounds does it, with or without assumptions"},
		{&result.Conflict{Forbid: []string{"crash a"}}, 1, "“must not crash a” leaves no fault set; without it there is one"},
		{&result.Conflict{Forbid: []string{"crash a"}}, 3, "“must not crash a” leaves no fault set; without it there is one, other assumptions aside"},
		{&result.Conflict{Require: []string{"crash b"}, Forbid: []string{"crash a"}}, 2, "“must crash b” and “must not crash a” leave no fault set; without any one of them there is one"},
		{&result.Conflict{Require: []string{"crash a@1", "crash b"}, Scope: true}, 2, "“must crash a@1” and “must crash b” leave no schedule within the bounds; without any one of them there is one"},
	} {
		require.Equal(t, c.text, answertext.Conflict(c.conflict, c.assumptions))
	}
}

// A search that was stopped has two bounds, as far as they are known.
func TestSoFar(t *testing.T) {
	stopped, known := &result.Limit{}, result.List[result.Counterexample]{{Size: 3}}
	for _, c := range []struct {
		found result.WhatIf
		text  string
	}{
		{result.WhatIf{Sets: known}, ""},
		{result.WhatIf{Limit: stopped}, "no fault set was found"},
		{result.WhatIf{Limit: stopped, AtLeast: 1}, "at least 1 fault is needed; no fault set was found"},
		{result.WhatIf{Limit: stopped, AtLeast: 2, Sets: known}, "at least 2 faults are needed; 3 are enough"},
	} {
		require.Equal(t, c.text, answertext.SoFar(&c.found))
	}
}
