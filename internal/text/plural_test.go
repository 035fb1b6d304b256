package text

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	require.Equal(t, "a", List([]string{"a"}, "or"))
	require.Equal(t, "a or b", List([]string{"a", "b"}, "or"))
	require.Equal(t, "a, b and c", List([]string{"a", "b", "c"}, "and"))
}

func TestNumber(t *testing.T) {
	for n, text := range map[int64]string{0: "0", 999: "999", 77824: "77,824", 1_000_000: "1,000,000", 12_345_678: "about 1.2·10^7"} {
		require.Equal(t, text, Number(big.NewInt(n), 7))
	}
}

func TestOf(t *testing.T) {
	for noun, plural := range map[string]string{"crash": "2 crashes", "process": "2 processes", "round": "2 rounds", "try": "2 tries", "way": "2 ways"} {
		require.Equal(t, "1 "+noun, Plural(1, noun))
		require.Equal(t, plural, Plural(2, noun))
	}
}
