package remote

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// Why ldfi as a host refuses what it was asked for is the error; warnings before it are passed
// on, and so is all that it says without refusing anything.
func TestWhatAHostRefuses(t *testing.T) {
	for said, want := range map[string][2]string{
		"ldfi: warning: not confined\nldfi: building ./x: there is\n\tno x\n": {"building ./x: there is\n\tno x", "ldfi: warning: not confined\n"},
		"ldfi: no nodes\n":              {"no nodes", ""},
		"ldfi: warning: not confined\n": {"", "ldfi: warning: not confined\n"},
		"panic: ldfi: boom\n":           {"", "panic: ldfi: boom\n"},
		"":                              {"", ""},
	} {
		var passed bytes.Buffer
		h := &holding{to: &passed}
		_, err := io.WriteString(h, said)
		require.NoError(t, err)
		why := ""
		if err := h.refused(); err != nil {
			why = err.Error()
		}
		h.release()
		require.Equal(t, want, [2]string{why, passed.String()}, said)
		_, _ = io.WriteString(h, "later")
		require.Equal(t, want[1]+"later", passed.String())
	}
}
