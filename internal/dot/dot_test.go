package dot_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/dot"
	"github.com/stretchr/testify/require"
)

func TestQuoted(t *testing.T) {
	require.Equal(t, `"log(b, \"hi\")\nround 2"`, dot.Quoted(`log(b, "hi")`, "round 2"))
	require.Equal(t, `"a\\b"`, dot.Quoted(`a\b`))
	require.Equal(t, "\"参加者 👩\u200d🚀 e\u0301\"", dot.Quoted("参加者 👩\u200d🚀 e\u0301"))
	require.NotContains(t, dot.Quoted("a\x1b[2Jb"), "\x1b")
}
