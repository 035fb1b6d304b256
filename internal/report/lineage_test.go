package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// outside counts the nodes that are not wholly in the frame.
const outside = `(() => {
	const f = document.querySelector('svg.graph').getBoundingClientRect();
	return [...document.querySelectorAll('.node rect')].filter((n) => {
		const r = n.getBoundingClientRect();
		return r.left < f.left - 1 || r.right > f.right + 1 || r.top < f.top - 1 || r.bottom > f.bottom + 1;
	}).length;
})()`

// Fit shows every node, however many there are, and whatever was shown before; to make the
// graph smaller brings the rest of it into the frame, and does not lose what is there.
func TestFitShowsEverything(t *testing.T) {
	for i, file := range []string{"replication/kafka_isr", "delivery/classic", "restart/2pc_forgets"} {
		for j, width := range []int64{1400, 700} {
			if i%2 != j && !*long {
				continue
			}
			b := open(t, ask(t, testdata+file+".ded", 1).page, func(b *tab) { b.size(width, 1000, false) })
			b.run(`document.querySelector('#lineage').scrollIntoView()`)
			b.until(`document.querySelector('.node') !== null`)
			for range 8 {
				b.press(".zoom button", "+")
			}
			require.Positive(t, b.number(outside), "%s, %d", file, width)
			b.press(".zoom button", "Fit")
			require.Zero(t, b.number(outside), "%s, %d", file, width)
			for range 8 {
				b.press(".zoom button", "+")
			}
			for range 20 {
				b.press(".zoom button", "−")
			}
			require.Zero(t, b.number(outside), "%s, %d", file, width)
		}
	}
}

// What is seen at first can be read, and has what was asked about and a message of the
// fault set that was lost.
func TestGraphBeginsWithWhatMatters(t *testing.T) {
	for _, file := range some("delivery/classic", "partitions/half", "replication/kafka_isr") {
		b := open(t, ask(t, testdata+file+".ded", 1).page)
		b.run(`document.querySelector('#lineage').scrollIntoView()`)
		b.until(`document.querySelector('.node') !== null`)
		seen := `((n) => { const f = document.querySelector('svg.graph').getBoundingClientRect(); const r = n.getBoundingClientRect(); return f.left <= r.left && r.right <= f.right && f.top <= r.top && r.bottom <= f.bottom; })`
		require.True(t, b.is(seen+`(document.querySelector('.node.chosen rect'))`), file)
		require.True(t, b.is(`[...document.querySelectorAll('.node.message.unmet rect')].some(`+seen+`)`), file)
		require.GreaterOrEqual(t, b.number(`document.querySelector('svg.graph > g').getCTM().a`), 0.45, file)
	}
}

// What the pointer is on stays under it as long as there is more than the frame holds, and
// a graph that was dragged away can still be seen.
func TestGraphIsNotLost(t *testing.T) {
	b := open(t, ask(t, testdata+"replication/kafka_isr.ded", 1).page)
	b.run(`document.querySelector('#lineage').scrollIntoView()`)
	b.until(`document.querySelector('.node') !== null`)
	for range 3 {
		b.press(".zoom button", "+")
	}
	b.run(`(() => {
		const f = document.querySelector('svg.graph').getBoundingClientRect();
		const view = document.querySelector('svg.graph > g');
		window.under = () => { const m = view.getCTM(); return [(300 - m.e) / m.a, (200 - m.f) / m.d].map((v) => Math.round(v)).join(' '); };
		window.before = window.under();
		document.querySelector('svg.graph').dispatchEvent(new WheelEvent('wheel', { ctrlKey: true, deltaY: -100, clientX: f.left + 300, clientY: f.top + 200, cancelable: true }));
	})()`)
	require.Equal(t, b.text("window.before"), b.text("window.under()"))
	b.run(`document.querySelector('.node.chosen').focus()`)
	b.run(`for (let i = 0; i < 300; i++) document.querySelector('.node.chosen').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }))`)
	require.True(t, b.is(`(() => { const f = document.querySelector('svg.graph').getBoundingClientRect(); return document.querySelector('svg.graph > g').getBoundingClientRect().right >= f.left + 20; })()`))
}
