package report_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program is in the page. What names a line of it, in words and beside the graph, leads to
// that line, which stands there as in the file.
func TestPlacesLeadIntoTheProgram(t *testing.T) {
	const file = testdata + "delivery/retry.ded"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	b := open(t, ask(t, file, 1).page)
	require.Equal(t, string(text), strings.Join(b.all("#program details:first-of-type .source span"), ""))
	b.everything()
	b.run(`for (const d of document.querySelectorAll('#program details')) d.open = false`)
	require.Positive(t, b.count(".story a.line"))
	require.Positive(t, b.count(".lineage-text pre a.line"))
	b.press(".why .tabs button", "Why post(")
	require.Positive(t, b.count(".detail a.line"))
	for _, place := range []string{".story a.line", ".detail a.line"} {
		b.press(place, "")
		require.True(t, b.is(`document.activeElement.matches('.source .at') && document.activeElement.checkVisibility()`))
		require.Equal(t, 1, b.count(".source .at"))
		_, line, _ := strings.Cut(b.all(place)[0], ":")
		require.True(t, strings.HasSuffix(b.text(`document.activeElement.id`), "-"+line), line)
	}
	require.Contains(t, b.text(`document.querySelector('.source .at').textContent`), strings.SplitN(b.all(".detail pre")[0], "\n", 2)[0])
	require.Contains(t, b.all(".node title")[0], b.all(".detail pre")[0])
}
