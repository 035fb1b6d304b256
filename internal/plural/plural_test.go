package plural

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	require.Equal(t, "a", List([]string{"a"}, "or"))
	require.Equal(t, "a or b", List([]string{"a", "b"}, "or"))
	require.Equal(t, "a, b and c", List([]string{"a", "b", "c"}, "and"))
}
