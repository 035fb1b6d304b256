package text_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/stretchr/testify/require"
)

func TestQuoted(t *testing.T) {
	require.Equal(t, `"log(b, \"hi\")\nround 2"`, text.DOT(`log(b, "hi")`, "round 2"))
	require.Equal(t, `"a\\b"`, text.DOT(`a\b`))
	require.Equal(t, "\"参加者 👩\u200d🚀 e\u0301\"", text.DOT("参加者 👩\u200d🚀 e\u0301"))
	require.NotContains(t, text.DOT("a\x1b[2Jb"), "\x1b")
}
