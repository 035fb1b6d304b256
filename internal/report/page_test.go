package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// A report about a protocol of testdata is a file that can be sent by mail. Without -long
// it is one in six, and none of the catalogue, which take longer than all others.
func TestPagesAreSmall(t *testing.T) {
	for i, file := range protocols(t) {
		if (strings.Contains(file, "/catalogue/") || i%6 != 0) && !*long {
			continue
		}
		var out bytes.Buffer
		require.NoError(t, report.Write(&out, ask(t, file, 25).page))
		require.Less(t, out.Len(), 1_500_000, file)
	}
}

// The diagram has an arrow for each message that somebody sends another, and a cross for
// each that is lost; the states have the facts of each round: those of the recordings.
func TestPageShowsTheRecording(t *testing.T) {
	for _, file := range some("delivery/retry.ded", "restart/2pc_forgets.ded", "partitions/half.ded", "replication/kafka_isr.ded", "replog/buggy.ded", "commit/3pc.ded") {
		t.Run(file, func(t *testing.T) {
			a := ask(t, testdata+file, 1)
			in, err := a.opened.Replay(t.Context(), a.answer.First().Schedule)
			require.NoError(t, err)
			e := in.Execution
			b := open(t, a.page)
			b.press("button", "With faults")
			b.press(".menu .choice input + span", "messages that change nothing here")
			b.press(".menu .choice input + span", "rounds like the one before")
			for b.count(".menu fieldset input:not(:checked)") > 0 {
				b.run(`document.querySelector('.menu fieldset input:not(:checked)').click()`)
			}
			sent, lost := arrows(e)
			require.Equal(t, sent, b.count(".canvas line.arrow"))
			require.Equal(t, lost, b.count(".canvas line.arrow.lost"))
			b.press(".statebar .choice input + span", "all relations")
			for round := 1; round <= e.Bounds.EOT; round++ {
				b.run(fmt.Sprintf(`(() => { const s = document.querySelector('#round'); s.value = %d; s.dispatchEvent(new Event('input')); })()`, round))
				var want []string
				for _, f := range e.Facts {
					if f.Round == round {
						want = append(want, recording.Display(f, e.Bounds.Processes))
					}
				}
				got := b.all(".columns .fact:not(.missing)")
				slices.Sort(want)
				slices.Sort(got)
				require.Equal(t, lines(want), lines(got), "round %d", round)
			}
		})
	}
}

// arrows counts the arrows that an execution of a program is drawn with, and those that
// end in a cross: one for each relation, sender, receiver and round.
func arrows(e *recording.Execution) (sent, lost int) {
	seen := map[string]bool{}
	for _, m := range e.Messages {
		key := fmt.Sprint(m.Relation, " ", m.From, " ", m.To, " ", m.Round)
		if m.From == "" || m.From == m.To || m.Round >= e.Bounds.EOT || !slices.Contains(e.Bounds.Processes, m.To) {
			continue
		}
		if gone, met := seen[key]; !met {
			sent++
		} else if gone {
			continue
		}
		if m.Lost {
			lost++
		}
		seen[key] = seen[key] || m.Lost
	}
	return sent, lost
}

// By default the diagram has what is lost, what the other execution has not, and what the
// outcome needs; it counts the rest, and shows it on demand.
func TestWhatMattersIsDrawn(t *testing.T) {
	b := open(t, ask(t, testdata+"replication/kafka_isr.ded", 1).page)
	require.Positive(t, b.count(".canvas .more"))
	few, left := b.count(".canvas line.arrow:not(.lost)"), b.count(".canvas .more")
	b.run(`document.querySelector('.canvas .more').dispatchEvent(new MouseEvent('click', { bubbles: true }))`)
	require.Greater(t, b.count(".canvas line.arrow:not(.lost)"), few)
	require.Less(t, b.count(".canvas .more"), left)
	b.press(".menu .choice input + span", "messages that change nothing here")
	require.Zero(t, b.count(".canvas .more"))
}

