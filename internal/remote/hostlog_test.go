package remote_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

func init() {
	hosts["floods"] = func() {
		for i := range 50_000 {
			fmt.Fprintf(os.Stderr, "%s%d\n", strings.Repeat("x", 94), 10_000+i)
		}
		fmt.Fprintln(os.Stderr, "and now the disk is full")
		os.Exit(7)
	}
	hosts["greets"] = func() {
		fmt.Fprintln(os.Stderr, "starting")
		serve(func() { os.Exit(4) })
	}
	hosts["gives up"] = func() {
		fmt.Fprintln(os.Stderr, "starting")
		serve(func() { fmt.Fprintln(os.Stderr, "giving up"); os.Exit(4) })
	}
	hosts["repeats"] = func() {
		fmt.Fprint(os.Stderr, strings.Repeat("the disk is full\n", 312)+"and that is all\n")
		os.Exit(7)
	}
}

// Of what a host writes to standard error so much is passed on as somebody may
// read, and the end of the rest is in the error.
func TestStandardErrorHasALimit(t *testing.T) {
	var stderr bytes.Buffer
	_, err := start(t, "floods", remote.Options{Stderr: &stderr})
	require.ErrorContains(t, err, "the host ended: exit status 7; it said last: xxx")
	require.ErrorContains(t, err, "xxx59999\n  and now the disk is full")
	const limit, note = 1 << 20, "\nthe host writes more than 1048576 bytes to standard error: the rest is left out\n"
	require.Equal(t, limit+len(note), stderr.Len())
	require.True(t, strings.HasSuffix(stderr.String(), note))
}

// A line that is there again and again is passed on once, with how often it was.
func TestStandardErrorIsFolded(t *testing.T) {
	var stderr bytes.Buffer
	_, err := start(t, "repeats", remote.Options{Stderr: &stderr})
	require.ErrorContains(t, err, "the host ended: exit status 7")
	require.Equal(t, "the disk is full\n… 312 times\nand that is all\n", stderr.String())
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

// heard tells when something was written.
type heard struct {
	text string
	came chan struct{}
	once sync.Once
}

func (h *heard) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(h.text)) {
		h.once.Do(func() { close(h.came) })
	}
	return len(p), nil
}

// What a host said before it was asked for an execution is no reason why it ends in it.
func TestWhatWasSaidBeforeIsNoReason(t *testing.T) {
	for host, how := range map[string]string{"greets": "the host ended: exit status 4", "gives up": "the host ended: exit status 4: giving up"} {
		t.Run(host, func(t *testing.T) {
			banner := &heard{text: "starting", came: make(chan struct{})}
			r, err := start(t, host, remote.Options{Stderr: banner})
			require.NoError(t, err)
			<-banner.came
			_, _, err = r.Systems()[0].Execute(t.Context(), rounds.Schedule{}, 0, messages.Never)
			var lost *remote.LostError
			require.ErrorAs(t, err, &lost)
			require.EqualError(t, lost.Err, how)
			require.NoError(t, r.Close())
		})
	}
}
