package dot_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/dot"
	"github.com/stretchr/testify/require"
)

func TestQuoted(t *testing.T) {
	require.Equal(t, `"log(b, \"hi\")\nround 2"`, dot.Quoted(`log(b, "hi")`, "round 2"))
	require.Equal(t, `"a\\b"`, dot.Quoted(`a\b`))
	require.NotContains(t, dot.Quoted("a\x1b[2Jb"), "\x1b")
}