// A round that looks like the one before only because of what is left out is not called
// like it: the requests of one round and the answers of the next are as many.
func TestFoldedRoundsAreAlike(t *testing.T) {
	b := open(t, ask(t, testdata+"commit/3pc12.ded", 1).page)
	require.NotContains(t, b.all(".canvas .round text"), "as round 1")
	b.press(".menu .choice input + span", "messages that change nothing here")
	require.NotContains(t, b.all(".canvas .round text"), "as round 1")
}

// The slider is moved by keys, and says to who does not see it where it is.
func TestSliderByKeys(t *testing.T) {
	b := open(t, ask(t, testdata+"delivery/retry.ded", 1).page)
	b.run(`document.querySelector('#round').focus()`)
	from := b.text(`document.querySelector('.at').textContent`)
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	to := b.text(`document.querySelector('.at').textContent`)
	require.NotEqual(t, from, to)
	require.Equal(t, to, b.text(`document.querySelector('#round').getAttribute('aria-valuetext')`))
	require.Equal(t, "State in "+strings.ToLower(strings.Split(to, " of ")[0]), b.text(`document.querySelector('.statebar h3').textContent`))
	require.Equal(t, 1, b.count(".canvas .round.current"))
}

// A node of the graph says which rule it comes from, as it stands in the program, and
// under which faults it holds. Persistence unfolds into a node for each round.
func TestLineageGraph(t *testing.T) {
	b := open(t, ask(t, testdata+"delivery/retry.ded", 1).page)
	b.run(`document.querySelector('#lineage').scrollIntoView()`)
	b.until(`document.querySelector('.node') !== null`)
	require.Contains(t, b.text(`document.querySelector('.detail').textContent`), "There is such a fact unless one of these happens:")
	b.press(".why .tabs button", "Why post(")
	require.Contains(t, b.text(`document.querySelector('.detail').textContent`), "Comes from")
	require.Contains(t, b.text(`document.querySelector('.detail pre').textContent`), "post(")
	folded := b.count(".node")
	b.press(".why .choice input + span", "fold persistence")
	require.Greater(t, b.count(".node"), folded)
	require.Positive(t, b.count(".node.kept"))

	b.run(`document.querySelector('.node.chosen').focus()`)
	first := b.text(`document.querySelector('.node.chosen').getAttribute('aria-label')`)
	b.do(chromedp.KeyEvent(kb.ArrowDown))
	require.NotEqual(t, first, b.text(`document.querySelector('.node.chosen').getAttribute('aria-label')`))
	require.Equal(t, "true", b.text(`String(document.activeElement === document.querySelector('.node.chosen'))`))
	require.Equal(t, 1, b.count(".node[tabindex='0']"))
}

// The graph is moved by the pointer and scaled by the buttons.
func TestGraphMovesAndScales(t *testing.T) {
	b := open(t, ask(t, testdata+"replog/buggy.ded", 1).page)
	b.run(`document.querySelector('#lineage').scrollIntoView()`)
	b.until(`document.querySelector('.node') !== null`)
	at := func() string { return b.text(`document.querySelector('svg.graph > g').getAttribute('transform')`) }
	b.press(".zoom button", "Fit")
	before := at()
	x, y := b.number(`document.querySelector('svg.graph').getBoundingClientRect().left + 20`), b.number(`document.querySelector('svg.graph').getBoundingClientRect().top + 20`)
	b.do(chromedp.DragAndDropXY(x, y, x+80, y+40))
	moved := at()
	require.NotEqual(t, before, moved)
	b.press(".zoom button", "+")
	require.NotEqual(t, moved, at())
	b.press(".zoom button", "Fit")
	require.Equal(t, before, at())
}

// Every fault set that was found is listed, and the first 20 have a diagram of their own.
func TestFaultSets(t *testing.T) {
	a := ask(t, testdata+"replog/buggy.ded", 30)
	require.Greater(t, len(a.answer.Counterexamples), 20)
	b := open(t, a.page)
	var want []string
	for _, c := range a.answer.Counterexamples {
		want = append(want, c.Schedule.String())
	}
	require.Equal(t, lines(want), lines(b.all("#sets summary b")))
	b.everything()
	require.Equal(t, 20, b.count("#sets details > .spacetime"))
	require.Equal(t, 20, b.count("#diagrams .picker option"))
	for _, i := range []int{0, 7, 19} {
		_, lost := arrows(a.answer.Counterexamples[i].Execution)
		require.Positive(t, b.count(fmt.Sprintf("#sets > ol > li:nth-child(%d) .arrow.lost", i+1)))
		require.LessOrEqual(t, b.count(fmt.Sprintf("#sets > ol > li:nth-child(%d) .arrow.lost", i+1)), lost)
	}
}

