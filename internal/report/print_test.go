package report_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/stretchr/testify/require"
)

// On paper the first page has more than the title, the whole graph stands within the width
// of the page, and lines of trees are broken rather than cut.
func TestPaper(t *testing.T) {
	for _, file := range some("restart/2pc_forgets", "replication/kafka_isr") {
		b := open(t, ask(t, testdata+file+".ded", 1).page, func(b *tab) { b.size(700, 1000, false) })
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		b.run(`window.dispatchEvent(new Event('beforeprint'))`)
		require.NotEqual(t, "avoid", b.text(`getComputedStyle(document.querySelector('section.summary')).breakInside`))
		require.NotContains(t, b.text(`getComputedStyle(document.querySelector('.summary .card')).breakInside`), "avoid")
		require.Positive(t, b.count(".node"), "the graph is made even if nobody saw it yet")
		require.Zero(t, b.number(outside), file)
		for _, tree := range []string{".lineage-text pre", "#printed pre"} {
			require.Positive(t, b.count(tree), tree)
			require.True(t, b.is(`[...document.querySelectorAll('`+tree+`')].every((e) => e.clientWidth > 0 && e.scrollWidth <= e.clientWidth)`), "%s of %s", tree, file)
		}
		require.True(t, b.is(`document.documentElement.scrollWidth <= innerWidth`), file)
		b.run(`window.dispatchEvent(new Event('afterprint'))`)
		require.True(t, b.is(`document.querySelector('svg.graph').getAttribute('viewBox') === null`))
	}
}
