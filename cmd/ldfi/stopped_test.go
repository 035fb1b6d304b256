package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// A verdict that was reached, before what it is worth was, says what is missing.
func TestHoldsAndStopped(t *testing.T) {
	a := &result.Answer{Verdict: result.Holds, Scope: result.Scope{Text: "2 processes"}, Limit: &result.Limit{Kind: result.LimitTimeout, Reason: "the time is up", Advice: []string{"more time"}}}
	var out bytes.Buffer
	p, err := answertext.Answer(a, nil, answertext.Drawing{})
	require.NoError(t, err)
	require.NoError(t, p.WriteText(&out))
	require.Equal(t, `holds      no schedule within the bounds breaks the promise
  scope    2 processes
  stopped  the time is up; whether the promise is vacuous was not checked
  try      more time
`, out.String())
	out.Reset()
	p, err = answertext.Hypotheses(a, answertext.Listing{})
	require.NoError(t, err)
	require.NoError(t, p.WriteText(&out))
	require.Equal(t, `holds      no fault set within the bounds breaks the promise under these assumptions
  scope    2 processes
  stopped  the time is up; which assumptions cause this, and whether the promise is vacuous under them, was not checked
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

// unread is a pipe that nobody reads.
type unread struct {
	reached func() // called when something is written
	end     <-chan struct{}
}

func (u unread) Write([]byte) (int, error) {
	u.reached()
	<-u.end
	return 0, io.ErrClosedPipe
}

// An interrupted command ends also where nobody reads what it writes.
func TestNobodyReads(t *testing.T) {
	const retry = "../../testdata/protocols/delivery/retry.ded"
	for name, c := range map[string]struct {
		args string
		out  bool // nobody reads standard output, else standard error
		said string
	}{
		"an answer": {"run " + retry + " --timeout 1h", true, "ldfi: interrupted: the output was not read to its end\n"},
		"an error":  {"run none.ded", false, ""},
		"a warning": {"inject " + retry + " --faults omit%a>b@1;omit%a>c@1;omit%a>b@2;omit%a>c@2;crash%a@1;crash%b@1", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			end := make(chan struct{})
			defer close(end)
			var said bytes.Buffer
			s := streams{in: strings.NewReader(""), out: unread{cancel, end}, err: &said}
			if !c.out {
				s.out, s.err = &said, s.out
			}
			args := strings.Fields(c.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "%", " ")
			}
			require.Equal(t, exitInconclusive, run(ctx, args, s))
			require.Equal(t, c.said, said.String())
		})
	}
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
