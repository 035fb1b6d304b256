package remote_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/stretchr/testify/require"
)

func init() {
	hosts["floods"] = func() {
		line := []byte(strings.Repeat("x", 99) + "\n")
		for range 50_000 {
			_, _ = os.Stderr.Write(line)
		}
		fmt.Fprintln(os.Stderr, "and now the disk is full")
		os.Exit(7)
	}
}

// Of what a host writes to standard error so much is passed on as somebody may
// read, and the end of the rest is in the error.
func TestStandardErrorHasALimit(t *testing.T) {
	var stderr bytes.Buffer
	_, err := start(t, "floods", remote.Options{Stderr: &stderr})
	require.ErrorContains(t, err, "the host ended: exit status 7; it said last: xxx")
	require.ErrorContains(t, err, "xxx\n  and now the disk is full")
	const limit, note = 1 << 20, "\nthe host writes more than 1048576 bytes to standard error: the rest is left out\n"
	require.Equal(t, limit+len(note), stderr.Len())
	require.True(t, strings.HasSuffix(stderr.String(), "xxx"+note))
}

// What was passed on is not said again.
func TestLastWordsOfAHost(t *testing.T) {
	_, err := start(t, "dies", remote.Options{})
	require.ErrorContains(t, err, "the host ended: exit status 7; it said last: no disk")
	var stderr bytes.Buffer
	_, err = start(t, "dies", remote.Options{Stderr: &stderr})
	require.ErrorContains(t, err, "the host ended: exit status 7")
	require.NotContains(t, err.Error(), "it said last")
	require.Equal(t, "no disk\n", stderr.String())
}
