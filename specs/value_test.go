package specs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A text of a server may have quotes in it: one can see where it ends.
func TestQuotesInTexts(t *testing.T) {
	require.Equal(t, `"a"`, String("a").String())
	require.Equal(t, `"Post \"http://b\": refused"`, String(`Post "http://b": refused`).String())
}
