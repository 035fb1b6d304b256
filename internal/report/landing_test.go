package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// landingOf returns a landing page with a page for each text, which has that many bytes;
// those whose name begins with "as" are as expected.
func landingOf(bytes map[string]int, names ...string) *Landing {
	l := &Landing{Title: "suite", Outcome: Cell{Text: "fail", Verdict: result.Violated}}
	rows := [][]Cell{Cells("case")}
	for _, name := range names {
		p := NewPage(name, "ldfi check", rounds.Bounds{Processes: []string{"a"}, EOT: 1})
		p.Circuit = strings.Repeat("c", bytes[name]/2)
		p.Worlds = []Execution{{Schedule: strings.Repeat("d", bytes[name]/2)}}
		rows = append(rows, []Cell{{Text: name, Page: l.Add(p, strings.HasPrefix(name, "as"))}})
	}
	l.Parts = []Part{{Table: rows}}
	return l
}

func written(t *testing.T, l *Landing) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, l.Write(&out))
	return out.String()
}

// A file has all pages as long as there is room. Then those that are as expected lose what
// is large, the largest first, and the page says so.
func TestLandingHasRoom(t *testing.T) {
	const mb = 1_000_000
	size := map[string]int{"as one": 2 * mb, "as two": 3 * mb, "bad": 2 * mb}
	text := written(t, landingOf(size, "as one", "as two", "bad"))
	require.NotContains(t, text, "So that this file has")
	require.Equal(t, 3, strings.Count(text, "<template "))

	size["bad"] = 5 * mb
	text = written(t, landingOf(size, "as one", "as two", "bad"))
	require.Less(t, len(text), mostBytes+mb)
	require.Contains(t, text, "So that this file has at most 8 MB, of the pages behind it 2 cannot change faults.")
	require.Contains(t, text, strings.Repeat("c", 5*mb/2), "what is not as expected stays whole")

	size["bad"] = 20 * mb
	text = written(t, landingOf(size, "as one", "as two", "bad"))
	require.Contains(t, text, "2 are left out")
	require.Equal(t, 1, strings.Count(text, "<template "))
	require.NotContains(t, text, `href="#case-1"`, "what is left out has no link")
	require.Contains(t, text, `href="#case-3"`)
}

// What names and texts have is text.
func TestLandingWritesForeignText(t *testing.T) {
	const vector = `</script></template><img src=x onerror=alert(1)>"'&`
	l := landingOf(nil, vector)
	l.Title, l.Headline, l.Text, l.Command = vector, vector, vector, vector
	l.Parts = append(l.Parts, Part{Heading: vector, Lines: []string{vector}, Code: vector})
	text := written(t, l)
	require.NotContains(t, text, "<img")
	for _, tag := range []string{"template", "script"} {
		require.Equal(t, strings.Count(text, fmt.Sprintf("<%s", tag)), strings.Count(text, fmt.Sprintf("</%s>", tag)), tag)
	}
}