// Each fault set with a diagram has its lineage, as far as there is room, as a graph and in
// words: of what it breaks, and of what it breaks without faults. To pick a diagram picks
// the graph, and not the other way round.
func TestLineagesOfFaultSets(t *testing.T) {
	a := ask(t, testdata+"delivery/retry.ded", 4)
	b := open(t, a.page)
	b.everything()
	require.Len(t, a.answer.Counterexamples, 4)
	pick := func(picker string, i int) {
		b.run(fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = '%d'; s.dispatchEvent(new Event('change')); })()`, picker+" .picker select", i))
	}
	for i, c := range a.answer.Counterexamples {
		pick("#lineage", i)
		tabs := b.all("#lineage .tabs button")
		about := fmt.Sprintf("post(%s, \"hello\")@6", c.Violations[0].Fact.Args[0].Text())
		require.Equal(t, fmt.Sprintf("Why there is no %s, with %s", about, c.Schedule), tabs[0])
		require.Contains(t, tabs, fmt.Sprintf("Why %s, without faults", about))
		require.Equal(t, "no "+about, b.all(".node text")[0])
		if i > 0 {
			require.Contains(t, b.all(fmt.Sprintf("#sets > ol > li:nth-child(%d) .lineage-text summary", i+1)), tabs[0])
		}
		require.Equal(t, "0", b.text(`document.querySelector('#diagrams .picker select').value`))
	}
	pick("#diagrams", 2)
	require.Equal(t, "2", b.text(`document.querySelector('#lineage .picker select').value`))
}

// What there is no room for is left out, and the page says so.
func TestLineagesHaveRoom(t *testing.T) {
	p := ask(t, testdata+"commit/3pc12.ded", 20).page
	require.Regexp(t, `^the page has no lineage for fault set \d+ and those after it: the command below each of them prints it$`, p.Warnings[len(p.Warnings)-1])
}

// Names of executions that have no room over their lifelines are cut, and do not run into
// each other.
func TestHeadingsHaveRoom(t *testing.T) {
	for _, width := range some[int64](400, 700, 1400) {
		b := open(t, ask(t, testdata+"replog/buggy.ded", 1).page, func(b *tab) { b.size(width, 1000, false) })
		b.press("button", "Side by side")
		require.Len(t, b.all(".heads text.run"), 2)
		require.True(t, b.is(`(() => { const [one, two] = [...document.querySelectorAll('.heads text.run')].map((e) => e.getBoundingClientRect()); return one.right < two.left; })()`), "%d", width)
	}
}

// On a telephone the round is named in one line, and what is broken is read without moving the
// diagram.
func TestTelephone(t *testing.T) {
	for _, program := range some("delivery/retry.ded", "replog/buggy.ded") {
		b := open(t, ask(t, testdata+program, 1).page, func(b *tab) { b.size(390, 844, false) })
		require.EqualValues(t, 1, b.number(`(() => { const r = document.createRange(); r.selectNodeContents(document.querySelector('.stepper .at')); return r.getClientRects().length; })()`), program)
		require.Positive(t, b.number(`document.querySelectorAll('.spacetime text.remark.note').length`), program)
		require.Zero(t, b.number(`(() => { const box = document.querySelector('.spacetime').getBoundingClientRect(); return [...document.querySelectorAll('.spacetime text.remark.note')].filter((e) => e.getBoundingClientRect().right > box.right).length; })()`), program)
	}
}

// The command that repeats an execution gets into the clipboard.
func TestCopy(t *testing.T) {
	b := open(t, ask(t, testdata+"delivery/retry.ded", 1).page)
	b.run(`document.querySelector('.summary .command button').focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector('.summary .command button').textContent !== 'Copy'`)
	require.Contains(t, b.all(".summary .command code")[0], "ldfi inject ")
}
