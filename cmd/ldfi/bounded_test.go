package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file that would not fit into memory is refused by a limit, and one that nobody
// waits for is given up.
func TestBoundedFiles(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := &bounded{ctx: ctx, name: "x.mg", most: 1 << 20}
	_, err := b.Write([]byte(strings.Repeat("x", 1<<20)))
	require.NoError(t, err)
	_, err = b.Write([]byte("x"))
	require.EqualError(t, err, "x.mg is not written: it would be larger than 1 MiB; fewer rounds, processes or crashes make it smaller")
	code, text := failure(err)
	require.Equal(t, exitInconclusive, code, text)
	cancel()
	_, err = b.Write(nil)
	require.ErrorIs(t, err, context.Canceled)
}
