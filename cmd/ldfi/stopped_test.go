package main

import (
	"bytes"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A verdict that was reached, before what it is worth was, says what is missing.
func TestHoldsAndStopped(t *testing.T) {
	a := &result.Answer{Verdict: result.Holds, Scope: result.Scope{Text: "2 processes"}, Limit: &result.Limit{Kind: result.LimitTimeout, Reason: "the time is up", Advice: []string{"more time"}}}
	var out bytes.Buffer
	require.NoError(t, writeAnswer(&out, a, nil, drawing{}))
	require.Equal(t, `holds      no schedule within the bounds breaks the promise
  scope    2 processes
  stopped  the time is up, before it was known whether the promise asks for anything that happens
  try      more time
`, out.String())
	out.Reset()
	p, err := hypothesesPage(a, listing{})
	require.NoError(t, err)
	require.NoError(t, p.writeTo(&out))
	require.Equal(t, `holds      no fault set within the bounds breaks the promise under these assumptions
  scope    2 processes
  stopped  the time is up, before it was known which assumptions that comes from, and whether anything is asked under them
  try      more time
`, out.String())
}
