package columns

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// A character may take two columns, or none.
func TestTable(t *testing.T) {
	var b bytes.Buffer
	Table(&b, " ", [][]string{{"name", "verdict"}, {"日本", "holds"}, {"e\u0301t\u00e9", ""}, {"✅ ok", "violated"}, {"\n", "\t"}})
	require.Equal(t, " name   verdict\n 日本   holds\n e\u0301t\u00e9\n ✅ ok  violated\n \\n     \\t\n", b.String())
}

func TestField(t *testing.T) {
	var b bytes.Buffer
	Field(&b, "  ", 6, "why", "one", "two", "", "three\nand \x1b")
	Field(&b, "  ", 6, "none", "")
	Field(&b, "  ", 6, "too long", "text")
	require.Equal(t, "  why   one\n        two\n\n        three\\nand \\x1b\n  too longtext\n", b.String())
}
