package text

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// A character may take two columns, or none.
func TestTable(t *testing.T) {
	var b bytes.Buffer
	Table(&b, " ", [][]string{{"name", "verdict"}, {"日本", "holds"}, {"e\u0301t\u00e9", ""}, {"✅ ok", "violated"}, {"\n", "\t"}})
	require.Equal(t, " name   verdict\n 日本   holds\n e\u0301t\u00e9\n ✅ ok  violated\n \\n     \\t\n", b.String())
}

// Cells behind names stand below each other, whatever the names consist of.
func TestTableOfWideNames(t *testing.T) {
	names := []string{"a", "参加者", "e\u0301tienne", "👍🏽", "👩\u200d🚀", "👨\u200d👩\u200d👧", "🇦🇹🇩🇪", "✔\ufe0f", "한국", "क्षि", "zero\u200bwidth"}
	var rows [][]string
	for _, name := range names {
		rows = append(rows, []string{name, "|"})
	}
	var b bytes.Buffer
	Table(&b, "", rows)
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, len(names))
	for _, line := range lines {
		require.Equal(t, Width(lines[0]), Width(line), line)
	}
}

func TestField(t *testing.T) {
	var b bytes.Buffer
	Field(&b, "  ", 6, "why", "one", "two", "", "three\nand \x1b")
	Field(&b, "  ", 6, "none", "")
	Field(&b, "  ", 6, "too long", "text")
	require.Equal(t, "  why   one\n        two\n\n        three\\nand \\x1b\n  too longtext\n", b.String())
}

// What is too long loses its middle, by its width on the screen.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		cut   string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abc…fg"},
		{"日本日本", 8, "日本日本"},
		{"日本日本", 7, "日…本"},
		{"e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301…e\u0301"},
		{"ab", 1, "…"},
	} {
		require.Equal(t, c.cut, Cut(c.text, c.width))
		require.LessOrEqual(t, Width(Cut(c.text, c.width)), c.width)
	}
}

// What has to stay is there, wherever it is in the text.
func TestCutAround(t *testing.T) {
	long := strings.Repeat("0123456789日", 20)
	for at := 0; at < len(long); at++ {
		if !utf8.RuneStart(long[at]) {
			continue
		}
		text := long[:at] + "!" + long[at:]
		cut := CutAround(text, 40, at)
		require.Contains(t, cut, "!", at)
		require.LessOrEqual(t, Width(cut), 40)
	}
	require.Equal(t, "short", CutAround("short", 5, 2))
}
