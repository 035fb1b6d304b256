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

// Making results printable belongs to the time of a command: when it is over, they only
// have to be written.
func TestResultsArePrintableInTime(t *testing.T) {
	var out, errs bytes.Buffer
	s := &session{streams: streams{out: &out, err: &errs}, stdout: &out, stderr: &errs, args: []string{"run", "../../testdata/protocols/delivery/retry.ded"}}
	require.NoError(t, s.execute(t.Context()))
	require.Empty(t, s.buffer)
	require.Contains(t, string(bytes.Join(s.whole, nil)), "violated")
	require.Zero(t, out.Len())
	require.NoError(t, s.write())
	require.Contains(t, out.String(), "violated")
}

// However much is written, and in which parts, no chunk of it is large.
func TestChunksAreNotCopied(t *testing.T) {
	var p chunks
	var want []byte
	for i := range 40 {
		part := bytes.Repeat([]byte{byte(i)}, 100_003)
		want = append(want, part...)
		n, err := p.Write(part)
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, want, bytes.Join(p, nil))
	first := &p[0][0]
	_, _ = p.Write(make([]byte, 3*largestChunk))
	require.Same(t, first, &p[0][0])
	for _, chunk := range p {
		require.LessOrEqual(t, cap(chunk), largestChunk)
	}
}
