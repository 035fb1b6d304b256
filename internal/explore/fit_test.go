package explore_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/lineage-driven/ldfi/internal/explore"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/stretchr/testify/require"
)

// style is what may stand on a screen besides text: how a character looks.
var style = regexp.MustCompile("\x1b\\[[0-9;]*m")

// fits checks that a screen has its lines, that none is wider than it has columns,
// however a terminal counts them, and that nothing of it moves a cursor, goes to another
// line or turns the direction of writing.
func fits(t testing.TB, p explore.Player, width, height int, about ...any) {
	t.Helper()
	lines := strings.Split(p.View().Content, "\n")
	require.Len(t, lines, height, about...)
	for _, line := range lines {
		s := style.ReplaceAllString(line, "")
		for _, r := range s {
			require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar, "%q %v", s, about)
		}
		if ansi.StringWidth(s) > width || text.Width(s) > width {
			require.Fail(t, "a line is too wide", "%q: %d or %d of %d columns, %v", s, ansi.StringWidth(s), text.Width(s), width, about)
		}
	}
}
