package dedalus_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
)

// The caret of an error stands below what is wrong, whatever stands before it.
func TestCaretStandsBelowWhatIsWrong(t *testing.T) {
	for _, name := range []string{"a", "参加者", "e\u0301", "👍🏽", "👩\u200d🚀", "🇦🇹", "한국"} {
		_, err := dedalus.ParseText("p.ded", "n(\""+name+"\")@1 ! ;")
		requireCaret(t, err, "!")
		_, err = rounds.ParseSchedule("crash " + name + "@1 !")
		if name != "👩\u200d🚀" { // which no process is called
			requireCaret(t, err, "!")
		}
	}
}

// requireCaret checks that the last line of an error has its caret below the last sign in
// the line before.
func requireCaret(t *testing.T, err error, sign string) {
	t.Helper()
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.GreaterOrEqual(t, len(lines), 3, err)
	text, caret := lines[len(lines)-2], lines[len(lines)-1]
	require.Equal(t, uniseg.StringWidth(text[:strings.LastIndex(text, sign)]), strings.Index(caret, "^"), err)
}
